import { SECTION_NUMBERS, SECTION_TITLES } from '../documents/contract.ts'
import { placeOf, sectionOf, type Facts } from './facts.ts'
import type { Issue, Warning } from './verdict.ts'

/** The five sections, once each, in order, and no other beside them. */
export function* sectionsInOrder({ fold }: Facts): Iterable<Issue> {
  if (fold.fenced !== null) {
    yield {
      code: 'fold_fenced',
      message: 'The fold stands in a fence as a whole: all of it is code, and no section is read.',
      ...fold.fenced,
      hint: FENCED_HINT,
    }
    return
  }
  for (const number of SECTION_NUMBERS)
    if (sectionOf(fold, number) === null)
      yield {
        code: 'section_missing',
        message: `Section ${titled(number)} is missing.`,
        ...placeOf(fold, number),
        id: String(number),
        hint: `Give it a heading of its own: "## ${titled(number)}".`,
      }
  let last = 0
  const seen = new Set<number>()
  for (const { number, heading } of fold.sections) {
    const place = { ...heading, id: String(number) }
    if (seen.has(number))
      yield {
        code: 'section_repeated',
        message: `Section ${titled(number)} stands here a second time.`,
        ...place,
        hint: 'Each section stands once.',
      }
    else if (number < last)
      yield {
        code: 'section_out_of_order',
        message: `Section ${titled(number)} stands behind section ${last}.`,
        ...place,
        hint: `The order is ${SECTION_NUMBERS.map(titled).join(', ')}.`,
      }
    seen.add(number)
    last = Math.max(last, number)
  }
  for (const { line, column, title } of fold.strays)
    yield {
      code: 'section_unknown',
      message: `"${title.slice(0, 80)}" is not a section of a fold.`,
      line,
      column,
      hint: 'A fold has five sections; a heading inside one must be deeper than theirs.',
    }
  if (fold.open_fence !== null)
    yield {
      code: 'fence_unclosed',
      message: 'This fence is never closed: all that follows is code.',
      ...fold.open_fence,
      hint: 'Close it with as many marks on a line of their own.',
    }
  if (fold.open_comment !== null)
    yield {
      code: 'comment_unclosed',
      message: 'This comment is never closed: all that follows is hidden.',
      ...fold.open_comment,
      hint: 'Close it with -->.',
    }
}

/** What mends every issue of a fold that stands in a fence. */
export const FENCED_HINT = 'Take away the lines that open and close the fence around the fold.'

export function* preambleWarnings({ fold }: Facts): Iterable<Warning> {
  if (fold.preamble !== null && fold.sections.length > 0)
    yield {
      code: 'text_before_sections',
      message: `fold.md line ${fold.preamble.line}: text above section 1 belongs to none of the sections.`,
    }
}

const titled = (number: (typeof SECTION_NUMBERS)[number]): string =>
  `${number}. ${SECTION_TITLES[number]}`
