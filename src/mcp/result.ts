import type { CallToolResult } from '@modelcontextprotocol/server'
import { problemFor } from '../contract/problem.ts'
import type { Failure } from '../domain/failure.ts'
import type { Result } from '../domain/result.ts'

/** A tool's answer as JSON text; a failure is the same problem that HTTP answers, as `isError`. */
export const toolResult = (result: Result<unknown, Failure>): CallToolResult =>
  result.ok ? textResult(JSON.stringify(result.value)) : errorResult(result.error)

export const textResult = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] })

export const errorResult = (failure: Failure): CallToolResult => ({
  isError: true,
  content: [{ type: 'text', text: JSON.stringify(problemFor(failure)) }],
})
