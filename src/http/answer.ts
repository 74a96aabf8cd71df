import { MEDIA_TYPES, OUTCOME_STATUS } from '../contract/answer.ts'
import { renderJson } from '../contract/json-source.ts'
import type { Answer, Content } from '../contract/operation.ts'
import { problemFor } from '../contract/problem.ts'
import type { Failure, FailureCode } from '../domain/failure.ts'

/** The response of an operation that succeeded. */
export function answered(content: Content, answer: Answer<unknown>): Response {
  if (answer.outcome === 'empty')
    return new Response(null, { status: 204, headers: { 'cache-control': 'no-store' } })
  const json = typeof content !== 'string'
  const body = json ? renderJson(answer.body) : (answer.body as BodyInit)
  return new Response(body, {
    status: OUTCOME_STATUS[answer.outcome],
    headers: {
      'content-type': json ? 'application/json' : MEDIA_TYPES[content],
      'cache-control': 'no-store',
      ...answer.headers,
    },
  })
}

/** The response of one that was refused: RFC 9457, never cached. */
export function refused(failure: Failure): Response {
  const problem = problemFor(failure)
  return new Response(JSON.stringify(problem), {
    status: problem.status,
    headers: {
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      ...challenge(failure.code),
      ...(problem.retryable ? { 'retry-after': '2' } : {}),
    },
  })
}

// RFC 6750 section 3: who has no token is asked for one; a bad one, or one too weak, is named so.
const CHALLENGES: Partial<Record<FailureCode, string>> = {
  unauthorized: 'Bearer',
  invalid_token: 'Bearer error="invalid_token"',
  token_expired: 'Bearer error="invalid_token"',
  token_revoked: 'Bearer error="invalid_token"',
  insufficient_scope: 'Bearer error="insufficient_scope"',
  // RFC 9110 section 15.5.2: every 401 has a challenge; this one is a name of ours.
  webhook_signature_invalid: 'StandardWebhooks',
  webhook_timestamp_out_of_range: 'StandardWebhooks',
}

function challenge(code: FailureCode): Record<string, string> {
  const words = CHALLENGES[code]
  return words === undefined ? {} : { 'www-authenticate': words }
}
