import { isDigit, isWordAt, isWordBefore } from '../markdown/characters.ts'

export type IdKind = 'FINDING' | 'GAP' | 'ET'

/** One mention of an id: `start` and `end` are UTF-16 offsets in the text that was scanned. */
export interface Mention {
  readonly kind: IdKind
  readonly id: string
  readonly start: number
  readonly end: number
}

/**
 * Every id in a text, in order. An id is a token: `FINDING-`, `GAP-` or `ET-` and ASCII digits of any
 * length, not part of a longer word; so FINDING-1 is not in FINDING-10, and FINDING-XXX is none.
 * `FINDING-017/018`, `FINDING-001..003` and `FINDING-001-003` mention both ends, with as many digits
 * on either side. One pass: each unit is looked at a few times at most.
 */
export function eachId(text: string, visit: (mention: Mention) => void): void {
  for (let dash = text.indexOf('-'); dash !== -1;) {
    const mention = mayBeId(text, dash) ? idAround(text, dash) : null
    if (mention === null) {
      dash = text.indexOf('-', dash + 1)
      continue
    }
    visit(mention)
    const end = eachPartner(text, mention, visit)
    dash = text.indexOf('-', end)
  }
}

/** The ids of a text as a list. */
export function idsIn(text: string): readonly Mention[] {
  const mentions: Mention[] = []
  eachId(text, (mention) => mentions.push(mention))
  return mentions
}

/** The id that starts exactly at `start`, or null. */
export function idAt(text: string, start: number): Mention | null {
  const kind = kindAt(text, start)
  return kind === null ? null : idAround(text, start + kind.length)
}

/** Between the last letter of FINDING, GAP or ET and a digit: rare enough to look closer. */
function mayBeId(text: string, dash: number): boolean {
  const last = text.charCodeAt(dash - 1)
  return (last === 0x47 || last === 0x50 || last === 0x54) && isDigit(text.charCodeAt(dash + 1))
}

const KINDS: readonly IdKind[] = ['FINDING', 'GAP', 'ET']

function kindAt(text: string, start: number): IdKind | null {
  return KINDS.find((kind) => text.startsWith(kind, start)) ?? null
}

function idAround(text: string, dash: number): Mention | null {
  const kind = KINDS.find((name) => text.startsWith(name, dash - name.length))
  if (kind === undefined || text[dash] !== '-') return null
  const start = dash - kind.length
  const end = digitsEnd(text, dash + 1)
  if (end === dash + 1 || joinsBefore(text, start) || joinsAfter(text, end)) return null
  return { kind, id: text.slice(start, end), start, end }
}

function digitsEnd(text: string, from: number): number {
  let end = from
  while (isDigit(text.charCodeAt(end))) end += 1
  return end
}

/** `MY_FINDING-1` and `QA-FINDING-1` are longer words; `_FINDING-1_` is emphasis. */
function joinsBefore(text: string, start: number): boolean {
  let at = start
  if (text[at - 1] === '-') return isWordBefore(text, at - 1)
  while (text[at - 1] === '_') at -= 1
  return isWordBefore(text, at)
}

function joinsAfter(text: string, end: number): boolean {
  let at = end
  if (text[at] === '-')
    return isWordAt(text, at + 1) && rangeEnd(text, end, digitsBefore(text, end)) === -1
  while (text[at] === '_') at += 1
  return isWordAt(text, at)
}

function digitsBefore(text: string, end: number): number {
  let start = end
  while (isDigit(text.charCodeAt(start - 1))) start -= 1
  return end - start
}

/** Visits the ids that `/018` or `..003` adds to a mention; gives the offset behind the last. */
function eachPartner(text: string, first: Mention, visit: (mention: Mention) => void): number {
  const width = first.end - first.start - first.kind.length - 1
  let end = first.end
  for (;;) {
    const partnerEnd =
      text[end] === '/' ? partEnd(text, end + 1, width) : rangeEnd(text, end, width)
    if (partnerEnd === -1) return end
    const start = partnerEnd - width
    visit({
      kind: first.kind,
      id: `${first.kind}-${text.slice(start, partnerEnd)}`,
      start,
      end: partnerEnd,
    })
    end = partnerEnd
  }
}

const RANGE_MARKS = ['...', '..', '–', '—', '-'] as const

function rangeEnd(text: string, end: number, width: number): number {
  const mark = RANGE_MARKS.find((candidate) => text.startsWith(candidate, end))
  return mark === undefined ? -1 : partEnd(text, end + mark.length, width)
}

function partEnd(text: string, start: number, width: number): number {
  const end = digitsEnd(text, start)
  return end - start === width && !isWordAt(text, end) ? end : -1
}
