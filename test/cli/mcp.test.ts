import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connect, texts } from '../mcp/mcp-client.ts'
import { FINDINGS, MISSION } from '../support/fold-case.ts'
import { emptyFolder, ROOT } from './foldex.ts'
import { startLocalWorker } from './local-worker.ts'
import type { Started } from './local-worker.ts'
import { startProxy } from './mcp-proxy.ts'
import type { Proxy } from './mcp-proxy.ts'

const BASE = '/v1/missions/conformance'
let worker: Started
let proxy: Proxy
let text: string
let bytes: string

beforeAll(async () => {
  worker = await startLocalWorker(join(emptyFolder(), '.foldex'))
  text = await excerpt('An excerpt that is text.')
  bytes = await excerpt(new Uint8Array([0, 255, 128, 10]))
  for (const [name, document] of [
    ['mission.md', MISSION],
    ['map.md', '# MAP\n'],
    ['findings.md', FINDINGS],
  ])
    await call('PUT', `${BASE}/artifacts/${name}`, document)
  proxy = await startProxy(worker.url, worker.token, {
    test_simple_text: { name: 'memex_read', arguments: { ref: text } },
    test_embedded_resource: { name: 'memex_read', arguments: { ref: bytes } },
    test_error_handling: {
      name: 'memex_read',
      arguments: { ref: `memex://excerpt/${'0'.repeat(64)}` },
    },
    'test://static-text': { uri: text },
    'test://static-binary': { uri: bytes },
    test_simple_prompt: { name: 'fold' },
  })
})
afterAll(async () => {
  await proxy?.close()
  await worker?.end()
})

describe('MCP conformance against the running Worker', () => {
  it('passes every applicable scenario of 0.1.16', async () => {
    const suite = 'node_modules/@modelcontextprotocol/conformance/dist/index.js'
    const { passed, report } = await conformance(suite, 'expected-failures.yml')
    expect(report).not.toContain('not in baseline')
    expect(report).not.toContain('Stale')
    expect(passed).toEqual([
      'server-initialize',
      'ping',
      'tools-list',
      'tools-call-simple-text',
      'tools-call-embedded-resource',
      'tools-call-error',
      'resources-list',
      'resources-read-text',
      'resources-read-binary',
      'prompts-list',
      'prompts-get-simple',
      'dns-rebinding-protection',
    ])
  })

  it('passes every applicable scenario of 0.2.0-alpha.12 for 2026-07-28', async () => {
    const suite = 'node_modules/conformance-next/dist/index.js'
    const version = ['--spec-version', '2026-07-28']
    const { passed, report } = await conformance(suite, 'expected-failures-2026-07-28.yml', version)
    expect(report).not.toContain('not in baseline')
    expect(report).not.toContain('Stale')
    expect(report).toMatch(/server-stateless: 24 passed, 4 failed/)
    expect(passed).toEqual([
      'tools-list',
      'tools-call-simple-text',
      'tools-call-embedded-resource',
      'tools-call-error',
      'server-sse-multiple-streams',
      'resources-list',
      'resources-read-text',
      'resources-read-binary',
      'sep-2164-resource-not-found',
      'prompts-list',
      'prompts-get-simple',
      'dns-rebinding-protection',
      'caching',
      'http-header-validation',
      'input-required-result-unsupported-methods',
      'input-required-result-validate-input',
    ])
  })
})

describe('the official client against the running Worker', () => {
  it.each(['legacy', 'auto'] as const)(
    'lists, calls and reads over the %s negotiation',
    async (mode) => {
      const url = `${worker.url}/mcp/conformance`
      const client = await connect(fetch, worker.token, { url, mode })
      const { tools } = await client.listTools()
      expect(tools.map(({ name }) => name)).toContain('memex_read')
      const read = await client.callTool({ name: 'memex_read', arguments: { ref: text } })
      expect(texts(read)).toEqual(['An excerpt that is text.'])
      const { resources } = await client.listResources()
      expect(resources.map(({ uri }) => uri)).toEqual(expect.arrayContaining([text, bytes]))
      const { contents } = await client.readResource({ uri: bytes })
      expect(contents).toMatchObject([{ uri: bytes, blob: 'AP+ACg==' }])
      await client.close()
    },
  )
})

/** Runs a suite; gives the scenarios that passed and are not excused, and all that it printed. */
function conformance(suite: string, excused: string, more: readonly string[] = []) {
  const file = join('test/mcp', excused)
  const args = [suite, 'server', '--url', `${proxy.url}/mcp/conformance`, '--suite', 'all']
  args.push('--expected-failures', file, ...more)
  return new Promise<{ passed: string[]; report: string }>((resolve, reject) => {
    execFile(process.execPath, args, { cwd: ROOT }, (error, stdout, stderr) => {
      if (error !== null) return reject(new Error(`${stdout.slice(-4000)}${stderr}`))
      const listed: string[] = readFileSync(join(ROOT, file), 'utf8').match(/(?<= {2}- ).+/g) ?? []
      const passed = [...stdout.matchAll(/^✓ ([\w-]+):/gm)].map(([, name = '']) => name)
      resolve({ passed: passed.filter((name) => !listed.includes(name)), report: stdout })
    })
  })
}

async function excerpt(body: string | Uint8Array): Promise<string> {
  const answer = (await call('POST', `${BASE}/excerpts`, body)) as { ref: string }
  return answer.ref
}

async function call(method: string, path = '', body: string | Uint8Array = ''): Promise<unknown> {
  const headers = { authorization: `Bearer ${worker.token}` }
  const response = await fetch(worker.url + path, { method, headers, body })
  if (!response.ok) throw new Error(await response.text())
  return await response.json()
}
