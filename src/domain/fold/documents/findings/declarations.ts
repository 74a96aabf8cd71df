import { headingOf } from '../../markdown/headings.ts'
import { firstWord, itemOf, skipBlanks } from '../../markdown/items.ts'
import type { Line } from '../../markdown/lines.ts'
import { isAt, skip, unitSet } from '../../markdown/unit-sets.ts'
import { valueOf, type Pair } from '../../markdown/yaml-lines.ts'
import { idAt, type Mention } from '../../sentences/ids.ts'
import type { Tier } from '../contract.ts'
import { tierAt } from '../tiers.ts'

/** A line of findings.md that begins the record of a finding or a gap. */
export interface Declaration {
  readonly id: string
  readonly kind: 'FINDING' | 'GAP'
  readonly tier: Tier | null
  /** `item` records end with their list item, others at the next record or heading. */
  readonly form: 'heading' | 'item' | 'line'
}

/**
 * The record that a line begins, or null where it only mentions ids. Begins one: a heading
 * (`## FINDING-001`), `id: FINDING-001`, `FINDING-017:` as a key, a list item or a paragraph whose
 * first word is the id, set off: `- **FINDING-005** (H): …`, `- [FINDING-001] …`, `**FINDING-01 (H):** …`.
 */
export function declarationOf(line: Line, pairs: readonly Pair[]): Declaration | null {
  const { text } = line
  const [first] = pairs
  const named = first?.key === 'id' ? idAt(valueOf(text, first), 0) : null
  if (named !== null) return declared(named, null, 'line')
  // A line that begins with another key begins with no id.
  if (first !== undefined) return null
  const start = firstWord(text)
  const id = idAt(text, start)
  if (id === null || id.kind === 'ET') return null
  const end = behindClosers(text, id.end)
  if (line.place === 'code') return text[end] === ':' ? declared(id, null, 'line') : null
  const tier = tierBehind(text, end)
  if (headingOf(line) !== null) return declared(id, tier, 'heading')
  const setOff = tier !== null || isAt(text, end, SETTING_OFF) || text.startsWith('- ', end)
  const item = itemOf(text)
  if (item === null) return setOff ? declared(id, tier, 'line') : null
  return setOff || start > item.text ? declared(id, tier, 'item') : null
}

const SETTING_OFF = unitSet(':(—–|')

function declared(id: Mention, tier: Tier | null, form: Declaration['form']): Declaration | null {
  return id.kind === 'ET' ? null : { id: id.id, kind: id.kind, tier, form }
}

const CLOSERS = unitSet('*_`]"\' \t')

/** Behind the emphasis, brackets, quotes and blanks that close around an id. */
function behindClosers(text: string, from: number): number {
  return skip(text, from, CLOSERS)
}

const BEFORE_TIER = unitSet('([|')
const BEHIND_WORD = unitSet(')],;:|')

/** `(H)`, `[M]`, `(L, …)`, `(High)` or `| H |` behind an id. */
function tierBehind(text: string, start: number): Tier | null {
  if (!isAt(text, start, BEFORE_TIER)) return null
  const cell = text[start] === '|'
  const at = cell ? skipBlanks(text, start + 1) : start + 1
  const found = tierAt(text, at)
  if (found === null) return null
  const behind = skipBlanks(text, found.end)
  // `(H | M | L)` is a template, and `(Low traffic)` a remark.
  if (text[behind] === '|' && !cell) return null
  return found.end === at + 1 || isAt(text, behind, BEHIND_WORD) ? found.tier : null
}
