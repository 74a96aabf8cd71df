import { harmless } from '../../terminal.ts'
import type { Check, Issue, Verdict } from '../checks/verdict.ts'
import { ANSWER_LIMIT_TOKENS, FOLD_LIMIT_TOKENS } from '../documents/contract.ts'
import { normalizeDocument } from '../markdown/lines.ts'

/**
 * A verdict for people: the checks, and each issue with its source line and a caret below its column.
 * What documents say is shown harmless: control and direction characters are replaced.
 */
export function renderVerdict(verdict: Verdict, foldName: string, foldSource: string): string {
  const lines = normalizeDocument(foldSource).split('\n')
  const failed = verdict.checks.filter(({ passed }) => !passed)
  const blocks = failed.flatMap((check) => [
    headline(check),
    ...check.issues.map((issue) => issueBlock(issue, foldName, lines[issue.line - 1] ?? '')),
  ])
  const warnings = verdict.warnings.map(({ code, message }) => `warning ${code}: ${message}`)
  return [...blocks, ...warnings, summary(verdict, foldName, failed.length)]
    .map(harmless)
    .join('\n')
}

const headline = ({ id, contract }: Check): string => `${id}${contract ? ' (contract)' : ''}`

function issueBlock(issue: Issue, foldName: string, line: string): string {
  const { text, caret } = excerptOf(line, issue.column)
  const number = String(issue.line)
  const margin = ' '.repeat(number.length)
  return [
    `  ${foldName}:${issue.line}:${issue.column}: ${issue.message} [${issue.code}]`,
    `    ${number} | ${text}`.trimEnd(),
    `    ${margin} | ${caret}`,
    `    ${margin} = ${issue.hint}`,
    '',
  ].join('\n')
}

function summary(
  { accepted, checks, counts, tokens, fold_ratio }: Verdict,
  name: string,
  failed: number,
): string {
  const { findings, gaps, triggers, sentences } = counts
  const ratio = fold_ratio === undefined ? '' : `, fold_ratio ${Number(fold_ratio.toPrecision(3))}`
  return [
    `${name}: ${accepted ? 'accepted' : `rejected, ${failed} of ${checks.length} checks failed`}`,
    `${findings} findings, ${gaps} gaps, ${triggers} triggers, ${sentences} sentences; ` +
      `answer ${shown(tokens.answer, ANSWER_LIMIT_TOKENS)}, fold ${shown(tokens.fold, FOLD_LIMIT_TOKENS)} tokens${ratio}`,
  ].join('\n')
}

const shown = (tokens: number | null, limit: number): string =>
  `${tokens ?? `over ${limit}`} of ${limit}`

const SHOWN_COLUMNS = 100
const BEFORE_CARET = 60

/** The part of a line around a column, and a caret under that column of it. */
function excerptOf(
  line: string,
  column: number,
): { readonly text: string; readonly caret: string } {
  const at = column - 1
  const cut = line.length > SHOWN_COLUMNS && at > BEFORE_CARET ? at - BEFORE_CARET : 0
  const part = line.slice(cut, cut + SHOWN_COLUMNS)
  const head = cut > 0 ? '…' : ''
  const tail = cut + SHOWN_COLUMNS < line.length ? '…' : ''
  return { text: head + part + tail, caret: `${blanksFor(head + line.slice(cut, at))}^` }
}

/** Blanks as wide as a text: tabs stay tabs, and what is drawn two columns wide takes two. */
function blanksFor(text: string): string {
  let blanks = ''
  for (const character of text) blanks += character === '\t' ? '\t' : isWide(character) ? '  ' : ' '
  return blanks
}

function isWide(character: string): boolean {
  const code = character.codePointAt(0) ?? 0
  return (
    (code >= 0x1100 && code <= 0x115f) ||
    (code >= 0x2e80 && code <= 0xa4cf) ||
    (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xff01 && code <= 0xff60) ||
    code >= 0x1f300
  )
}
