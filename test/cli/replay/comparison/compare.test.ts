import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { loadTokens } from '../../../../src/cli/count-tokens.ts'
import { compare } from '../../../../src/cli/replay/comparison/compare.ts'
import type { Compared } from '../../../../src/cli/replay/comparison/compare.ts'
import { POLICIES } from '../../../../src/cli/replay/comparison/schedules.ts'
import { bars, comparisonTable } from '../../../../src/cli/replay/comparison/table.ts'
import { readSessions, sessionOf } from '../../../../src/cli/replay/session.ts'
import { corpusFile, hasCorpus, withoutCorpus } from '../../../support/corpus.ts'
import { foldex, ROOT } from '../../foldex.ts'

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

describe.skipIf(!hasCorpus)(`compare, on real sessions${withoutCorpus}`, async () => {
  const count = await loadTokens()
  const of = async (file: string, keep: number) => {
    const path = corpusFile(file)
    return compare(file, await readSessions(path), POLICIES, { keep }, count)
  }
  const corpus = hasCorpus
    ? {
        coding: await of('anthropic-coding-session.json', 3),
        coding10: await of('anthropic-coding-session.json', 10),
        airline: await of('openai-airline-sessions.json', 3),
        marshmallow: await of('swe-agent-marshmallow-1867.traj', 3),
      }
    : null
  const row = (of: keyof NonNullable<typeof corpus>, name: string): Compared => {
    const { bound, rows } = corpus?.[of] ?? { bound: undefined, rows: [] }
    const found = [...rows, bound].find((one) => one?.policy === name)
    if (found === undefined) throw new Error(`there is no row ${name}`)
    return found
  }
  const share = (of: keyof NonNullable<typeof corpus>, name: string): string =>
    row(of, name).share_of_raw.toFixed(3)

  it.each([
    ['coding', 0.578, 0.568],
    ['coding10', 0.612, 0.594],
    ['airline', 0.991, 0.976],
    ['marshmallow', 0.904, 0.904],
  ] as const)('finds on %s what break_even reaches, and what was reachable', (of, ours, best) => {
    expect(Math.abs(row(of, 'break_even').share_of_raw - ours)).toBeLessThanOrEqual(0.002)
    expect(Math.abs(row(of, 'hindsight').share_of_raw - best)).toBeLessThanOrEqual(0.002)
  })

  it('finds no session in which break_even costs a tenth more than raw', () => {
    expect(Math.abs(row('airline', 'break_even').worst_session - 1.07)).toBeLessThanOrEqual(0.002)
    expect(row('airline', 'hindsight').worst_session).toBeLessThanOrEqual(1)
    expect(row('airline', 'always').worst_session).toBeGreaterThan(1.5)
  })

  it('finds break_even cheaper than all others on a long session', () => {
    for (const of of ['coding', 'coding10'] as const)
      for (const other of ['percent', 'always', 'anthropic', 'last-10', 'raw'])
        expect(row(of, 'break_even').cached).toBeLessThan(row(of, other).cached)
  })

  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')
  const tableRow = (...cells: readonly string[]): RegExp =>
    new RegExp(`^ *\\|${cells.map((cell) => ` ${cell} *`).join('\\|')}\\|$`, 'm')

  it.each(['break_even', 'always', 'anthropic', 'last-10', 'percent', 'hindsight'])(
    'finds for %s the shares of raw that the README shows',
    (policy) => {
      const name = `\`${policy}\`[^|]*`
      expect(readme).toMatch(tableRow(name, share('coding', policy), share('coding10', policy)))
      const worst = row('airline', policy).worst_session.toFixed(3)
      expect(readme).toMatch(
        tableRow(name, share('airline', policy), worst, share('marshmallow', policy)),
      )
    },
  )

  it('draws the bars that the README shows, and names its bound', () => {
    const drawn = corpus === null ? [] : bars(corpus.coding)
    expect(readme).toContain(drawn.map((line) => `${line}\n`).join(''))
    expect(readme).toContain(`${share('coding', 'bound')} (keep 10: ${share('coding10', 'bound')})`)
  })
})

describe('compare', () => {
  it('shows raw first and hindsight last, and the bound below', async () => {
    const session = sessionOf({ messages }, 's', new Map())
    const one = comparisonTable(await compare('f', [session], ['always'], { keep: 0 }, words))
    expect(one).toMatch(/^ {2}raw .*\n {2}always .*\n {2}hindsight .*\n\n/m)
    expect(one).toContain('on f, 3 calls, 2 outputs, keep 0')
    expect(one).not.toContain('worst session')
    expect(one).toMatch(/nothing can reach, would cost [01]\.\d{3} of raw\.\n$/)
    const two = comparisonTable(await compare('f', [session, session], [], {}, words))
    expect(two).toContain('on f, 2 sessions, 6 calls, 4 outputs, keep 3')
    expect(two).toMatch(/of raw +worst session +masked/)
  })

  it('draws the longest bar over 50 columns, the others to scale', async () => {
    const session = sessionOf({ messages }, 's', new Map())
    const comparison = await compare('f', [session], [], {}, words)
    const of = (policy: string, share_of_raw: number): Compared => ({
      ...comparison.bound,
      policy,
      share_of_raw,
    })
    expect(bars({ ...comparison, rows: [of('raw', 1), of('p', 2), of('q', 0.015)] })).toEqual([
      `  raw         ${'█'.repeat(25)}${' '.repeat(25)} 1.000`,
      `  p           ${'█'.repeat(50)} 2.000`,
      `  q           ▍${' '.repeat(49)} 0.015`,
    ])
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
    expect(names).toEqual(['raw', 'percent', 'last-10', 'hindsight'])
    const unknown = await run('--policy', 'newest')
    expect([unknown.code, unknown.stdout]).toEqual([1, ''])
    const endless = await run('--policy', 'all', '--keep', '999999')
    expect([endless.code, endless.stderr.includes('More than a policy can keep')]).toEqual([
      1,
      true,
    ])
  })
  it('takes a large session from a pipe that is still being written', async () => {
    const large = JSON.stringify([...messages, ...turn('c', 'word '.repeat(200_000))])
    const script = `(sleep 1; cat) | ${process.execPath} ${join(ROOT, 'src/cli/foldex.ts')} replay - --policy always --json`
    const child = spawn('bash', ['-c', script], { stdio: ['pipe', 'pipe', 'inherit'] })
    child.stdin.end(large)
    expect(JSON.parse(await text(child.stdout))).toMatchObject({ file: '-', results: 3 })
  })
})
