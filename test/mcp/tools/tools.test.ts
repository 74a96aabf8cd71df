import { describe, expect, it } from 'vitest'
import type { Scope } from '../../../src/domain/access/scope.ts'
import { always, before } from '../../support/faults.ts'
import { memoryApi, memoryDeps } from '../../support/memory-deps.ts'
import { anthropicSession } from '../../support/session.ts'
import { rootToken } from '../../support/tokens.ts'
import { memoryClient, problemIn, texts } from '../mcp-client.ts'

const mission = 'm'
const missing = `memex://excerpt/${'0'.repeat(64)}`

describe('the tools of a session', () => {
  it.each<[Scope[], string[]]>([
    [['fold:read'], ['memex_read', 'view_file']],
    [['memex:read'], ['memex_read']],
    [
      ['memex:read', 'memex:write'],
      ['memex_read', 'memex_write'],
    ],
    [['fold:submit'], ['fold_submit']],
    [['mission:write'], ['context_report']],
    [['mission:read'], ['view_file', 'mask_plan']],
    [['hooks:ingest'], []],
    [
      ['admin'],
      ['memex_read', 'view_file', 'memex_write', 'context_report', 'mask_plan', 'fold_submit'],
    ],
  ])('a token with the scopes %j lists the tools %j', async (scope, names) => {
    const client = await memoryClient(memoryDeps(), { scope, mission })
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(names)
  })

  it('each tool describes its input, and only fold_submit is marked destructive', async () => {
    const { tools } = await (await memoryClient(memoryDeps(), { mission })).listTools()
    for (const tool of tools) {
      expect(tool.inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
      expect(tool.inputSchema.properties).toHaveProperty('mission')
      expect(tool.annotations?.openWorldHint).toBe(false)
      expect(tool.annotations?.destructiveHint ?? false).toBe(tool.name === 'fold_submit')
    }
    expect(tools[0]?.inputSchema['required']).toEqual(['ref'])
  })

  it('each tool answers the same problem as HTTP', async () => {
    const deps = memoryDeps()
    const api = await memoryApi(deps)
    await api.ok('put_mission', { mission, body: {} })
    const client = await memoryClient(deps, { mission })
    const call = async (name: string, args: object) =>
      problemIn(await client.callTool({ name, arguments: { ...args } }))
    const sha256 = '0'.repeat(64)

    expect(await call('memex_read', { ref: missing })).toEqual(
      await api.refused('read_excerpt', { mission, sha256 }),
    )
    expect(await call('context_report', { used_percentage: -1 })).toEqual(
      await api.refused('report_context', { mission, body: { used_percentage: -1 } }),
    )
    expect(await call('context_report', { usage: {}, colour: 'red' })).toEqual(
      await api.refused('report_context', { mission, body: { usage: {}, colour: 'red' } }),
    )
    expect(await call('mask_plan', { request: { prompt: 'x' } })).toEqual(
      await api.refused('plan_mask', { mission, body: { request: { prompt: 'x' } } }),
    )
    const fold = { fold: 'x', prompt_sha256: sha256 }
    expect(await call('fold_submit', fold)).toEqual(
      await api.refused('submit_fold', { mission, body: fold }),
    )
    const narrow = { scope: ['memex:read'] as const, mission }
    const weak = await memoryClient(deps, narrow)
    const token = deps.signer && (await rootToken(deps.signer, 'acme', narrow))
    const refused = await weak.callTool({ name: 'memex_write', arguments: { text: 'x' } })
    expect(problemIn(refused)).toEqual(
      await api.refused('write_excerpt', { mission, body: 'x', token }),
    )
  })

  it('a tool uses the mission of the token, of the URL or of the call', async () => {
    const deps = memoryDeps()
    const api = await memoryApi(deps)
    const { ref } = await api.ok('write_excerpt', { mission: 'one', body: 'of one' })
    const read = { name: 'memex_read', arguments: { ref } }
    const named = { name: 'memex_read', arguments: { ref, mission: 'one' } }

    const bound = await memoryClient(deps, { mission: 'one' })
    expect(texts(await bound.callTool(read))).toEqual(['of one'])
    const placed = await memoryClient(deps, {}, '/mcp/one')
    expect(texts(await placed.callTool(read))).toEqual(['of one'])
    const free = await memoryClient(deps)
    expect(texts(await free.callTool(named))).toEqual(['of one'])
    expect(problemIn(await free.callTool(read))).toMatchObject({
      code: 'invalid_input',
      errors: [{ pointer: '/mission', detail: 'missing' }],
    })
    const other = await memoryClient(deps, { mission: 'two' })
    expect(problemIn(await other.callTool(named))).toMatchObject({ code: 'excerpt_not_found' })
    expect(problemIn(await other.callTool(read))).toMatchObject({ code: 'excerpt_not_found' })
    const odd = { name: 'memex_read', arguments: { ref, mission: '../one' } }
    expect(problemIn(await free.callTool(odd))).toMatchObject({ code: 'invalid_identifier' })
  })

  it('an unknown tool is an error of the protocol', async () => {
    const client = await memoryClient(memoryDeps(), { mission })
    await expect(client.callTool({ name: 'memex_delete', arguments: {} })).rejects.toMatchObject({
      code: -32602,
    })
  })

  it('an outage is answered as a problem, and its error message goes to the log alone', async () => {
    const deps = memoryDeps({ memex: always('get', before('the store at 10.0.0.7 fell over')) })
    const client = await memoryClient(deps, { mission })
    const result = await client.callTool({ name: 'memex_read', arguments: { ref: missing } })
    expect(problemIn(result)).toMatchObject({ code: 'temporarily_unavailable', retryable: true })
    expect(JSON.stringify(result)).not.toContain('10.0.0.7')
    expect(deps.reports).toContainEqual({
      level: 'error',
      event: 'unexpected_error',
      operation: 'memex_read',
      error: 'Error: the store at 10.0.0.7 fell over',
    })
    await expect(client.readResource({ uri: missing })).rejects.toMatchObject({
      code: -32603,
      data: { code: 'temporarily_unavailable' },
    })
  })

  it('view_file shows the files that the mission wrote', async () => {
    const deps = memoryDeps()
    const api = await memoryApi(deps)
    const bullets = ['The limit is checked.', 'Retries are not.', 'See pay_refund.rb:42.']
    const { path } = await api.ok('put_extract', {
      mission,
      task: 'task-1',
      turn: 3,
      body: { call_id: 'call_1', tool: 'read_file', bullets },
    })
    const client = await memoryClient(deps, { mission, scope: ['mission:read'] })
    const [text = ''] = texts(await client.callTool({ name: 'view_file', arguments: { path } }))
    for (const bullet of bullets) expect(text).toContain(bullet)
    const file = await api.send('read_memory_file', { mission, path: encodeURIComponent(path) })
    expect(await file.text()).toBe(text)
  })

  it('context_report reports a context, and mask_plan plans a mask', async () => {
    const client = await memoryClient(memoryDeps(), { mission })
    const report = await client.callTool({
      name: 'context_report',
      arguments: { used_percentage: 72, window_tokens: 200_000 },
    })
    expect(JSON.parse(texts(report)[0] ?? '')).toMatchObject({ percent: 72, zone: 'red' })
    const plan = await client.callTool({
      name: 'mask_plan',
      arguments: { request: anthropicSession(6), policy: { trigger: { type: 'always' } } },
    })
    expect(JSON.parse(texts(plan)[0] ?? '')).toMatchObject({ format: 'anthropic_messages' })
  })
})
