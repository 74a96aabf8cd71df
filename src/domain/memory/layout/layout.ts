import type { CountTokens } from '../../tokens.ts'
import {
  judgeCritical,
  lateBlocks,
  misplaced,
  LATEST_TURNS,
  spoken,
  staleOutputs,
} from './breaks.ts'
import type { Break, Critical, LayoutFacts } from './breaks.ts'
import type { Part, PartKind } from './parts.ts'

type Place = 'start' | 'middle' | 'end'

/** Where a part of a context belongs, and where it stands now. */
interface Placed {
  readonly part: string
  readonly place: Place
  readonly pointers: readonly string[]
}

interface Layout {
  /** How the context should stand, from its first token to its last. */
  readonly order: readonly Placed[]
  readonly first_100: Critical
  readonly breaks: readonly Break[]
}

/** How a request should stand, and what in it breaks the rule (seed steps 12 and 13). */
export function judgeLayout(
  parts: readonly Part[],
  turns: number,
  facts: LayoutFacts,
  count: CountTokens,
): Layout {
  const opening = openingOf(parts)
  const start = opening.map((part) => part.text).join('\n')
  const { breaks, critical } = judgeCritical(start, facts, count)
  return {
    order: order(parts, opening, turns, facts),
    first_100: critical,
    breaks: [
      ...breaks,
      ...lateBlocks(start, facts),
      ...misplaced(parts),
      ...staleOutputs(parts, turns),
    ],
  }
}

const OPENING_CHARACTERS = 65_536

/** What stands before the assistant first speaks, as far as it can matter. */
function openingOf(parts: readonly Part[]): readonly Part[] {
  const opening: Part[] = []
  let left = OPENING_CHARACTERS
  for (const part of parts) {
    if (left <= 0 || (part.kind !== 'instructions' && part.kind !== 'user')) break
    opening.push({ ...part, text: part.text.slice(0, left) })
    left -= part.text.length
  }
  return opening
}

const MOST_POINTERS = 20

function order(
  parts: readonly Part[],
  opening: readonly Part[],
  turns: number,
  facts: LayoutFacts,
): readonly Placed[] {
  const pointers = (of: readonly Part[]): readonly string[] => of.map(({ pointer }) => pointer)
  const all = (kind: PartKind): readonly string[] =>
    pointers(parts.filter((part) => part.kind === kind).slice(0, MOST_POINTERS))
  const holding = (text: string | null): readonly string[] =>
    text === null || text === ''
      ? []
      : pointers(opening.filter((part) => part.text.includes(text)).slice(0, 1))
  const recent = parts.filter(
    ({ kind, result }) => kind === 'output' && (result?.turn ?? 0) > turns - LATEST_TURNS,
  )
  return [
    { part: 'objective', place: 'start', pointers: holding(facts.objective) },
    { part: 'success_criteria', place: 'start', pointers: holding(facts.success_criteria) },
    { part: 'system', place: 'start', pointers: all('instructions') },
    { part: 'task_state', place: 'start', pointers: holding(facts.task_state) },
    { part: 'extracts', place: 'middle', pointers: all('extract') },
    { part: 'masked_outputs', place: 'middle', pointers: all('masked') },
    { part: 'recent_outputs', place: 'end', pointers: pointers(recent.slice(-MOST_POINTERS)) },
    { part: 'recent_reasoning', place: 'end', pointers: pointers(parts.filter(spoken).slice(-1)) },
  ]
}
