import { utf8Text } from '../domain/bytes.ts'
import type { Bytes } from '../domain/bytes.ts'
import { failure } from '../domain/failure.ts'
import type { Failure, FailureCode } from '../domain/failure.ts'
import { jsonDepthExceeds } from '../domain/json/source.ts'
import { err, ok } from '../domain/result.ts'
import type { Result } from '../domain/result.ts'

/** The deepest nesting of a JSON body. */
export const MAX_DEPTH = 64

/** A JSON body with its text as it was written. */
interface JsonBody {
  readonly value: unknown
  readonly source: string
}

/** Reads bytes as JSON, whatever the request calls them: `malformed_json`, `too_deep`. */
export function readJson(bytes: Bytes): Result<JsonBody, Failure> {
  const source = utf8Text(bytes)
  if (source === null) return err(refused('malformed_json', 'is not UTF-8'))
  if (jsonDepthExceeds(source, MAX_DEPTH))
    return err(refused('too_deep', `nests more than ${MAX_DEPTH} deep`))
  try {
    return ok({ value: JSON.parse(source) as unknown, source })
  } catch (error) {
    // V8's message quotes the input: only its position is passed on.
    const at = error instanceof Error ? /position (\d+)/.exec(error.message)?.[1] : undefined
    const where = at === undefined ? 'is not JSON' : `is not JSON at character ${at}`
    return err(refused('malformed_json', where))
  }
}

const refused = (code: FailureCode, detail: string): Failure =>
  failure(code, { errors: [{ pointer: '', detail }] })
