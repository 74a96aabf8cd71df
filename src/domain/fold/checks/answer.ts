import type { Sentence } from '../sentences/sentences.ts'
import { placeOf, sectionOf, type Facts } from './facts.ts'
import type { Issue } from './verdict.ts'

/** Every sentence of section 2 names a finding that exists, or is directly followed by one. */
export function* sentencesCiteFindings({ findings, fold, sentences }: Facts): Iterable<Issue> {
  if (sentences.length === 0) {
    if (sectionOf(fold, 2) !== null)
      yield {
        code: 'answer_empty',
        message: 'The decision-ready answer has no sentence.',
        ...placeOf(fold, 2),
        hint: 'Answer the DECISION_TARGET, with a finding behind each clause.',
      }
    return
  }
  const cited = new Set<string>()
  for (const { ids } of sentences) for (const { id } of ids) cited.add(id)
  const hint = hintFrom(findings.findings.keys(), cited)
  for (const sentence of sentences) {
    if (sentence.ids.some(({ id }) => findings.findings.has(id))) continue
    const { line, column } = sentence
    yield { ...faultOf(sentence), line, column, hint }
  }
}

function faultOf({ text, ids }: Sentence): Pick<Issue, 'code' | 'message' | 'id'> {
  const quoted = quote(text)
  const unknown = ids.find(({ kind }) => kind === 'FINDING')
  if (unknown !== undefined)
    return {
      code: 'citation_unknown',
      message: `${unknown.id} is not in findings.md, and this sentence cites nothing else: ${quoted}`,
      id: unknown.id,
    }
  const gap = ids.find(({ kind }) => kind === 'GAP')
  if (gap !== undefined)
    return {
      code: 'cites_only_gap',
      message: `A gap is no evidence, and this sentence cites only ${gap.id}: ${quoted}`,
      id: gap.id,
    }
  return { code: 'sentence_uncited', message: `No finding behind this sentence: ${quoted}` }
}

const QUOTED_CHARACTERS = 80
const NAMED_FINDINGS = 10

/** The start of a sentence on one line; never half a surrogate pair. */
function quote(text: string): string {
  const line = text.slice(0, QUOTED_CHARACTERS + 1).replaceAll('\n', ' ')
  if (line.length <= QUOTED_CHARACTERS) return `"${line}"`
  return `"${line
    .slice(0, QUOTED_CHARACTERS)
    .toWellFormed()
    .replace(/\ufffd$/, '')}…"`
}

function hintFrom(findings: Iterable<string>, cited: ReadonlySet<string>): string {
  const free: string[] = []
  for (const id of findings) {
    if (cited.has(id)) continue
    if (free.length === NAMED_FINDINGS) {
      free.push('…')
      break
    }
    free.push(id)
  }
  const named = free.length === 0 ? '' : ` Not cited yet: ${free.join(', ')}.`
  return `Put the finding that shows it in brackets behind it, or leave the sentence out.${named}`
}
