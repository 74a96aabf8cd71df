import { execFile, execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { emptyFolder, node } from './foldex.ts'
import { startLocalWorker } from './local-worker.ts'
import type { Started } from './local-worker.ts'

const folder = join(emptyFolder(), '.foldex')
const bash = (script: string) => promisify(execFile)('bash', ['-c', script])

let worker: Started
beforeAll(async () => {
  worker = await startLocalWorker(folder)
})
afterAll(() => worker.end())

const get = (path: string, token: string) =>
  fetch(worker.url + path, { headers: { authorization: `Bearer ${token}` } })

describe('npm start', () => {
  it('prints the URL, a token and a curl, and keeps URL and token for other commands', async () => {
    expect(worker.stdout()).toContain(`Foldex answers at ${worker.url}\n`)
    expect(worker.stdout()).toContain(`\n${worker.token}\n`)
    const health = await (await fetch(`${worker.url}/healthz`)).json()
    expect(health).toMatchObject({
      ok: true,
      bindings: { memex: true, logs: true, missions: true },
    })
    expect((await get('/v1/missions', worker.token)).status).toBe(200)
  })

  it('keeps its files private to its user, and the key out of every argument list', () => {
    expect(statSync(folder).mode & 0o077).toBe(0)
    expect(statSync(join(folder, 'worker.env')).mode & 0o077).toBe(0)
    expect(statSync(join(folder, 'dev.json')).mode & 0o077).toBe(0)
    const { secret } = JSON.parse(
      /'(.+)'/.exec(readFileSync(join(folder, 'worker.env'), 'utf8'))?.[1] ?? '',
    )[0]
    expect(secret.length).toBeGreaterThanOrEqual(43)
    expect(execFileSync('ps', ['-eww', '-o', 'args'], { encoding: 'utf8' })).not.toContain(secret)
    expect(worker.stdout() + worker.stderr()).not.toContain(secret)
  })

  it('prints a curl that works when pasted, and masks the older outputs', async () => {
    const curl = /curl -sS [^]*?'\n/.exec(worker.stdout())?.[0] ?? ''
    const { stdout } = await bash(curl)
    const answer = JSON.parse(stdout)
    expect(answer).toMatchObject({ masked: 2, storage: 'memex', format: 'anthropic_messages' })
    const outputs = answer.request.messages
      .flatMap(({ content }: { content: unknown }) => content)
      .filter(({ type }: { type?: string }) => type === 'tool_result')
      .map(({ content }: { content: string }) => content)
    expect(outputs[0]).toMatch(/^\[Tool: list_files\. Output masked\. See memex:\/\/excerpt\//)
    expect(outputs[1]).toMatch(/^\[Tool: search\. Output masked\. See memex:\/\/excerpt\//)
    expect(outputs[2]).toContain('roundHalfEven')
    const digest = /[0-9a-f]{64}/.exec(outputs[0])?.[0]
    const excerpt = await get(`/v1/missions/demo/excerpts/${digest}`, worker.token)
    expect(await excerpt.text()).toContain('src/billing/invoice.ts 4812')
  })

  it('says in one line that a port is taken', async () => {
    const port = new URL(worker.url).port
    const { code, stderr, stdout } = await node([
      'src/cli/start.ts',
      '--port',
      port,
      '--dir',
      join(emptyFolder(), '.foldex'),
    ])
    expect(code).toBe(1)
    expect(stdout).toBe('')
    expect(stderr).toBe(
      `Starting the Worker …\nerror: port ${port} is in use; choose another with --port\n`,
    )
  })

  it('ends cleanly on Ctrl-C, and keeps key and storage for the next start', async () => {
    const { token, url } = worker
    expect(await worker.end('SIGINT')).toBe(0)
    await expect(fetch(`${url}/healthz`)).rejects.toThrow('fetch failed')
    const children = execFileSync('ps', ['-eww', '-o', 'args'], { encoding: 'utf8' })
    expect(children).not.toContain(join(folder, 'state'))

    worker = await startLocalWorker(folder)
    const missions = await get('/v1/missions', token)
    expect(await missions.json()).toMatchObject({ items: [{ id: 'demo' }] })
    expect(readdirSync(folder).toSorted()).toEqual(['dev.json', 'state', 'worker.env'])
  })
})
