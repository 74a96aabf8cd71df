import type { ToolResult } from '../transcript/lens.ts'

/**
 * What a conversation was answered last: for each tool result, in order, its name and whether it was
 * sent masked. It aligns the next transcript, which may have lost its oldest messages, been rewound or
 * branched, and shows where a provider's prompt cache breaks.
 */
export interface Answered {
  /** `NAME_CHARS` characters that name the result, then `+` for masked or `-` for raw. */
  readonly entries: string
  /** Masked results that left the history while an equal one stayed: how many, by name. */
  readonly gone: Readonly<Record<string, number>>
}

/** The names that stand joined in one text. */
export const namesIn = (joined: string): readonly string[] => parts(joined, NAME_CHARS)

export const NOTHING_ANSWERED: Answered = { entries: '', gone: {} }

/** How a transcript stands to what its conversation was answered last. */
export interface Alignment {
  /** How many results the last answer had in front that are not there any more. */
  readonly dropped: number
  /** How many results the transcript has in common with it from there on. */
  readonly common: number
  /** How many the last answer had behind them. */
  readonly left: number
  /** Whether each common result was sent masked. */
  readonly masked: readonly boolean[]
  /** Masks that went away with dropped results, by name. */
  readonly gone: Readonly<Record<string, number>>
}

const NAME_CHARS = 7
/** Begins the name of a result without a call id: another conversation may well have its like. */
const UNIDENTIFIED = '~'
const ENTRY_CHARS = NAME_CHARS + 1

/** Names a result by its call, its tool and its length: the same, raw or masked. */
export function nameOf(
  { call_id, tool }: Pick<ToolResult, 'call_id' | 'tool'>,
  characters: number,
): string {
  const text = `${call_id} ${tool ?? ''} ${characters}`
  // FNV-1a (draft-eastlake-fnv), 32 bits: names only have to tell neighbours apart.
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return call_id === ''
    ? UNIDENTIFIED + (hash >>> 1).toString(36).padStart(NAME_CHARS - 1, '0')
    : (hash >>> 0).toString(36).padStart(NAME_CHARS, '0')
}

/**
 * Finds the transcript in the last answer: at the fewest dropped results with which the two agree to
 * the end of the shorter one, else at their common beginning. Linear (prefix function, Knuth, Morris
 * and Pratt). Where the beginning is known to be gone (`trimmed`), it is found at its end.
 */
export function align(last: Answered, names: readonly string[], trimmed = false): Alignment {
  const known = entriesOf(last)
  const prefix = commonFrom(0, known, names)
  const shift = trimmed ? suffixShift(known, names) : shiftOf(known, names)
  // A branch leaves the history in its middle: its beginning says more than a chance agreement.
  const dropped =
    prefix > known.length - shift || (prefix === known.length - shift && !trimmed) ? 0 : shift
  const common = commonFrom(dropped, known, names)
  const masked = known.slice(dropped, dropped + common).map((entry) => entry.masked)
  const gone = goneAfter(last.gone, known.slice(0, dropped), new Set(names))
  return { dropped, common, left: known.length - dropped - common, masked, gone }
}

/** Whether a history goes on from the last answer, perhaps without its oldest messages. */
export function goesOn({ common, left }: Alignment, names: readonly string[]): boolean {
  const telling = common > 1 || (common === 1 && names[0]?.startsWith(UNIDENTIFIED) === false)
  return telling && left === 0
}

/** What to remember of an answer. */
export const answeredOf = (
  names: readonly string[],
  masked: readonly boolean[],
  gone: Alignment['gone'],
): Answered => ({
  entries: names.map((name, index) => name + (masked[index] === true ? '+' : '-')).join(''),
  gone,
})

/**
 * The index of the first result at which this answer differs from the last one, as far as both have
 * it; null where nothing differs.
 */
export function firstChange(
  { common, dropped, left, masked }: Alignment,
  now: readonly boolean[],
  before: Answered,
): number | null {
  if (before.entries === '') return orNull(now.indexOf(true))
  if (dropped > 0) return now.length === 0 ? null : 0
  for (let index = 0; index < common; index++) if (masked[index] !== now[index]) return index
  return left > 0 && common < now.length ? common : null
}

function commonFrom(start: number, known: readonly Entry[], names: readonly string[]): number {
  const most = Math.min(names.length, known.length - start)
  let common = 0
  while (common < most && known[start + common]?.name === names[common]) common += 1
  return common
}

interface Entry {
  readonly name: string
  readonly masked: boolean
}

const entriesOf = ({ entries }: Answered): readonly Entry[] =>
  parts(entries, ENTRY_CHARS).map((entry) => ({
    name: entry.slice(0, NAME_CHARS),
    masked: entry.endsWith('+'),
  }))

function parts(joined: string, size: number): readonly string[] {
  const list: string[] = []
  for (let start = 0; start < joined.length; start += size)
    list.push(joined.slice(start, start + size))
  return list
}

/** The smallest shift at which `names` agrees with `known` up to the end of either; 0 where none does. */
function shiftOf(known: readonly Entry[], names: readonly string[]): number {
  if (names.length === 0) return 0
  const fallback = prefixFunction(names)
  let matched = 0
  for (const [index, { name }] of known.entries()) {
    while (matched > 0 && names[matched] !== name) matched = fallback[matched - 1] ?? 0
    if (names[matched] === name) matched += 1
    if (matched === names.length) return index + 1 - matched
  }
  // What agrees to the end of the last answer; nothing in common is no shift.
  return matched === 0 ? 0 : known.length - matched
}

/** The smallest shift at which `names` goes on to the end of `known`; 0 where none does. */
function suffixShift(known: readonly Entry[], names: readonly string[]): number {
  const ends = names.slice(0, known.length)
  const shift = shiftOf(known, ends)
  if (commonFrom(shift, known, ends) === known.length - shift) return shift
  // What agrees in the middle of the last answer says nothing of a history that was only trimmed.
  const fallback = prefixFunction(ends)
  let matched = 0
  for (const { name } of known) {
    while (matched > 0 && (matched === ends.length || ends[matched] !== name))
      matched = fallback[matched - 1] ?? 0
    if (ends[matched] === name) matched += 1
  }
  return matched === 0 ? 0 : known.length - matched
}

function prefixFunction(names: readonly string[]): readonly number[] {
  const lengths = [0]
  for (let index = 1; index < names.length; index++) {
    let length = lengths[index - 1] ?? 0
    while (length > 0 && names[length] !== names[index]) length = lengths[length - 1] ?? 0
    lengths.push(names[length] === names[index] ? length + 1 : 0)
  }
  return lengths
}

function goneAfter(
  gone: Alignment['gone'],
  dropped: readonly Entry[],
  staying: ReadonlySet<string>,
): Alignment['gone'] {
  const after: Record<string, number> = {}
  for (const [name, count] of Object.entries(gone)) if (staying.has(name)) after[name] = count
  for (const { masked, name } of dropped)
    if (masked && staying.has(name)) after[name] = (after[name] ?? 0) + 1
  return after
}

const orNull = (index: number): number | null => (index === -1 ? null : index)
