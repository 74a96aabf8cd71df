import type * as z from 'zod'
import type { Failure, PointerError } from '../domain/failure.ts'
import { failure, MAX_ERRORS } from '../domain/failure.ts'
import type { Result } from '../domain/result.ts'
import { err, ok } from '../domain/result.ts'

/**
 * Reads a value through its schema. What is wrong becomes `invalid_input`, each error with an
 * RFC 6901 pointer below `prefix` (`/query` for parameters, empty for a body).
 */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  prefix = '',
): Result<z.output<Schema>, Failure> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return ok(parsed.data)
  const errors = parsed.error.issues.flatMap((issue) => pointed(issue, prefix))
  return err(failure('invalid_input', { errors: errors.slice(0, MAX_ERRORS) }))
}

function pointed(issue: z.core.$ZodIssue, prefix: string): PointerError[] {
  const at = `${prefix}${issue.path.map((segment) => `/${escaped(String(segment))}`).join('')}`
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ pointer: `${at}/${escaped(key)}`, detail: 'unknown key' }))
  return [{ pointer: at, detail: issue.message }]
}

const escaped = (segment: string): string =>
  segment.slice(0, 64).replaceAll('~', '~0').replaceAll('/', '~1')
