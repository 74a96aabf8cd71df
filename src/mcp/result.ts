import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { CallToolResult } from '@modelcontextprotocol/server'
import { problemFor } from '../contract/problem.ts'
import type { Failure } from '../domain/failure.ts'
import { ok } from '../domain/result.ts'
import type { Result } from '../domain/result.ts'

type Content = CallToolResult['content']

/** An operation's answer as JSON text. */
export const jsonContent = (answer: Result<unknown, Failure>): Result<Content, Failure> =>
  answer.ok ? ok([{ type: 'text', text: JSON.stringify(answer.value) }]) : answer

/** A failure is the same problem that HTTP answers, as `isError`. */
export const errorResult = (failure: Failure): CallToolResult => ({
  isError: true,
  content: [{ type: 'text', text: JSON.stringify(problemFor(failure)) }],
})

/** Where MCP has no result for it: a JSON-RPC error whose data is the problem. */
export function refusal(failure: Failure): ProtocolError {
  const problem = problemFor(failure)
  const code =
    problem.status >= 500 ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams
  return new ProtocolError(code, problem.title, problem)
}
