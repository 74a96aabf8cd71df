import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { demoSession } from '../../../src/cli/demo/demo-session.ts'
import { readProject } from '../../../src/cli/demo/project-files.ts'
import { corpusFile, hasCorpus, withoutCorpus } from '../../support/corpus.ts'
import { emptyFolder, foldex, node, ROOT } from '../foldex.ts'
import { startLocalWorker } from '../local-worker.ts'
import type { Started } from '../local-worker.ts'

let worker: Started
beforeAll(async () => {
  worker = await startLocalWorker(join(emptyFolder(), '.foldex'))
})
afterAll(() => worker.end())

const replay = async (args: readonly string[]) => {
  const env = { FOLDEX_URL: worker.url, FOLDEX_TOKEN: worker.token }
  return foldex(['replay', ...args], { env })
}

/** The first turns of the demo: real outputs, but a test of seconds. */
function shortSession(): string {
  const { messages, ...request } = demoSession(readProject(ROOT))
  const path = join(emptyFolder(), 'short.json')
  writeFileSync(path, JSON.stringify({ ...request, messages: messages.slice(0, 41) }))
  return path
}

describe('foldex replay', () => {
  it('ends with a table whose last line is the verdict, and nothing on stderr', async () => {
    const { code, stdout, stderr } = await replay([shortSession(), '--trigger', 'always'])
    expect(stderr).toBe('')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^ {2}turns +20$/m)
    expect(stdout).toMatch(/^ {2}outputs masked +[1-9][0-9]* of [0-9]+$/m)
    expect(stdout).toMatch(/^ {2}tokens sent +[\d,]+ +[\d,]+ +-[\d.]+ %$/m)
    expect(stdout.endsWith('\nrestored equal: yes\n')).toBe(true)
  })

  it('gives its figures as JSON, and keeps more when told to', async () => {
    const file = shortSession()
    const runs = ['3', '12'].map(async (keep) => {
      const { stdout } = await replay([file, '--json', '--trigger', 'always', '--keep', keep])
      return JSON.parse(stdout)
    })
    const [few, many] = await Promise.all(runs)
    expect(few.total.restored_equal).toBe(true)
    expect(few.total.masked).toBeGreaterThan(many.total.masked)
    expect(few.total.raw).toEqual(many.total.raw)
    expect(few.total.sent.tokens).toBeLessThan(many.total.sent.tokens)
    expect(few.total.memex_bytes).toBeGreaterThan(0)
  })

  it('masks by percent only when the window fills', async () => {
    const file = shortSession()
    const [wide, narrow] = await Promise.all([
      replay([file, '--json']),
      replay([file, '--json', '--window', '30000']),
    ])
    expect(JSON.parse(wide.stdout).total.masked).toBe(0)
    expect(JSON.parse(narrow.stdout).total.masked).toBeGreaterThan(0)
    expect(JSON.parse(narrow.stdout).total.restored_equal).toBe(true)
  })

  it('masks and costs what the comparison without a Worker says for the same policy', async () => {
    const file = shortSession()
    const compared = await replay([file, '--policy', 'all', '--json', '--window', '30000'])
    const { rows } = JSON.parse(compared.stdout)
    for (const policy of ['percent', 'break_even']) {
      const live = await replay([file, '--json', '--trigger', policy, '--window', '30000'])
      const { masked, sent } = JSON.parse(live.stdout).total
      const { cached, ...row } = rows.find((one: { policy: string }) => one.policy === policy)
      expect(masked).toBeGreaterThan(0)
      expect(row).toMatchObject({ masked, tokens_sent: sent.tokens })
      expect(cached).toBeCloseTo(sent.cached, 3)
    }
  })

  it('fails in one line with an exit code for a wrong URL, a bad token and a file without a session', async () => {
    const file = shortSession()
    const wrong = await foldex(['replay', file, '--url', 'http://127.0.0.1:9', '--token', 'x'])
    expect([wrong.code, wrong.stdout]).toEqual([5, ''])
    expect(wrong.stderr).toMatch(
      /^error: http:\/\/127\.0\.0\.1:9 does not answer: .*Is the Worker running\?\n$/,
    )
    const bad = await foldex(['replay', file, '--url', worker.url, '--token', 'x'])
    expect(bad.code).toBe(4)
    expect(bad.stderr).toMatch(/^error: Invalid token.*\n$/)
    const none = await foldex(['replay', file, '--url', worker.url])
    expect([none.code, none.stderr]).toEqual([
      4,
      `error: no token for ${worker.url}: pass --token or set FOLDEX_TOKEN\n`,
    ])
    const nowhere = await foldex(['replay', file])
    expect(nowhere.code).toBe(1)
    expect(nowhere.stderr).toMatch(/^error: no Worker: .*npm start.*\n$/)
    const scheme = await foldex(['replay', file, '--url', 'ftp://x', '--token', 'x'])
    expect([scheme.code, scheme.stderr]).toEqual([
      1,
      'error: ftp://x is not an http or https URL\n',
    ])
    const missing = await replay(['missing.json'])
    expect([missing.code, missing.stderr]).toEqual([1, "error: can't read missing.json\n"])
  })

  it.skipIf(!hasCorpus)(
    `restores the real coding session exactly, and the meter is true to it${withoutCorpus}`,
    async () => {
      const file = corpusFile('anthropic-coding-session.json')
      const { code, stdout } = await replay([file, '--json', '--trigger', 'always'])
      expect(code).toBe(0)
      const { meter, total } = JSON.parse(stdout)
      expect(total).toMatchObject({ turns: 439, results: 373, restored_equal: true })
      expect(total.masked).toBeGreaterThan(0)
      expect(meter.calls).toBe(439)
      expect(meter.median_percent).toBeLessThanOrEqual(0.5)
      expect(meter.p95_percent).toBeLessThanOrEqual(1.5)
    },
    900_000,
  )

  it.skipIf(!hasCorpus)(
    `restores all thirty real airline sessions exactly, one mission each${withoutCorpus}`,
    async () => {
      const file = corpusFile('openai-airline-sessions.json')
      const { code, stdout } = await replay([file, '--json', '--trigger', 'always'])
      expect(code).toBe(0)
      const { sessions, total } = JSON.parse(stdout)
      expect(new Set(sessions.map(({ mission }: { mission: string }) => mission)).size).toBe(30)
      expect(total).toMatchObject({ restored_equal: true })
      expect(total.masked).toBeGreaterThan(0)
    },
    900_000,
  )
})

describe('npm run demo', () => {
  it('starts a Worker by itself, replays a session of real size and restores all of it', async () => {
    const { code, stdout, stderr } = await node(['src/cli/demo.ts', '--json'])
    expect(stderr).toBe('')
    expect(code).toBe(0)
    const { total } = JSON.parse(stdout)
    expect(total.turns).toBeGreaterThanOrEqual(150)
    expect(total.masked).toBeGreaterThan(100)
    expect(total.sent.tokens).toBeLessThan(total.raw.tokens / 2)
    expect(total.restored_equal).toBe(true)
  })
})
