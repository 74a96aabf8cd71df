import { fromMarkdown } from 'mdast-util-from-markdown'
import { validateFold } from '../../src/domain/fold/judge/validate.ts'
import { FINDINGS, FOLD, MISSION } from '../support/fold-case.ts'
import { type Bench, median, milliseconds, type Row } from './paired.ts'

const MIB = 1024 * 1024
// Counting tokens has a bench of its own.
const count = (): number => 1500

/** A findings.md of that length, in the book's form: about 2,600 records a mebibyte. */
function findingsOf(length: number): string {
  let text = '# FINDINGS\n'
  for (let number = 1; text.length < length; number++)
    text += `
## FINDING-${number}

\`\`\`yaml
id: FINDING-${number}
claim: |
  The job ${number} writes to refunds, and checks the limit before it pays out.
evidence:
  - path: app/jobs/pay_refund_${number}.rb
    lines: ${number}-${number + 9}
    excerpt_ref: memex://excerpt/${String(number).padStart(64, '0')}
confidence: H
supports_decision: DT-1
\`\`\`
`
  return text
}

const families: Readonly<Record<string, (length: number) => string>> = {
  'one long word': (length) => 'a'.repeat(length),
  'one long line of sentences': (length) => 'It is so. '.repeat(length / 10),
  'nested lists': (length) => '- a\n  - b\n    - c\n      - d\n'.repeat(length / 28),
  'thousands of ids': (length) =>
    Array.from({ length: length / 24 }, (_, id) => `FINDING-${id} GAP-${id} `).join(''),
  'index lines': (length) =>
    Array.from({ length: length / 32 }, (_, id) => `FINDING-${id} | H | a/b.rb:${id}\n`).join(''),
  backticks: (length) => '`` ` '.repeat(length / 5),
  'open brackets': (length) => '[('.repeat(length / 2),
  'closed brackets': (length) => '(['.repeat(length / 4) + '])'.repeat(length / 4),
  spaces: (length) => ' '.repeat(length),
  'open comments': (length) => '<!-- '.repeat(length / 5),
  fences: (length) => '```\n~~~\n'.repeat(length / 8),
  citations: (length) => '[FINDING-017].'.repeat(length / 14),
  'citations between stops': (length) => '[FINDING-017]..'.repeat(length / 15),
  exclamations: (length) => 'a![FINDING-017]'.repeat(length / 15),
  questions: (length) => 'a?[FINDING-017]'.repeat(length / 15),
}

const judge = (findings_md: string, fold_md: string) =>
  validateFold({ mission_md: MISSION, findings_md, fold_md, count })

const inAllSections = (text: string): string => FOLD.replaceAll('\n\n## ', `\n${text}\n\n## `)

/** The median ratio of pairs that run one after the other. */
const pairedRatio = (above: () => unknown, below: () => unknown, pairs = 5): number =>
  median(Array.from({ length: pairs }, () => milliseconds(above) / milliseconds(below)))

// Issue 4: a verdict takes time linear in its documents.
export const folding: Bench = {
  title: 'Judging a fold: a mebibyte of findings in a few passes, twice the text in twice the time',
  async run() {
    const findings = findingsOf(MIB)
    const own = () => judge(findings, FOLD)
    own()
    const pass = () => {
      let sum = 0
      for (let index = 0; index < findings.length; index++) sum += findings.charCodeAt(index)
      return sum
    }
    pass()
    const scan = () => {
      let ids = 0
      for (
        let at = findings.indexOf('FINDING-');
        at !== -1;
        at = findings.indexOf('FINDING-', at + 1)
      )
        ids += 1
      return ids
    }
    const passes = pairedRatio(own, () => repeat(pass, 10)) * 10
    const scans = pairedRatio(own, () => repeat(scan, 100)) * 100
    const rows: Row[] = [
      {
        name: `1 MiB of findings: ${passes.toFixed(1)} passes over its units; of 60 at most`,
        ratio: 60 / passes,
        goal: 1,
      },
      {
        name: `1 MiB of findings: ${scans.toFixed(0)} indexOf scans for its ids; of 1,000 at most`,
        ratio: 1000 / scans,
        goal: 1,
      },
      {
        name: '1 MiB of findings: times as fast as an mdast parse of it',
        ratio: pairedRatio(() => fromMarkdown(findings), own, 1),
        goal: 4,
      },
      { name: '1 MiB of findings: parts of a second', ratio: 1000 / milliseconds(own), goal: 4 },
    ]
    for (const [name, write] of Object.entries(families)) {
      const [small, large] = [write(MIB / 8), write(MIB / 4)]
      const once = () => judge(FINDINGS + small, inAllSections(small))
      const twice = () => judge(FINDINGS + large, inAllSections(large))
      once()
      const ratio = pairedRatio(twice, once)
      rows.push({
        name: `${name}: ${ratio.toFixed(2)} times the time for twice as many; of 2.6 at most`,
        ratio: 2.6 / ratio,
        goal: 1,
      })
    }
    return rows
  },
}

function repeat(work: () => unknown, times: number): void {
  for (let index = 0; index < times; index++) work()
}
