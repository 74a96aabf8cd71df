import { headingIn, isRule, type Heading } from './headings.ts'
import { itemOf, skipBlanks } from './items.ts'
import { firstVisible, type Line } from './lines.ts'
import { BLANKS, find, skip } from './unit-sets.ts'

/** Lines of prose that belong together, joined by line breaks. */
export interface Paragraph {
  readonly text: string
  /** Where each of its lines begins in `text`, and where that is in the document. */
  readonly parts: readonly {
    readonly offset: number
    readonly line: number
    readonly column: number
  }[]
}

/** The paragraphs of prose lines (rule 1 of the sentence rule). */
export function paragraphsOf(lines: readonly Line[]): readonly Paragraph[] {
  const paragraphs: Paragraph[] = []
  let texts: string[] = []
  let parts: { offset: number; line: number; column: number }[] = []
  let length = 0
  const end = (): void => {
    if (texts.length > 0) paragraphs.push({ text: texts.join('\n'), parts })
    texts = []
    parts = []
    length = 0
  }
  for (const line of lines) {
    if (line.after_blank) end()
    if (line.place === 'fence' || isRule(line.text)) {
      end()
      continue
    }
    const heading = headingIn(line.text)
    const unquoted = heading === null ? behindQuotes(line.text) : titleStart(line.text, heading)
    if (unquoted === line.text.length || (heading !== null && claimsNothing(heading))) {
      end()
      continue
    }
    const item = itemOf(line.text.slice(unquoted))
    const alone = heading !== null || line.text[unquoted] === '|'
    if (item !== null || alone) end()
    const start = unquoted + (item?.text ?? 0)
    const text = line.text.slice(start)
    texts.push(text)
    parts.push({ offset: length, line: line.number, column: start + 1 })
    length += text.length + 1
    if (alone) end()
  }
  end()
  return paragraphs
}

/** Whether a heading is a name of at most two words (`### Summary`), or one question and nothing else. */
function claimsNothing({ title }: Heading): boolean {
  const blank = find(title, 0, BLANKS)
  const second = skip(title, blank, BLANKS)
  if (find(title, second, BLANKS) === title.length && !isStated(title)) return true
  if (!title.endsWith('?') && !title.endsWith('？')) return false
  const start = itemOf(title)?.text ?? 0
  return STATEMENT_ENDS.every((end) => title.indexOf(end, start) === -1)
}

/** Whether a text ends as a statement does. */
const isStated = (text: string): boolean => '.!。！'.includes(text.at(-1) ?? ' ')

const STATEMENT_ENDS = ['. ', '! ', '。', '！'] as const

const titleStart = (text: string, { column, level }: Heading): number =>
  skipBlanks(text, column - 1 + level)

/** Behind the `>` marks and blanks that begin a line. */
function behindQuotes(text: string): number {
  let index = firstVisible(text)
  while (text[index] === '>') {
    index += 1
    while (text[index] === ' ' || text[index] === '\t') index += 1
  }
  return index
}
