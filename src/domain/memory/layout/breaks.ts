import { utf8Length } from '../../bytes.ts'
import { LARGE_OUTPUT_BYTES } from '../../mission/large-output.ts'
import type { CountTokens } from '../../tokens.ts'
import type { Part, PartKind } from './parts.ts'

/** The seed's "first 100 tokens" (step 13) and "2-3 most recent turns in context" (step 12). */
const FIRST_TOKENS = 100
export const LATEST_TURNS = 3
const MOST_BREAKS = 20

/** What a mission says of itself that has a place in its context. */
export interface LayoutFacts {
  readonly objective: string | null
  readonly success_criteria: string | null
  readonly system: string | null
  readonly task_state: string | null
}

type LayoutRule =
  | 'critical_within_first_100_tokens'
  | 'blocks_at_start'
  | 'old_material_in_middle'
  | 'reasoning_last'
  | 'recent_turns_only'

/** Something in a request that breaks a rule of the layout. */
export interface Break {
  readonly rule: LayoutRule
  readonly pointer: string | null
  readonly detail: string
  readonly hint: string
}

/** The objective and the success criteria together: whether they can fit, and whether they stand. */
export interface Critical {
  readonly tokens: number
  readonly fits: boolean
  readonly holds: boolean
}

/** Whether objective and success criteria stand in the first 100 tokens of `start` (seed step 13). */
export function judgeCritical(
  start: string,
  facts: LayoutFacts,
  count: CountTokens,
): { readonly critical: Critical; readonly breaks: readonly Break[] } {
  const wanted = [
    { name: 'objective', text: facts.objective ?? '' },
    { name: 'success_criteria', text: facts.success_criteria ?? '' },
  ]
  const tokens = count(
    wanted
      .map(({ text }) => text)
      .filter((text) => text !== '')
      .join('\n'),
  )
  const rule = 'critical_within_first_100_tokens'
  const fits = tokens <= FIRST_TOKENS
  const breaks: Break[] = []
  if (!fits)
    breaks.push({
      rule,
      pointer: null,
      detail: `The objective and success criteria have ${tokens} tokens and don't fit the first ${FIRST_TOKENS}.`,
      hint: 'Shorten them: what does not fit stands where attention is weaker.',
    })
  for (const { name, text } of wanted) {
    const detail = text === '' ? `The mission has no ${name}.` : late(name, text, start, count)
    if (detail === null) continue
    const hint =
      text === '' ? `Set ${name} on the mission.` : 'Put it before everything else in the request.'
    breaks.push({ rule, pointer: null, detail, hint })
  }
  return { critical: { tokens, fits, holds: breaks.length === 0 }, breaks }
}

/** The blocks that open a context and don't stand before its first turn. */
export const lateBlocks = (start: string, facts: LayoutFacts): readonly Break[] =>
  (['system', 'task_state'] as const).flatMap((label) => {
    const text = facts[label]
    if (text === null || start.includes(text)) return []
    return [
      {
        rule: 'blocks_at_start' as const,
        pointer: null,
        detail: `The block ${label} does not stand before the first turn.`,
        hint: 'System and task state come first, after the objective and success criteria.',
      },
    ]
  })

/** Extracts and masked outputs at the ends, and instructions after the most recent reasoning. */
export function misplaced(parts: readonly Part[]): readonly Break[] {
  const breaks: Break[] = []
  const lastReasoning = parts.findLastIndex(spoken)
  const firstTurn = parts.findIndex(spoken)
  for (const [index, { kind, pointer }] of parts.entries()) {
    const ended = lastReasoning !== -1 && index > lastReasoning
    if (OLD.has(kind) && (ended || index < firstTurn || firstTurn === -1))
      breaks.push({
        rule: 'old_material_in_middle',
        pointer,
        detail: `${kind === 'masked' ? 'A masked output' : 'An extract'} stands at the ${ended ? 'end' : 'start'}.`,
        hint: 'Extracts and masked outputs belong in the middle.',
      })
    else if (ended && kind === 'instructions')
      breaks.push({
        rule: 'reasoning_last',
        pointer,
        detail: 'Instructions stand after the most recent reasoning.',
        hint: 'Instructions come first; the end is for the most recent reasoning.',
      })
  }
  return breaks.slice(0, MOST_BREAKS)
}

/** Large outputs of old turns that still stand in full. */
export function staleOutputs(parts: readonly Part[], turns: number): readonly Break[] {
  const breaks: Break[] = []
  for (const { kind, pointer, result, text } of parts) {
    if (kind !== 'output' || result === undefined || result.turn > turns - LATEST_TURNS) continue
    if (utf8Length(text) < LARGE_OUTPUT_BYTES) continue
    breaks.push({
      rule: 'recent_turns_only',
      pointer,
      detail: `An output of turn ${result.turn} of ${turns} stands in full.`,
      hint: 'Mask it: only the last 2 or 3 turns stay verbatim.',
    })
  }
  return breaks.slice(0, MOST_BREAKS)
}

/** Whether a part is the assistant's own: what it says, thinks or calls. */
export const spoken = ({ kind }: Part): boolean => kind === 'reasoning' || kind === 'call'

/** Why a text does not stand in the first 100 tokens, or null where it does. */
function late(name: string, text: string, start: string, count: CountTokens): string | null {
  const at = start.indexOf(text)
  if (at === -1) return `The ${name} does not stand at the start of the request.`
  const ends = count(start.slice(0, at + text.length))
  return ends <= FIRST_TOKENS ? null : `The ${name} ends at token ${ends} of the request.`
}

const OLD: ReadonlySet<PartKind> = new Set(['masked', 'extract'])
