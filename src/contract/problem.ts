import * as z from 'zod'
import { RANGE_TURNS, RECENT_TURNS } from '../domain/context/eligible.ts'
import type { Failure, FailureCode } from '../domain/failure.ts'
import { WEBHOOK_TOLERANCE_SECONDS } from '../domain/hooks/standard-webhooks.ts'
import { BREADCRUMB_WORDS as WORDS } from '../domain/memory/entries/breadcrumb.ts'
import { BULLETS } from '../domain/memory/entries/extract.ts'
import { SUMMARY_TOKENS } from '../domain/memory/entries/summary.ts'
import { MAX_DEPTH } from './json-body.ts'

/** RFC 9457 problem details, with a stable `code`, a hint and whether trying again can help. */
export const problem = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string().optional(),
  code: z.string(),
  hint: z.string().optional(),
  retryable: z.boolean(),
  errors: z.array(z.object({ pointer: z.string(), detail: z.string() })).optional(),
})
export type Problem = z.infer<typeof problem>

/** The problem of a failure: the only place where a code becomes a status. */
export function problemFor(failure: Failure): Problem {
  const [status, title, hint] = KINDS[failure.code]
  const advice = failure.hint ?? hint
  return {
    ...failure.members,
    type: problemType(failure.code),
    title,
    status,
    ...(failure.detail === undefined ? {} : { detail: failure.detail }),
    code: failure.code,
    ...(advice === undefined ? {} : { hint: advice }),
    retryable: RETRYABLE.has(failure.code),
    ...(failure.errors === undefined ? {} : { errors: [...failure.errors] }),
  }
}

/** A stable relative URI, `/problems/<code-with-dashes>`. */
export const problemType = (code: FailureCode): string => `/problems/${code.replaceAll('_', '-')}`

export const problemStatus = (code: FailureCode): number => KINDS[code][0]
export const problemTitle = (code: FailureCode): string => KINDS[code][1]

const RETRYABLE: ReadonlySet<FailureCode> = new Set([
  'temporarily_unavailable',
  'request_in_progress',
])

// A record over every code, so that one without a problem does not compile: status, title, hint.
const KINDS: Readonly<
  Record<FailureCode, readonly [status: number, title: string, hint?: string]>
> = {
  not_found: [404, 'No such route', 'See /openapi.json for every route.'],
  method_not_allowed: [405, 'Method not allowed', 'See the Allow header.'],
  malformed_json: [400, 'Malformed JSON'],
  invalid_input: [400, 'Invalid input', 'Each entry of errors points at a value.'],
  invalid_identifier: [
    400,
    'Invalid identifier',
    'Ids match ^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$ and are not names of object members.',
  ],
  invalid_digest: [
    400,
    'Invalid digest',
    'A digest is 64 lower-case hex digits, without a prefix.',
  ],
  invalid_utf8: [422, 'Not UTF-8'],
  too_deep: [400, 'Nested too deeply', `At most ${MAX_DEPTH} levels of nesting.`],
  body_too_large: [413, 'Body too large'],
  unsupported_media_type: [415, 'Unsupported media type', 'Send application/json.'],
  unsupported_content_encoding: [
    415,
    'Unsupported content encoding',
    'Send the body as it is, without Content-Encoding.',
  ],
  range_not_satisfiable: [416, 'Range not satisfiable'],
  idempotency_key_reused: [
    422,
    'Idempotency key reused',
    'This key was used with another body: take a new key.',
  ],
  request_in_progress: [409, 'Request in progress'],
  unauthorized: [
    401,
    'Unauthorized',
    'Send Authorization: Bearer <token>; foldex token signs one.',
  ],
  invalid_token: [401, 'Invalid token', 'Mint or sign a new token; foldex token signs one.'],
  token_expired: [401, 'Token expired', 'Mint or sign a new token.'],
  token_revoked: [401, 'Token revoked', 'Mint or sign a new token.'],
  insufficient_scope: [403, 'Insufficient scope'],
  scope_not_held: [403, 'Scope not held', 'A token can mint only what it holds itself.'],
  scopes_conflict: [
    422,
    'Scopes conflict',
    'fold:submit and fold:check are not minted together: a check would be a retry.',
  ],
  signing_keys_missing: [
    503,
    'Signing keys missing',
    'Set the secret SIGNING_KEYS; npm run deploy makes one.',
  ],
  origin_not_allowed: [
    403,
    'Origin not allowed',
    'A browser page of another site may not call this.',
  ],
  mission_not_found: [404, 'Mission not found'],
  mission_erased: [409, 'Mission erased', 'Its id is never used again.'],
  mission_halted: [
    409,
    'Mission halted',
    'A human answers the open escalation: resume, follow_up or abandon.',
  ],
  mission_completed: [
    409,
    'Mission completed',
    'It was finished, followed up or abandoned: work goes on in another mission.',
  ],
  window_unknown: [
    422,
    'Context window unknown',
    'Name a model of the table, or set window_tokens on the mission.',
  ],
  phase_backwards: [409, 'Phases move forward only'],
  gate_open: [409, 'Exit gate open', 'Each open item names its evidence.'],
  tool_budget_exhausted: [
    409,
    'Tool budget exhausted',
    'The abstract phase has 5 % of max_tool_calls. Fold with what you have.',
  ],
  excerpt_not_found: [404, 'Excerpt not found'],
  excerpt_corrupt: [500, 'Excerpt corrupt'],
  excerpt_too_large: [413, 'Excerpt too large', 'At most 8 MiB an excerpt: split it.'],
  digest_mismatch: [
    400,
    'Digest mismatch',
    'The body does not hash to the digest in the path. Nothing was stored.',
  ],
  kind_not_evidence: [
    422,
    'Not evidence',
    'Text that a model wrote is working memory: use summaries, extracts or breadcrumbs.',
  ],
  secret_detected: [
    422,
    'Secret detected',
    'Remove it; an admin may pass allow=<rule id> for a false alarm.',
  ],
  format_unknown: [422, 'Transcript format unknown', 'Name it in `format`.'],
  transcript_invalid: [422, 'Transcript invalid'],
  artifact_missing: [409, 'Artifact missing', 'PUT the missing artifacts first.'],
  artifact_too_large: [413, 'Artifact too large', 'At most 1 MiB a document.'],
  prompt_stale: [409, 'Prompt stale', 'GET the prompt again and fold from it in a clean context.'],
  fold_rejected: [
    422,
    'Fold rejected',
    'The mission was under-scoped. Do not retry with another prompt: escalate.',
  ],
  fold_already_accepted: [409, 'Fold already accepted'],
  escalation_not_found: [404, 'Escalation not found'],
  escalation_resolved: [409, 'Escalation already resolved'],
  follow_up_too_deep: [
    409,
    'Follow-up too deep',
    'A follow-up mission has no follow-up of its own: resume or abandon.',
  ],
  bullets_out_of_range: [
    422,
    'Bullets out of range',
    `An extract has ${BULLETS.least} to ${BULLETS.most} bullets.`,
  ],
  range_not_eligible: [
    422,
    'Turn range not eligible',
    `${RANGE_TURNS.least} to ${RANGE_TURNS.most} turns, none of the last ${RECENT_TURNS}.`,
  ],
  resummarization_refused: [
    422,
    'Resummarization refused',
    'Never summarize a summary: go back to the raw, delegate or switch.',
  ],
  summary_out_of_range: [
    422,
    'Summary out of range',
    `${SUMMARY_TOKENS.least} to ${SUMMARY_TOKENS.most} tokens.`,
  ],
  breadcrumb_out_of_range: [
    422,
    'Breadcrumb out of range',
    `${WORDS.from} to ${WORDS.to} words; under ${WORDS.least} or over ${WORDS.most} is refused.`,
  ],
  block_over_cap: [422, 'Block over its cap', 'Shorten it: a block is never cut.'],
  one_off_mission: [
    409,
    'One-off mission',
    'A one-off does not delegate: mask, summarize or switch.',
  ],
  memory_file_not_found: [404, 'Memory file not found', 'GET …/memory lists the files.'],
  endpoint_not_found: [404, 'Endpoint not found'],
  webhook_malformed: [400, 'Webhook malformed'],
  webhook_signature_invalid: [401, 'Webhook signature invalid'],
  webhook_timestamp_out_of_range: [
    401,
    'Webhook timestamp out of range',
    `Within ${WEBHOOK_TOLERANCE_SECONDS} seconds of now, in whole unix seconds.`,
  ],
  delivery_not_found: [404, 'Delivery not found'],
  storage_not_configured: [
    503,
    'Storage not configured',
    'GET /healthz says which bindings are there.',
  ],
  temporarily_unavailable: [503, 'Temporarily unavailable'],
  internal: [500, 'Internal error'],
}
