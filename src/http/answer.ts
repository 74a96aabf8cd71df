import { renderJson } from '../contract/json-source.ts'
import type { Answer, Content, Outcome } from '../contract/operation.ts'
import { problemFor } from '../contract/problem.ts'
import type { Failure, FailureCode } from '../domain/failure.ts'

const STATUS: Readonly<Record<Outcome, number>> = { ok: 200, created: 201, accepted: 202 }

const MEDIA_TYPES = {
  bytes: 'application/octet-stream',
  markdown: 'text/markdown; charset=utf-8',
  tar: 'application/x-tar',
} as const

/** The response of an operation that succeeded. */
export function answered(content: Content, answer: Answer<unknown>): Response {
  const json = typeof content !== 'string'
  const body = json ? renderJson(answer.body) : (answer.body as BodyInit)
  return new Response(body, {
    status: STATUS[answer.outcome],
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
}

function challenge(code: FailureCode): Record<string, string> {
  const words = CHALLENGES[code]
  return words === undefined ? {} : { 'www-authenticate': words }
}
