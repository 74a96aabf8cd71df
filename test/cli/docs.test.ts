import { execFile } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contract } from '../../src/contract/contract.ts'
import { FINDINGS, FOLD, MISSION } from '../support/fold-case.ts'
import { anthropicSession } from '../support/session.ts'
import { emptyFolder, ROOT } from './foldex.ts'
import { startLocalWorker } from './local-worker.ts'
import type { Started } from './local-worker.ts'

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((path) => existsSync(path))

let worker: Started
beforeAll(async () => {
  worker = await startLocalWorker(join(emptyFolder(), '.foldex'))
})
afterAll(() => worker?.end())

const asset = (name: string) => readFileSync(join(ROOT, 'src/assets', name), 'utf8')

describe('what is served without the Worker', () => {
  it.each([
    ['/openapi.json', 'openapi.json', 'application/json'],
    ['/llms.txt', 'llms.txt', 'text/plain'],
    ['/SKILL.md', 'SKILL.md', 'text/markdown'],
    ['/docs', 'docs.html', 'text/html'],
  ])('%s is served as its file, with its type and a strict policy', async (path, name, type) => {
    const response = await fetch(worker.url + path)
    expect(response.status).toBe(200)
    expect(await response.text()).toBe(asset(name))
    expect(response.headers.get('content-type')).toContain(type)
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    const policy = response.headers.get('content-security-policy')
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toMatch(/unsafe-eval|https?:|\*/)
    expect(policy?.includes("script-src 'self'")).toBe(path === '/docs')
  })

  it('every other path is left to the Worker, which answers with a problem', async () => {
    for (const path of ['/nothing', '/docs/nothing', '/_headers', '/openapi.yaml', '/vendor/']) {
      const response = await fetch(worker.url + path)
      expect(response.status).toBe(404)
      expect(await response.json()).toMatchObject({ code: 'not_found' })
    }
    expect((await fetch(`${worker.url}/v1/missions`)).status).toBe(401)
    expect((await fetch(`${worker.url}/openapi.json`, { method: 'POST' })).status).toBe(405)
  })

  it('llms.txt links only to pages that exist', async () => {
    const links = [...asset('llms.txt').matchAll(/\]\((\/[^)]*)\)/g)].map(([, path]) => path)
    expect(links).toContain('/SKILL.md')
    for (const path of links) expect((await fetch(worker.url + path)).status).toBe(200)
  })
})

describe('the docs page', () => {
  it('shows every operation, asks no other host, and breaks no rule of its policy', async (test) => {
    if (CHROMIUM === undefined) return test.skip('there is no chromium: apt-get install chromium')
    const browser = await chromium.launch({
      executablePath: CHROMIUM,
      args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'],
    })
    try {
      const page = await browser.newPage()
      page.setDefaultTimeout(150_000)
      const hosts = new Set<string>()
      const errors: string[] = []
      page.on('request', (request) => hosts.add(new URL(request.url()).host))
      page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
      page.on('pageerror', (error) => errors.push(String(error)))
      await page.goto(`${worker.url}/docs`)
      const names = page.locator('rapi-doc .nav-bar-path')
      await names.nth(Object.keys(contract).length - 1).waitFor()
      expect(await names.count()).toBe(Object.keys(contract).length)
      await page.goto(`${worker.url}/docs#post-/v1/missions/-mission-/mask`)
      await page.getByText('Mask old tool outputs').last().waitFor()
      await page.getByText('"claude-sonnet-4-5"').first().waitFor()
      expect(errors).toEqual([])
      expect([...hosts]).toEqual([new URL(worker.url).host])
    } finally {
      await browser.close()
    }
  })
})

describe('SKILL.md', () => {
  it('its commands, run one after the other, lead to an accepted fold', async () => {
    const folder = emptyFolder()
    const file = (name: string, text: string) => writeFileSync(join(folder, name), text)
    const mission = 'skill'
    const base = `${worker.url}/v1/missions/${mission}`
    const headers = { authorization: `Bearer ${worker.token}` }
    let findings = FINDINGS
    for (const letter of 'abc') {
      const stored = await fetch(`${base}/excerpts`, { method: 'POST', headers, body: letter })
      const { ref } = (await stored.json()) as { ref: string }
      findings = findings.replace(new RegExp(`memex://excerpt/${letter}{4}0{60}`), ref)
    }
    file('mission.md', MISSION)
    file('map.md', '# MAP\n')
    file('findings.md', findings)
    file('fold.md', FOLD)
    file('excerpt.txt', 'def perform(refund)\n')
    file('request.json', JSON.stringify({ request: anthropicSession(4) }))
    const did = 'The refund jobs were read and their limit was found. '.repeat(24)
    const next = 'Read the retry path.'
    file('breadcrumb.json', JSON.stringify({ did, outputs: [], next, task_complete: true }))

    const blocks = [...asset('SKILL.md').matchAll(/```sh\n([^]*?)```/g)].map(([, code]) => code)
    expect(blocks.length).toBeGreaterThan(8)
    file('skill.sh', `set -eo pipefail\n${blocks.join('\n')}`)
    const env = {
      PATH: process.env['PATH'] ?? '',
      FOLDEX_URL: worker.url,
      FOLDEX_TOKEN: worker.token,
      FOLDEX_MISSION: mission,
    }
    await new Promise<void>((resolve, reject) => {
      execFile('bash', ['skill.sh'], { cwd: folder, env }, (error, stdout, stderr) =>
        error === null ? resolve() : reject(new Error(`${stderr}\n${stdout.slice(-2000)}`)),
      )
    })

    const { fold, phase, advice } = (await (await fetch(base, { headers })).json()) as never
    expect({ fold, phase, advice }).toMatchObject({
      fold: 'accepted',
      phase: 'abstract',
      advice: { action: 'switch', rule: 'task_done' },
    })
    // After the fold: the context holds nothing else, so the gate holds and the phase moves on.
    const report = {
      request: { model: 'claude-sonnet-4-5', messages: [{ role: 'user', content: FOLD }] },
    }
    const post = (path: string, body: unknown) =>
      fetch(base + path, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    expect((await post('/context', report)).status).toBe(200)
    const gate = await (await fetch(`${base}/gate`, { headers })).json()
    expect(gate).toMatchObject({ holds: true })
    expect((await post('/phase', { to: 'synthesize' })).status).toBe(200)
  })

  it('names only routes and actions that exist', () => {
    const skill = asset('SKILL.md')
    const paths = new Set(Object.values(contract).map(({ path }) => path.split('/')[4] ?? ''))
    for (const [, name = ''] of skill.matchAll(/\$M\/([a-z]+)/g)) expect(paths).toContain(name)
    const actions = [...skill.matchAll(/^\| `(\w+)`(?:, `(\w+)`)? \|/gm)].flatMap(([, ...a]) => a)
    const known = contract.report_context.answers.shape.advice.shape.action.options
    expect(known).toEqual(expect.arrayContaining(actions.slice(0, 9).filter(Boolean)))
  })
})
