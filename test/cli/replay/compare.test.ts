import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { loadTokens } from '../../../src/cli/count-tokens.ts'
import { compare, comparisonTable, POLICIES } from '../../../src/cli/replay/compare.ts'
import { segmentsOf } from '../../../src/cli/replay/segments.ts'
import { readSessions, sessionOf } from '../../../src/cli/replay/session.ts'
import { corpusFile, hasCorpus, withoutCorpus } from '../../support/corpus.ts'
import { foldex, ROOT } from '../foldex.ts'

const words = (text: string): number => text.split(/\s+/).filter((word) => word !== '').length

const turn = (id: string, output: string) => [
  { role: 'assistant', content: [{ type: 'tool_use', id, name: 'ls', input: {} }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: output }] },
]
const messages = [
  { role: 'user', content: 'please look' },
  ...turn('a', 'one two three'),
  ...turn('b', 'four'),
  { role: 'assistant', content: 'done' },
]

describe('segmentsOf', () => {
  it('counts what each call sent, with a tool output as one segment', () => {
    const session = sessionOf({ system: 'be kind', messages }, 's', new Map())
    const { segments, calls } = segmentsOf(session, words)
    expect(calls).toHaveLength(3)
    const sent = (call: number) =>
      segments.slice(0, calls[call]).reduce((total, { tokens }) => total + tokens, 0)
    // Instructions and task; then a call (its name and input) and its output; then another.
    expect([sent(0), sent(1), sent(2)]).toEqual([4, 9, 12])
    expect(segments.flatMap(({ result }) => (result === undefined ? [] : [result.bytes]))).toEqual([
      13, 4,
    ])
  })
})

describe.skipIf(!hasCorpus)(`compare, on the coding session${withoutCorpus}`, async () => {
  const file = hasCorpus ? corpusFile('anthropic-coding-session.json') : ''
  const sessions = hasCorpus ? await readSessions(file) : []
  const count = await loadTokens()
  const rowsWith = (keep: number) => compare(file, sessions, POLICIES, { keep }, count).rows
  const kept3 = rowsWith(3)
  const kept10 = rowsWith(10)

  it('finds break_even cheaper than what others do, and close to masking for free', () => {
    for (const [rows, most] of [
      [kept3, 1.06],
      [kept10, 1.1],
    ] as const) {
      const cost = (name: string) => rows.find(({ policy }) => policy === name)?.cached ?? NaN
      expect(rows.map(({ policy }) => policy)).toEqual(['raw', ...POLICIES, 'bound'])
      expect(cost('break_even')).toBeLessThanOrEqual(most * cost('bound'))
      for (const other of ['percent', 'always', 'anthropic', 'last-10', 'raw'])
        expect(cost('break_even')).toBeLessThan(cost(other))
    }
  })

  it('finds the shares of raw that the README shows, in its table and as bars', () => {
    const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')
    const share = (rows: typeof kept3, name: string) =>
      rows.find(({ policy }) => policy === name)?.share_of_raw.toFixed(3) ?? ''
    for (const [policy, inTable, inBars] of [
      ['break_even', '`break_even`', 'break_even'],
      ['always', '`always`', 'always'],
      ['anthropic', 'clear at 100,000 tokens', 'clear 100k'],
      ['last-10', 'last 10, every turn', 'last 10'],
      ['percent', '`percent`', 'percent'],
      ['bound', 'bound', null],
    ] as const) {
      const cells = [inTable.padEnd(23), share(kept3, policy).padEnd(6), share(kept10, policy)]
      expect(readme).toContain(`| ${cells.join(' | ')}   |\n`)
      if (inBars === null) continue
      const bar = barOf(Number(share(kept3, policy))).padEnd(50)
      expect(readme).toContain(`  ${inBars.padEnd(10)}  ${bar}${share(kept3, policy)}\n`)
    }
  })
})

/** 50 columns are all of raw; the last block is cut to an eighth. */
function barOf(share: number): string {
  const eighths = Math.round(share * 400)
  return '█'.repeat(Math.floor(eighths / 8)) + ' ▏▎▍▌▋▊▉'.charAt(eighths % 8).trim()
}

describe('compare', () => {
  it('shows raw first and the bound last', () => {
    const session = sessionOf({ messages }, 's', new Map())
    const table = comparisonTable(compare('f', [session], ['always'], { keep: 0 }, words))
    expect(table).toMatch(/^ {2}raw .*\n {2}always .*\n {2}bound /m)
    expect(table).toContain('3 calls, 2 outputs, keep 0')
  })
})

describe('foldex replay --policy', () => {
  it('compares without a Worker, and refuses a policy it does not know', async () => {
    const run = (...args: readonly string[]) =>
      foldex(['replay', '-', ...args], { input: JSON.stringify({ messages }) })
    const all = await run('--policy', 'all', '--json')
    expect([all.code, all.stderr]).toEqual([0, ''])
    expect(JSON.parse(all.stdout).rows).toHaveLength(7)
    const two = await run('--policy', 'last-10', 'percent', '--json')
    const names = JSON.parse(two.stdout).rows.map(({ policy }: { policy: string }) => policy)
    expect(names).toEqual(['raw', 'percent', 'last-10', 'bound'])
    const unknown = await run('--policy', 'newest')
    expect([unknown.code, unknown.stdout]).toEqual([1, ''])
  })
  it('takes a large session from a pipe that is still being written', async () => {
    const large = JSON.stringify([...messages, ...turn('c', 'word '.repeat(200_000))])
    const script = `(sleep 1; cat) | ${process.execPath} ${join(ROOT, 'src/cli/foldex.ts')} replay - --policy always --json`
    const child = spawn('bash', ['-c', script], { stdio: ['pipe', 'pipe', 'inherit'] })
    child.stdin.end(large)
    expect(JSON.parse(await text(child.stdout))).toMatchObject({ file: '-', results: 3 })
  })
})
