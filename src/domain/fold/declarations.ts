import { isBlank, isWordAt } from './characters.ts'
import { isTier, type Tier } from './contract.ts'
import { headingOf } from './headings.ts'
import { idAt, type Mention } from './ids.ts'
import { firstWord, itemOf } from './items.ts'
import type { Line } from './lines.ts'
import type { Pair } from './yaml-lines.ts'

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
  const named = pairs[0]?.key === 'id' ? idAt(pairs[0].value, 0) : null
  if (named !== null) return declared(named, null, 'line')
  const start = firstWord(text)
  const id = idAt(text, start)
  if (id === null || id.kind === 'ET') return null
  const end = behindClosers(text, id.end)
  if (line.place === 'code') return text[end] === ':' ? declared(id, null, 'line') : null
  const tier = tierAt(text, end)
  if (headingOf(line) !== null) return declared(id, tier, 'heading')
  const setOff = tier !== null || ':(—–|'.includes(text[end] ?? ' ') || text.startsWith('- ', end)
  const item = itemOf(text)
  if (item === null) return setOff ? declared(id, tier, 'line') : null
  return setOff || start > item.text ? declared(id, tier, 'item') : null
}

function declared(id: Mention, tier: Tier | null, form: Declaration['form']): Declaration | null {
  return id.kind === 'ET' ? null : { id: id.id, kind: id.kind, tier, form }
}

/** Behind the emphasis, brackets, quotes and blanks that close around an id. */
function behindClosers(text: string, from: number): number {
  let end = from
  while (
    end < text.length &&
    ('*_`]"\''.includes(text[end] ?? '') || isBlank(text.charCodeAt(end)))
  )
    end += 1
  return end
}

/** `(H)`, `[M]` or `(L, …)` behind an id. */
function tierAt(text: string, start: number): Tier | null {
  if (text[start] !== '(' && text[start] !== '[') return null
  const tier = text[start + 1] ?? ''
  return isTier(tier) && !isWordAt(text, start + 2) && text[start + 3] !== '|' ? tier : null
}
