import { describe, expect, it } from 'vitest'
import type { FoldInput } from '../../../src/domain/fold/judge/validate.ts'
import { FINDINGS, FOLD, judge, MISSION, withChange } from '../../support/fold-case.ts'

/** Texts that make a careless scanner look at the same units again and again. */
const FAMILIES: Readonly<Record<string, (units: number) => string>> = {
  'one long word': (units) => 'a'.repeat(units),
  'one long line of sentences': (units) => 'It is so. '.repeat(units / 10),
  'nested lists': (units) =>
    Array.from({ length: units / 12 }, (_, depth) => `${' '.repeat(depth % 16)}- x\n`).join(''),
  'thousands of ids': (units) =>
    Array.from({ length: units / 24 }, (_, number) => `FINDING-${number} GAP-${number} `).join(''),
  'thousands of index lines': (units) =>
    Array.from(
      { length: units / 32 },
      (_, number) => `FINDING-${number} | H | a/b.rb:${number}\n`,
    ).join(''),
  'backticks of every length': (units) => {
    let text = ''
    for (let length = 1; text.length < units; length++) text += `${'`'.repeat(length)} `
    return text
  },
  'open brackets': (units) => '[('.repeat(units / 2),
  'closed brackets': (units) => '(['.repeat(units / 4) + '])'.repeat(units / 4),
  spaces: (units) => ' '.repeat(units),
  'blank lines': (units) => '\r\n'.repeat(units / 2),
  'open comments': (units) => '<!-- '.repeat(units / 5),
  'closed comments': (units) => '`<!--` <!-- -->\n'.repeat(units / 16),
  'full stops': (units) => '. '.repeat(units / 2),
  'ellipses and method names': (units) => 'a_b? … '.repeat(units / 7),
  'citations without end': (units) => `a_b? ${'[FINDING-017].'.repeat(units / 14)}`,
  'citations alone': (units) => '[FINDING-017].'.repeat(units / 14),
  'exclamations without blanks': (units) => 'a![FINDING-017]'.repeat(units / 15),
  'questions without blanks': (units) => 'a?[FINDING-017]'.repeat(units / 15),
  'citations between stops': (units) =>
    `${'[FINDING-017]..'.repeat(units / 15)} ${'( '.repeat(units / 2)}a`,
  'an id of many digits': (units) => `FINDING-${'1'.repeat(units)}`,
  'an id with many partners': (units) => `FINDING-1${'/1'.repeat(units / 2)}`,
  'ids that are none': (units) => 'FINDING-1-FINDING-1_'.repeat(units / 20),
  bars: (units) => `FINDING-017 ${'| '.repeat(units / 2)}`,
  'quote marks': (units) => '> '.repeat(units / 2),
  hashes: (units) => '#'.repeat(units),
  underscores: (units) => '_'.repeat(units),
  paths: (units) => 'a/b.rb:1:1,'.repeat(units / 11),
  refs: (units) => 'memex://excerpt/a '.repeat(units / 18),
  'yaml records': (units) =>
    Array.from(
      { length: units / 96 },
      (_, number) =>
        `- id: FINDING-${number}\n  claim: |\n    x\n  evidence:\n    - {path: a.rb, lines: ${number}}\n  confidence: H\n`,
    ).join(''),
  'ruled out lines': (units) =>
    Array.from(
      { length: units / 44 },
      (_, number) => `FINDING-021 | M | lib${number}/** (ruled_out)\n`,
    ).join(''),
  timestamps: (units) => 'ET-1 2026-11-30T09:12:00Z\n'.repeat(units / 26),
  fences: (units) => '```\n~~~\n'.repeat(units / 8),
  rules: (units) => '=\n-\n'.repeat(units / 4),
  'bold labels': (units) => '**a:** b\n'.repeat(units / 9),
  globs: (units) => '{a,b}/**,'.repeat(units / 9),
}

const PLACES: Readonly<Record<string, (text: string) => Partial<FoldInput>>> = {
  'the header': (text) => ({ fold_md: withChange(FOLD, 'STATUS:', `${text}\nSTATUS:`) }),
  'the answer': (text) => ({ fold_md: withChange(FOLD, 'It delegates', `${text}\nIt delegates`) }),
  'the index': (text) => ({ fold_md: withChange(FOLD, '\n\n## 4.', `\n${text}\n\n## 4.`) }),
  'the gaps': (text) => ({ fold_md: withChange(FOLD, 'GAP-003 —', `${text}\nGAP-003 —`) }),
  'the log': (text) => ({ fold_md: `${FOLD}${text}\n` }),
  'a record': (text) => ({
    findings_md: withChange(FINDINGS, 'ruled_out:\n', `ruled_out:\n  - ${text}\n`),
  }),
  'findings.md': (text) => ({ findings_md: `${FINDINGS}\n${text}` }),
  'the scope': (text) => ({
    mission_md: withChange(MISSION, 'app/jobs/**\n', `app/jobs/**\n${text}\n`),
  }),
  'mission.md': (text) => ({ mission_md: `${MISSION}\n${text}` }),
  'all three': (text) => ({ mission_md: text, findings_md: text, fold_md: text }),
}

const searched = (text: string, found: unknown, [, from = 0]: readonly unknown[]): number =>
  (found === -1 || found === false ? text.length : Number(found)) - Number(from)

/** What a call of a string method costs, in units that it looks at or copies. */
const COSTS: Readonly<
  Record<string, (text: string, found: unknown, rest: readonly unknown[]) => number>
> = {
  charCodeAt: () => 1,
  startsWith: () => 1,
  indexOf: searched,
  includes: searched,
  lastIndexOf: (text) => text.length,
  slice: (_text, part) => 1 + String(part).length / 8,
}

/** The work of a call, counted and not timed: the string methods count while it runs. */
function workOf(run: () => void): number {
  let work = 0
  const originals = Object.keys(COSTS).map(
    (name) => [name, Reflect.get(String.prototype, name)] as const,
  )
  for (const [name, original] of originals) {
    const cost = COSTS[name] ?? (() => 0)
    Reflect.set(String.prototype, name, function (this: string, ...rest: unknown[]) {
      const found: unknown = Reflect.apply(original, this, rest)
      work += cost(this, found, rest)
      return found
    })
  }
  try {
    run()
  } finally {
    for (const [name, original] of originals) Reflect.set(String.prototype, name, original)
  }
  return work
}

describe('validateFold', () => {
  it.each(Object.keys(FAMILIES))(
    'does at most 2.2 times the work for twice as many %s',
    (family) => {
      const write = FAMILIES[family] ?? String
      const steep: string[] = []
      for (const [place, put] of Object.entries(PLACES)) {
        const work = (units: number) => {
          const documents = put(write(units))
          return workOf(() => judge({ ...documents, count: () => 1 }))
        }
        const ratio = work(1 << 13) / work(1 << 12)
        if (ratio > 2.2) steep.push(`${place}: ${ratio.toFixed(2)}`)
      }
      expect(steep).toEqual([])
    },
  )
})
