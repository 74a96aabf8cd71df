import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { emptyFolder, foldex, ROOT } from './foldex.ts'
import type { FoldexOptions } from './foldex.ts'
import { startLocalWorker } from './local-worker.ts'
import type { Started } from './local-worker.ts'

let worker: Started
beforeAll(async () => {
  worker = await startLocalWorker(join(emptyFolder(), '.foldex'))
})
afterAll(() => worker.end())

let missions = 0
const newMission = (): string => `cli-${++missions}`

const as = (token = worker.token) => ({ FOLDEX_URL: worker.url, FOLDEX_TOKEN: token })
const run = (args: readonly string[], options: FoldexOptions = {}) =>
  foldex(args, { ...options, env: { ...as(), ...options.env } })

const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex')

// Everything that a value would not keep: spelling of numbers, order, spaces, escapes.
const REQUEST = `{ "model":"claude-sonnet-4-5", "max_tokens": 1e3, "x": 12345678901234567890,
 "messages":[ {"role":"user","content":"go \\u00e9"},
 {"role":"assistant","content":[{"type":"tool_use","id":"a","name":"ls","input":{"n":1.0}}]},
 {"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"${'a file of a folder\\n'.repeat(40)}"}]},
 {"role":"assistant","content":"done"}, {"role":"user","content":"thanks"} ]}`

describe('foldex put, get and ls', () => {
  it('get gives back every byte that put stored, by ref or digest', async () => {
    const mission = newMission()
    const bytes = Uint8Array.from({ length: 70_000 }, (_, index) => (index * 7) % 256)
    const file = join(emptyFolder(), 'bytes')
    writeFileSync(file, bytes)
    const put = await run(['put', file, '-m', mission, '--kind', 'query', '--source', 'q 1'])
    expect([put.code, put.stderr]).toEqual([0, ''])
    expect(put.stdout).toBe(`memex://excerpt/${sha256(bytes)}\n`)
    const out = join(emptyFolder(), 'out')
    for (const name of [put.stdout.trim(), sha256(bytes)]) {
      expect((await run(['get', name, '-m', mission, '-o', out])).code).toBe(0)
      expect(new Uint8Array(readFileSync(out))).toEqual(bytes)
    }
  })

  it('put and get work in pipes, also with a reader that closes early', async () => {
    const mission = newMission()
    const cli = `${process.execPath} ${join(ROOT, 'src/cli/foldex.ts')}`
    const script = [
      `ref=$(head -c 3000000 /dev/zero | ${cli} put - -m ${mission})`,
      `${cli} get $ref -m ${mission} | sha256sum | cut -c1-64`,
      `${cli} get $ref -m ${mission} | head -c 1 | wc -c; echo \${PIPESTATUS[0]}`,
    ].join('\n')
    const env = { ...process.env, ...as() }
    const { stdout, stderr } = await promisify(execFile)('bash', ['-c', script], { env })
    expect(stderr).toBe('')
    expect(stdout.split('\n')).toEqual([sha256(new Uint8Array(3_000_000)), '1', '0', ''])
  })

  it('ls lists the missions, and the Memex index of one', async () => {
    const mission = newMission()
    await run(['put', '-', '-m', mission, '--tool', 'grep'], { input: 'found' })
    const index = await run(['ls', '-m', mission])
    expect(index.stdout).toBe(`memex://excerpt/${sha256('found')}  5  excerpt  grep\n`)
    const json = JSON.parse((await run(['ls', '-m', mission, '--json'])).stdout)
    expect(json).toMatchObject([{ size: 5, kind: 'excerpt', tool: 'grep', source: null }])
    await run(['report', '-m', mission, '--used-percentage', '12'])
    expect((await run(['ls'])).stdout).toContain(`${mission}  active  assess  12 %`)
  })

  it('ls prints a source on one line without control characters', async () => {
    const mission = newMission()
    const source = 'a\nmemex://excerpt/forged\u001b[2J'
    await run(['put', '-', '-m', mission, '--source', source], { input: 'x' })
    const { stdout } = await run(['ls', '-m', mission])
    expect(stdout).toMatch(/^memex:.*  excerpt  -  a memex:\/\/excerpt\/forged\ufffd\[2J\n$/)
  })

  it('the exit code says what is missing or refused', async () => {
    const mission = newMission()
    await run(['put', '-', '-m', mission], { input: 'x' })
    const absent = await run(['get', sha256('absent'), '-m', mission])
    expect([absent.code, absent.stdout]).toEqual([3, ''])
    expect(absent.stderr).toMatch(/^error: Excerpt not found.*\n$/)
    const cases: ReadonlyArray<readonly [readonly string[], number, RegExp]> = [
      [['get', 'abc', '-m', mission], 1, /^error: abc is no ref/],
      [['get', sha256('x')], 1, /required option '-m, --mission <id>'/],
      [['get', sha256('x'), '-m', '..'], 1, /An id matches/],
      [['put', 'no-such-file', '-m', mission], 1, /^error: can't read no-such-file\n$/],
      [['put', '-', '-m', mission, '--kind', 'sumary'], 1, /Allowed choices are/],
      [['put', '-', '-m', mission, '--sorce', 'a'], 1, /unknown option '--sorce'\n\(Did you mean/],
      [
        ['mask', '--misson', mission, 'x'],
        1,
        /unknown option '--misson'\n\(Did you mean --mission/,
      ],
      [
        ['get', sha256('x'), '-m', mission, '-o', '/no/x'],
        1,
        /^error: can't write \/no\/x \(ENOENT\)\n$/,
      ],
    ]
    for (const [args, code, line] of cases) {
      const ended = await run(args, { input: 'x' })
      expect(ended.stderr).toMatch(line)
      expect(ended.code).toBe(code)
    }
  })
})

describe('foldex mask and unmask', () => {
  it('mask changes nothing but the masked output, and unmask gives back every character', async () => {
    const mission = newMission()
    const args = ['-m', mission, '--trigger', 'always', '--keep', '0']
    const masked = await run(['mask', '-', ...args], { input: REQUEST })
    expect([masked.code, masked.stderr]).toEqual([0, ''])
    const [before = '', after = ''] = REQUEST.split(/a file.*folder\\n/)
    expect(masked.stdout.startsWith(`${before}[Tool: ls. Output masked. See memex://`)).toBe(true)
    expect(masked.stdout.endsWith(`]${after}`)).toBe(true)
    const restored = await run(['unmask', '-', '-m', mission], { input: masked.stdout })
    expect([restored.code, restored.stderr]).toEqual([0, ''])
    expect(restored.stdout).toBe(REQUEST)
    const spaced = await run(['mask', '-', ...args], { input: `\n\t${REQUEST} \n\n` })
    expect(spaced.stdout).toBe(`\n\t${masked.stdout} \n\n`)
  })

  it('mask prints only the edits, or every decision, when asked to', async () => {
    const args = ['mask', '-', '-m', newMission(), '--trigger', 'always', '--keep', '0']
    const edits = JSON.parse((await run([...args, '--edits'], { input: REQUEST })).stdout)
    expect(edits).toMatchObject([{ pointer: '/messages/2/content/0/content', call_id: 'a' }])
    const kept = await run([...args, '--json', '--min-bytes', '9999'], { input: REQUEST })
    expect(JSON.parse(kept.stdout)).toMatchObject({
      masked: 0,
      decisions: [{ decision: 'masked_before' }],
    })
  })

  it('mask refuses in one line what is no request', async () => {
    const mission = newMission()
    for (const [input, line] of [
      ['{', /^error: the input is not JSON\n$/],
      ['{"messages":[]}', /^error: Transcript invalid: .*\n$/],
      ['{"a":1}', /^error: Transcript format unknown: .*\n$/],
    ] as const) {
      const { code, stderr } = await run(['mask', '-', '-m', mission], { input })
      expect(stderr).toMatch(line)
      expect(code).toBe(2)
    }
  })
})

describe('foldex report', () => {
  it('says how full the context is and what to do, from any of its sources', async () => {
    const mission = newMission()
    const host = await run(['report', '-m', mission, '--used-percentage', '42.5'])
    expect(host.stdout).toMatch(/^42\.5 % green \(host\): continue\. .* \[fine\]\n$/)
    const counted = await run(['report', '-m', mission, '--request', '-'], { input: REQUEST })
    expect(counted.stdout).toMatch(/^0\.\d+ % green \(counted\)/)
    const usage = join(emptyFolder(), 'usage.json')
    writeFileSync(usage, '{"prompt_tokens":150000,"completion_tokens":1}')
    const args = ['report', '-m', mission, '--usage', usage, '--window', '200000', '--json']
    expect(JSON.parse((await run(args)).stdout)).toMatchObject({
      percent: 75,
      method: 'usage',
      zone: 'red',
    })
  })

  it('refuses a report without a source, and two readers of one input', async () => {
    const mission = newMission()
    const none = await run(['report', '-m', mission])
    expect([none.code, none.stderr]).toEqual([
      1,
      'error: say how full it is: --used-percentage, --usage, --request or --characters\n',
    ])
    const both = await run(['report', '-m', mission, '--usage', '-', '--request', '-'])
    expect([both.code, both.stderr]).toEqual([
      1,
      'error: only one of --usage and --request can be -\n',
    ])
  })
})

describe('foldex memory', () => {
  it('lists the memory files, prints one, and packs them all', async () => {
    const mission = newMission()
    await run(['mask', '-', '-m', mission, '--trigger', 'always', '--keep', '0'], {
      input: REQUEST,
    })
    const list = await run(['memory', '-m', mission])
    expect([list.code, list.stderr]).toEqual([0, ''])
    expect(list.stdout).toMatch(/^masking-log\.md {2}\d{4}-/m)
    const log = await run(['memory', 'masking-log.md', '-m', mission])
    expect(log.stdout).toMatch(/^\[.*Z\] masked 1 outputs, new context %: /m)
    const out = join(emptyFolder(), 'memory.tar')
    expect((await run(['memory', '--tar', '-m', mission, '-o', out])).code).toBe(0)
    const { stdout } = await promisify(execFile)('tar', ['-xOf', out, 'masking-log.md'])
    expect(stdout).toBe(log.stdout)
    const none = await run(['memory', 'extracts/no-turn-1.md', '-m', mission])
    expect([none.code, none.stderr]).toEqual([3, expect.stringMatching(/^error: Memory file not/)])
    const file = join(emptyFolder(), 'list')
    expect((await run(['memory', '-m', mission, '-o', file])).stdout).toBe('')
    expect(readFileSync(file, 'utf8')).toBe(list.stdout)
  })

  it('refuses in one line an invalid path, a file that can not be written, and --json for one file', async () => {
    const mission = newMission()
    await run(['put', '-', '-m', mission], { input: 'x' })
    for (const [args, line] of [
      [['../x'], /^error: '\.\.\/x' is no memory file: .*\n$/],
      [[''], /^error: '' is no memory file: .*\n$/],
      [['--tar', '-o', '/no/x'], /^error: can't write \/no\/x \(ENOENT\)\n$/],
      [['findings.md', '--json'], /^error: --json is for the list.*\n$/],
    ] as const) {
      const { code, stderr, stdout } = await run(['memory', ...args, '-m', mission])
      expect(stderr).toMatch(line)
      expect([code, stdout]).toEqual([1, ''])
    }
  })
})

describe('access', () => {
  it('gives one line and exit code 4 for a bad, a narrow and an expired token', async () => {
    const env = { SIGNING_KEYS: keysOf(worker) }
    const token = async (...args: readonly string[]) =>
      (await foldex(['token', ...args], { env })).stdout.trim()
    const expired = await token('--expires', '1s')
    const narrow = await token('--scope', 'memex:write')
    await new Promise((resolve) => setTimeout(resolve, 1100))
    for (const [held, line] of [
      ['nonsense', /^error: Invalid token.*\n$/],
      [expired, /^error: Token expired.*\n$/],
      [narrow, /^error: Insufficient scope.*mission:read.*\n$/],
    ] as const) {
      const { code, stderr, stdout } = await run(['ls'], { env: as(held) })
      expect(stderr).toMatch(line)
      expect([code, stdout]).toEqual([4, ''])
    }
  })
})

const keysOf = ({ folder }: Started): string =>
  /'(.+)'/.exec(readFileSync(join(folder, 'worker.env'), 'utf8'))?.[1] ?? ''
