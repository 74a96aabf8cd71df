import { asciiLower, trimBlanks } from '../markdown/characters.ts'
import { itemOf } from '../markdown/items.ts'

const NOTHING: ReadonlySet<string> = new Set([
  'none',
  'none.',
  '(none)',
  'n/a',
  'nothing',
  'nothing.',
  'null',
  '~',
  '[]',
  '-',
  '—',
  '–',
  'no findings',
  'no findings.',
])

/** Whether a value says that there is nothing: `none`, `n/a`, a dash. */
export const isNothing = (value: string): boolean =>
  value.length < 16 && NOTHING.has(asciiLower(value))

/** Whether a line says that there is nothing to list. */
export const saysNone = (text: string): boolean =>
  isNothing(trimBlanks(text.slice(itemOf(text)?.text ?? 0)))
