import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { utf8 } from '../../src/domain/bytes.ts'
import { sha256 } from '../../src/domain/digest.ts'
import { createApp } from '../../src/http/app.ts'
import { createDeps } from '../../src/index.ts'
import { createApi } from '../support/api.ts'
import type { Api } from '../support/api.ts'
import { eventually } from '../support/eventually.ts'
import { freshOwner } from '../support/fresh.ts'
import { setting } from '../support/mission-setting.ts'
import { anthropicSession } from '../support/session.ts'
import { rootToken } from '../support/tokens.ts'
import { signer } from '../support/worker.ts'

interface Row {
  readonly bound: string
  /** Where masked results are stored: in the Memex, or nowhere but in the placeholder's context. */
  readonly storage: 'memex' | 'in_context'
  readonly mission: boolean
  readonly across: boolean
}

// The table of DESIGN section 10, its two combined lines written out.
const TABLE: readonly Row[] = [
  { bound: 'MEMEX LOGS MISSIONS', storage: 'memex', mission: true, across: true },
  { bound: 'MEMEX MISSIONS', storage: 'memex', mission: true, across: false },
  { bound: 'LOGS MISSIONS', storage: 'in_context', mission: true, across: true },
  { bound: 'MISSIONS', storage: 'in_context', mission: true, across: false },
  { bound: 'MEMEX LOGS', storage: 'memex', mission: false, across: false },
  { bound: 'MEMEX', storage: 'memex', mission: false, across: false },
  { bound: 'LOGS', storage: 'in_context', mission: false, across: false },
  { bound: '', storage: 'in_context', mission: false, across: false },
]

const session = anthropicSession(8)
const policy = { trigger: { type: 'always' } } as const
const NO_STORAGE = { status: 503, code: 'storage_not_configured', retryable: false }
const IN_CONTEXT = /^\[masked: (read_file|grep|run_tests) result\]$/
const STORED =
  /^\[Tool: (read_file|grep|run_tests)\. Output masked\. See memex:\/\/excerpt\/[0-9a-f]{64}( as json)?\]$/

describe.each(TABLE)('with the bindings "$bound"', ({ bound, storage, mission, across }) => {
  const bindings = bound.split(' ')
  const has = (binding: string): boolean => bindings.includes(binding)
  const stored = storage === 'memex'

  /** A fresh mission behind a Worker with just these bindings; its object has no others either. */
  async function setUp(): Promise<{ api: Api; mission: string }> {
    const owner = freshOwner()
    const around = setting(`${owner.tenant}/${owner.mission}`)
    if (!has('MEMEX')) around.memex = () => null
    if (!has('LOGS')) around.logs = () => null
    const deps = createDeps({
      SIGNING_KEYS: env.SIGNING_KEYS,
      ...(has('MEMEX') ? { MEMEX: env.MEMEX } : {}),
      ...(has('LOGS') ? { LOGS: env.LOGS } : {}),
      ...(has('MISSIONS') ? { MISSIONS: env.TEST_MISSIONS } : {}),
    })
    const app = createApp(deps)
    const token = await rootToken(signer, owner.tenant)
    return { api: createApi((request) => app.fetch(request), token), mission: owner.mission }
  }

  const masked = async () => {
    const { api, mission: id } = await setUp()
    const answer = await api.ok('mask', { mission: id, body: { request: session, policy } })
    return { api, mission: id, answer }
  }

  test('healthz names them', async () => {
    const { api } = await setUp()
    expect((await api.ok('health')).bindings).toEqual({
      memex: has('MEMEX'),
      logs: has('LOGS'),
      missions: has('MISSIONS'),
    })
  })

  test(`masking writes ${stored ? 'refs' : 'in-context placeholders'}`, async () => {
    const { answer } = await masked()
    expect(answer).toMatchObject({ storage, masked: answer.decisions.length - 3 })
    const { edits = [] } = await (
      await setUp()
    ).api.ok('mask', { mission: 'm', body: { request: session, policy, return: 'edits' } })
    expect(edits).toHaveLength(answer.masked)
    for (const { placeholder, ref } of edits) {
      expect(placeholder).toMatch(stored ? STORED : IN_CONTEXT)
      expect(ref !== null).toBe(stored)
    }
  })

  test('the log entry is in the answer, and advice where there is a mission', async () => {
    const { answer } = await masked()
    expect(answer.log_entry).toMatchObject({ masked: answer.masked })
    expect(answer.log_entry?.items).toHaveLength(answer.masked)
    expect(answer.advice === null).toBe(!mission)
  })

  test('the percent trigger knows the window from the model', async () => {
    const { api, mission: id } = await setUp()
    const full = { ...session, model: 'gpt-4' }
    const answer = await api.ok('mask', { mission: id, body: { request: full } })
    expect(answer.context.before).toBeGreaterThan(70)
    expect(answer.context.after).toBeLessThan(answer.context.before ?? 0)
    expect(answer.masked).toBeGreaterThan(0)
  })

  test(`from turn 20 on ${stored ? 'no warning comes' : 'a warning says that this is too long'}`, async () => {
    const { api, mission: id } = await setUp()
    const warnings = stored ? undefined : ['session_too_long_for_in_context_masking']
    for (const turns of [19, 20]) {
      const body = { request: anthropicSession(turns, 40), policy }
      const answer = await api.ok('mask', { mission: id, body })
      expect(answer.warnings).toEqual(turns < 20 ? undefined : warnings)
      if (!mission) continue
      const report = await api.ok('report_context', {
        mission: id,
        body: { request: body.request },
      })
      expect(report.warnings).toEqual(turns < 20 ? undefined : warnings)
    }
  })

  test('masking again changes nothing', async () => {
    const { api, mission: id, answer } = await masked()
    const again = await api.ok('mask', { mission: id, body: { request: answer.request, policy } })
    expect(again).toMatchObject({ masked: 0, log_entry: null })
    expect(again.request).toEqual(answer.request)
  })

  test(`unmasking ${stored ? 'restores all' : 'says that there is no ref'}`, async () => {
    const { api, mission: id, answer } = await masked()
    const restored = await api.ok('unmask', {
      mission: id,
      body: {
        request: answer.request,
        ...(mission ? {} : { log_entries: [answer.log_entry] }),
      },
    })
    expect(restored.restored).toBe(stored ? answer.masked : 0)
    expect(restored.not_restored).toHaveLength(stored ? 0 : answer.masked)
    expect(restored.request).toEqual(stored ? session : answer.request)
  })

  test(`mission routes are answered${mission ? '' : ' with 503'}`, async () => {
    const { api, mission: id } = await setUp()
    const calls = [
      ['put_mission', { body: { window_tokens: 1000 } }],
      ['report_context', { body: { used_percentage: 71 } }],
      ['get_mission', {}],
      ['context_history', {}],
      ['mission_log', { log: 'masking' }],
      ['delete_mission', {}],
    ] as const
    for (const [name, rest] of calls) {
      const response = await api.send(name, { mission: id, ...rest })
      if (mission) expect(response.status, `${name}`).toBeLessThan(300)
      else expect(await response.json(), `${name}`).toMatchObject(NO_STORAGE)
    }
  })

  test(`the log of one mission is answered${mission ? ' by its object' : ' with 503'}`, async () => {
    const { api, mission: id, answer } = await masked()
    const sent = { mission: id, log: 'masking' }
    if (mission) expect((await api.ok('mission_log', sent)).items).toEqual([answer.log_entry])
    else expect(await api.refused('mission_log', sent)).toMatchObject(NO_STORAGE)
  })

  test(`lists across missions are answered${across ? '' : ' with 503'}`, async () => {
    const { api, mission: id, answer } = await masked()
    if (across)
      await eventually(async () => {
        expect((await api.ok('masking_log')).items).toEqual([{ mission: id, ...answer.log_entry }])
        expect((await api.ok('list_missions')).items).toMatchObject([{ id }])
      })
    else
      for (const name of ['masking_log', 'list_missions'] as const)
        expect(await api.refused(name)).toMatchObject(NO_STORAGE)
  })

  test(`excerpt routes are answered${has('MEMEX') ? '' : ' with 503'}`, async () => {
    const { api, mission: id } = await setUp()
    const bytes = utf8('evidence')
    const digest = await sha256(bytes)
    const calls = [
      ['write_excerpt', { body: bytes }],
      ['put_excerpt', { sha256: digest, body: bytes }],
      ['read_excerpt', { sha256: digest }],
      ['read_excerpts', { body: { refs: [`memex://excerpt/${digest}`] } }],
      ['list_excerpts', {}],
    ] as const
    for (const [name, rest] of calls) {
      const response = await api.send(name, { mission: id, ...rest })
      if (has('MEMEX')) expect(response.status, `${name}`).toBeLessThan(300)
      else expect(await response.json(), `${name}`).toMatchObject(NO_STORAGE)
    }
  })

  test('counting and the fold linter need no storage', async () => {
    const { api } = await setUp()
    const counted = await api.ok('count_tokens', { body: { request: session } })
    expect(counted).toMatchObject({ format: 'anthropic_messages', encoding: 'o200k_base' })
    const documents = { mission_md: '# M\n', findings_md: '# F\n', fold_md: '# Fold\n' }
    expect(await api.ok('check_fold', { body: documents })).toMatchObject({ accepted: false })
  })

  test('a token is minted, and revoked where the list of revoked ones can be kept', async () => {
    const { api } = await setUp()
    const { jti } = await api.ok('mint_token', {
      body: { scope: ['memex:read'], expires_in_s: 60 },
    })
    const response = await api.send('revoke_token', { jti })
    if (has('MEMEX')) expect(await response.json()).toEqual({ revoked: true })
    else expect(await response.json()).toMatchObject(NO_STORAGE)
  })
})
