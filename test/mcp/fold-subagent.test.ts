import type { Client } from '@modelcontextprotocol/client'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Scope } from '../../src/domain/access/scope.ts'
import type { Api } from '../support/api.ts'
import { count } from '../support/count-tokens.ts'
import { FINDINGS, FOLD, MISSION } from '../support/fold-case.ts'
import { memoryApi, memoryDeps } from '../support/memory-deps.ts'
import type { MemoryDeps } from '../support/memory-deps.ts'
import { memoryClient, problemIn, texts } from './mcp-client.ts'

const mission = 'refund-limits'
const MAP = '# MAP\r\n'

let deps: MemoryDeps
let api: Api
/** Refs that findings.md cites, and one that it does not cite. */
let cited: readonly string[]
let uncited: string
let findings: string

beforeEach(async () => {
  deps = { ...memoryDeps(), loadTokens: () => Promise.resolve(count) }
  api = await memoryApi(deps)
  // 5 % of 41 tool calls, rounded up, is three.
  await api.ok('put_mission', { mission, body: { max_tool_calls: 41 } })
  const store = async (body: string) => (await api.ok('write_excerpt', { mission, body })).ref
  cited = [await store('the job'), await store('the limit'), await store('the tasks')]
  uncited = await store('what nobody cites')
  const [a = '', b = '', c = ''] = cited
  findings = FINDINGS.replace(/memex:\S+a{4}0{60}/, a)
    .replace(/memex:\S+b{4}0{60}/, b)
    .replace(/memex:\S+c{4}0{60}/, c)
  await api.ok('put_artifact', { mission, artifact: 'mission.md', body: MISSION })
  await api.ok('put_artifact', { mission, artifact: 'map.md', body: MAP })
  await api.ok('put_artifact', { mission, artifact: 'findings.md', body: findings })
})

const clientWith = (...scope: Scope[]): Promise<Client> => memoryClient(deps, { scope, mission })
const read = (ref: string | undefined) => ({ name: 'memex_read', arguments: { ref } })
const view = (path: string) => ({ name: 'view_file', arguments: { path } })
const exhausted = { code: 'tool_budget_exhausted', status: 409 }

describe('a fold subagent with fold:read alone', () => {
  it('has exactly the two tools of the contract and the fold prompt', async () => {
    const client = await clientWith('fold:read')
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
      'memex_read',
      'view_file',
    ])
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['fold'])
  })

  it('reads the prompt, the documents and the excerpts that findings.md cites', async () => {
    const client = await clientWith('fold:read')
    const { messages, _meta } = await client.getPrompt({ name: 'fold' })
    const prompt = await api.send('fold_prompt', { mission })
    expect(messages).toEqual([
      { role: 'user', content: { type: 'text', text: await prompt.text() } },
    ])
    expect(_meta?.['prompt_sha256']).toBe(prompt.headers.get('prompt-sha256'))

    for (const [path, document] of [
      ['mission.md', MISSION],
      ['map.md', MAP],
      ['findings.md', findings],
    ] as const) {
      const [text, place] = texts(await client.callTool(view(path)))
      expect(text).toBe(document)
      expect(JSON.parse(place ?? '')).toMatchObject({ path, from_line: 1, next_cursor: null })
    }
    expect(texts(await client.callTool(read(cited[0])))).toEqual(['the job'])
    const { resources } = await client.listResources()
    expect(resources.map(({ uri }) => uri)).toEqual(cited)
    const { contents } = await client.readResource({ uri: cited[1] ?? '' })
    expect(contents).toMatchObject([{ text: 'the limit' }])
  })

  it('reads no other excerpt or file, and calls no other tool', async () => {
    const client = await clientWith('fold:read')
    expect(problemIn(await client.callTool(read(uncited)))).toMatchObject({
      code: 'excerpt_not_found',
    })
    await expect(client.readResource({ uri: uncited })).rejects.toMatchObject({ code: -32602 })
    for (const path of ['fold.md', 'masking-log.md', '2026-11-30.md', 'extracts/t-turn-1.md'])
      expect(problemIn(await client.callTool(view(path)))).toMatchObject({
        code: 'insufficient_scope',
      })
    for (const path of ['notes.md', '../mission.md', '/mission.md', ''])
      expect(problemIn(await client.callTool(view(path)))).toMatchObject({
        code: 'memory_file_not_found',
      })
    for (const name of ['memex_write', 'context_report', 'mask_plan', 'fold_submit'])
      expect(problemIn(await client.callTool({ name, arguments: {} }))).toMatchObject({
        code: 'insufficient_scope',
      })
  })

  it('reads a long document in parts of 100 lines, each part once', async () => {
    const client = await clientWith('fold:read')
    const long = `${findings}${'- a note\n'.repeat(250)}`
    await api.ok('put_artifact', { mission, artifact: 'findings.md', body: long })
    let text = ''
    let cursor: string | null = null
    do {
      const args: object = { path: 'findings.md', ...(cursor === null ? {} : { cursor }) }
      const [part = '', place = ''] = texts(
        await client.callTool({ name: 'view_file', arguments: { ...args } }),
      )
      expect(part.split('\n').length - 1).toBeLessThanOrEqual(100)
      text += part
      cursor = (JSON.parse(place) as { next_cursor: string | null }).next_cursor
    } while (cursor !== null)
    expect(text).toBe(long)
    const other = await client.callTool({
      name: 'view_file',
      arguments: { path: 'map.md', cursor: 'W10' },
    })
    expect(problemIn(other)).toMatchObject({ errors: [{ pointer: '/cursor' }] })
  })
})

describe('the tool budget of the abstract phase', () => {
  it('memex_read, view_file and resource reads spend the budget, and are refused when it is spent', async () => {
    const client = await clientWith('fold:read')
    for (let i = 0; i < 5; i++) await client.callTool(read(cited[0]))
    await api.ok('move_phase', { mission, body: { to: 'abstract' } })
    expect((await client.callTool(read(cited[0]))).isError).toBeUndefined()
    expect((await client.callTool(view('map.md'))).isError).toBeUndefined()
    await client.readResource({ uri: cited[0] ?? '' })
    expect(problemIn(await client.callTool(read(cited[0])))).toMatchObject(exhausted)
    expect(problemIn(await client.callTool(view('map.md')))).toMatchObject(exhausted)
    await expect(client.readResource({ uri: cited[0] ?? '' })).rejects.toMatchObject({
      data: exhausted,
    })
    // The fold prompt costs nothing, and neither does a call of the HTTP API.
    await client.getPrompt({ name: 'fold' })
    await api.ok('get_artifact', { mission, artifact: 'map.md' })
  })

  it('a read of a missing excerpt spends the budget; a forbidden or malformed call does not', async () => {
    await api.ok('move_phase', { mission, body: { to: 'abstract' } })
    const client = await clientWith('fold:read')
    const stranger = await memoryClient(deps, { scope: ['fold:read'], mission: 'another' })
    const clerk = await clientWith('mission:write')
    for (let i = 0; i < 4; i++) {
      await stranger.callTool({ name: 'memex_read', arguments: { ref: cited[0], mission } })
      await clerk.callTool(read(cited[0]))
      await client.callTool({ name: 'memex_read', arguments: { reference: cited[0] } })
    }
    for (let i = 0; i < 3; i++)
      expect(problemIn(await client.callTool(read(uncited)))).toMatchObject({
        code: 'excerpt_not_found',
      })
    expect(problemIn(await client.callTool(read(cited[0])))).toMatchObject(exhausted)
  })

  it('the budget is exact when calls come at once', async () => {
    await api.ok('move_phase', { mission, body: { to: 'abstract' } })
    const client = await clientWith('fold:read')
    const results = await Promise.all(
      Array.from({ length: 10 }, () => client.callTool(read(cited[0]))),
    )
    expect(results.filter(({ isError }) => isError !== true)).toHaveLength(3)
  })

  it('a mission without a budget has no limit, and a read opens no mission', async () => {
    await api.ok('move_phase', { mission: 'free', body: { to: 'abstract' } })
    const { ref } = await api.ok('write_excerpt', { mission: 'free', body: 'x' })
    const client = await memoryClient(deps, { mission: 'free' })
    for (let i = 0; i < 10; i++) expect(texts(await client.callTool(read(ref)))).toEqual(['x'])
    const nowhere = await memoryClient(deps, { mission: 'nowhere' })
    await nowhere.callTool(read(ref))
    await api.refused('get_mission', { mission: 'nowhere' })
  })
})

describe('fold_submit', () => {
  const submit = (fold: string, prompt_sha256: unknown) => ({
    name: 'fold_submit',
    arguments: { fold, prompt_sha256, trajectory_tokens: 40_000 },
  })

  it('answers the verdict of an accepted fold, which the mission then holds', async () => {
    await api.ok('move_phase', { mission, body: { to: 'abstract' } })
    const client = await clientWith('fold:read', 'fold:submit')
    const { _meta } = await client.getPrompt({ name: 'fold' })
    const result = await client.callTool(submit(FOLD, _meta?.['prompt_sha256']))
    expect(result.isError).toBeUndefined()
    expect(JSON.parse(texts(result)[0] ?? '')).toMatchObject({ accepted: true })
    expect(await api.ok('get_mission', { mission })).toMatchObject({ fold: 'accepted' })
    const [text] = texts(await (await clientWith('mission:read')).callTool(view('fold.md')))
    expect(text).toBe(FOLD)
  })

  it('answers the problem of a rejected fold with its verdict, and then refuses every fold', async () => {
    await api.ok('move_phase', { mission, body: { to: 'abstract' } })
    const client = await clientWith('fold:read', 'fold:submit')
    const sha256 = (await client.getPrompt({ name: 'fold' }))._meta?.['prompt_sha256']
    const bad = FOLD.replace(/^GAP-003.*$/m, 'None.')
    expect(problemIn(await client.callTool(submit(bad, sha256)))).toMatchObject({
      code: 'fold_rejected',
      verdict: { accepted: false },
    })
    expect(problemIn(await client.callTool(submit(FOLD, sha256)))).toMatchObject({
      code: 'mission_halted',
    })
  })
})
