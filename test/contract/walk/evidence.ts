import type { Recorder } from './recorder.ts'
import { SESSION, source } from './session.ts'

const NOWHERE = '0'.repeat(64)
const ALWAYS = { trigger: { type: 'always' }, keep: 1 }
export const mission = 'refund-limits'

/** Calls about the service, tokens and missions. */
export async function walkAccess({ ok, refused, token }: Recorder): Promise<void> {
  await ok('health')

  const minted = await ok('mint_token', {
    body: { scope: ['memex:read', 'mission:read'], mission, expires_in_s: 3600 },
  })
  await refused('scopes_conflict', 'mint_token', {
    body: { scope: ['fold:submit', 'fold:check'], expires_in_s: 3600 },
  })
  await refused('scope_not_held', 'mint_token', {
    token: minted.token,
    body: { scope: ['mission:write'], expires_in_s: 60 },
  })
  await ok('revoke_token', { jti: minted.jti })
  await refused('token_revoked', 'get_mission', { mission, token: minted.token })
  await refused('invalid_identifier', 'revoke_token', { jti: 'x' })

  const body = { objective: 'Find which jobs pay out refunds.', max_tool_calls: 60 }
  await refused('mission_not_found', 'get_mission', { mission })
  await ok('put_mission', { mission, body: { ...body, model: 'claude-sonnet-4-5' } })
  await ok('put_mission', { mission, body: { window_tokens: 4000, policy: ALWAYS } })
  await refused('invalid_input', 'put_mission', { mission, body: { keep: 3 } })
  await refused('unauthorized', 'get_mission', { mission, token: null })
  await refused('invalid_token', 'list_missions', { token: 'not.a.token' })
  await ok('get_mission', { mission })
  await ok('list_missions', { query: { q: 'refund' } })
  await refused('insufficient_scope', 'delete_mission', {
    mission,
    token: await token({ scope: ['mission:write'] }),
  })
}

/** Writes, reads and lists excerpts. */
export async function walkMemex({ ok, refused }: Recorder): Promise<void> {
  const query = { kind: 'excerpt', source: 'app/jobs/pay_refund.rb:42-78', tool: 'read_file' }
  const body = source('app/jobs/pay_refund.rb')
  const { ref, sha256 } = await ok('write_excerpt', { mission, query, body })
  await ok('write_excerpt', { mission, query, body })
  await refused('kind_not_evidence', 'write_excerpt', { mission, query: { kind: 'summary' }, body })
  await refused('secret_detected', 'write_excerpt', { mission, body: SECRET })
  await refused('digest_mismatch', 'put_excerpt', { mission, sha256: NOWHERE, body })
  await ok('put_excerpt', { mission, sha256, query, body })
  await ok('put_excerpt', {
    mission: 'refund-retries',
    sha256,
    query: { source: 'app/jobs/pay_refund.rb:42-78' },
    body,
  })

  await ok('read_excerpt', { mission, sha256 })
  await refused('excerpt_not_found', 'read_excerpt', { mission, sha256: NOWHERE })
  await refused('invalid_digest', 'read_excerpt', { mission, sha256: 'abc' })
  await refused('range_not_satisfiable', 'read_excerpt', {
    mission,
    sha256,
    headers: { range: 'bytes=100000-' },
  })
  const refs = [ref, `memex://excerpt/${NOWHERE}`]
  await ok('read_excerpts', { mission, body: { refs } })
  await refused('invalid_input', 'read_excerpts', { mission, body: { refs: [] } })
  await ok('list_excerpts', { mission, query: { limit: 1 } })
  await refused('mission_not_found', 'list_excerpts', { mission: 'never-opened' })
}

/** Shaped like a key of a cloud provider; it opens nothing. */
const SECRET = `aws_secret_access_key = "${'wJalrXUtnFEMI/K7MDENG/bPxRfiCY'}${'zzEXAMPLE1'}"`

/** Masks and unmasks tool outputs. */
export async function walkMasking({ ok, refused }: Recorder): Promise<void> {
  await ok('observe', {
    mission,
    body: {
      call_id: 'toolu_1',
      tool: 'read_file',
      turn: 1,
      input: { path: 'app/jobs/pay_refund.rb' },
      output: source('app/jobs/pay_refund.rb'),
    },
  })
  await refused('invalid_input', 'observe', {
    mission,
    body: { call_id: 'toolu_1', tool: 'read file', turn: 1, output: '' },
  })
  const place = { mission, turn: 3, call_id: 'toolu_3' }
  await ok('put_retention', { ...place, body: { decision: 'keep' } })
  await refused('malformed_json', 'put_retention', { ...place, body: '{"decision":' })

  await ok('count_tokens', { body: { request: SESSION } })
  await refused('invalid_input', 'count_tokens', { body: { request: SESSION, text: 'Hello.' } })
  await ok('plan_mask', { mission, body: { request: SESSION } })
  const masked = await ok('mask', { mission, body: { request: SESSION } })
  await refused('format_unknown', 'mask', { mission, body: { request: { prompt: 'Hello.' } } })
  await refused('window_unknown', 'plan_mask', {
    mission: 'no-window',
    body: { request: { ...SESSION, model: 'my-own' } },
  })
  await ok('unmask', { mission, body: { request: masked.request, return: 'edits', pin: true } })
  await refused('mission_not_found', 'unmask', {
    mission: 'never-opened',
    body: { request: masked.request },
  })
  await ok('mission_log', { mission, log: 'masking' })
  await refused('not_found', 'mission_log', { mission, log: 'thinking' })
  await ok('masking_log', { query: { tool: 'read_file' } })
  await refused('invalid_input', 'masking_log', { query: { since: 'yesterday' } })
}

/** Reports contexts, and reads percentages and advice. */
export async function walkContext({ ok, refused }: Recorder): Promise<void> {
  await ok('report_context', {
    mission,
    body: {
      turn: 4,
      usage: {
        input_tokens: 420,
        cache_read_input_tokens: 2300,
        cache_creation_input_tokens: 180,
        output_tokens: 95,
      },
    },
  })
  await refused('window_unknown', 'report_context', {
    mission: 'no-window',
    body: { characters: 35_000 },
  })
  await ok('context_history', { mission, query: { limit: 2 } })
  await refused('mission_not_found', 'context_history', { mission: 'never-opened' })
  await ok('session_cost', { mission })
  await refused('mission_not_found', 'session_cost', { mission: 'never-opened' })
}
