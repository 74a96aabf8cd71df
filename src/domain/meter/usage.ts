import type { Failure, PointerError } from '../failure.ts'
import { failure } from '../failure.ts'
import type { Result } from '../result.ts'
import { err, ok } from '../result.ts'

/** What the provider says of one call, in tokens. */
export interface CallUsage {
  /** The whole prompt, tokens read from or written to a cache among them, once. */
  readonly prompt_tokens: number
  readonly cache_read_tokens: number
  readonly cache_write_tokens: number
  readonly output_tokens: number
}

/**
 * Reads a usage object of the last call: Anthropic Messages, OpenAI Chat Completions or Responses, or
 * Gemini. Anthropic's `input_tokens` leaves the cached ones out, everybody else's count has them in.
 * What is no such object is `invalid_input` with a pointer below `at`.
 */
export function parseUsage(usage: unknown, at = '/usage'): Result<CallUsage, Failure> {
  if (typeof usage !== 'object' || usage === null || Array.isArray(usage))
    return err(invalid([{ pointer: at, detail: 'must be a usage object' }]))
  const read = reader(usage as Fields, at)
  const call = shapeOf(usage as Fields)(read)
  if (call === null)
    return err(
      invalid([{ pointer: at, detail: 'has no input_tokens, prompt_tokens or promptTokenCount' }]),
    )
  if (read.errors.length > 0) return err(invalid(read.errors))
  if (call.cache_read_tokens + call.cache_write_tokens > call.prompt_tokens)
    return err(invalid([{ pointer: at, detail: 'counts more cached tokens than prompt tokens' }]))
  return ok(call)
}

type Fields = Readonly<Record<string, unknown>>
type Reader = ReturnType<typeof reader>
type Shape = (read: Reader) => CallUsage | null

function shapeOf(usage: Fields): Shape {
  if ('prompt_tokens' in usage) return chatCompletions
  if ('promptTokenCount' in usage) return gemini
  if (!('input_tokens' in usage)) return () => null
  const anthropic = 'cache_read_input_tokens' in usage || 'cache_creation_input_tokens' in usage
  return anthropic ? messages : responses
}

const messages: Shape = (read) => {
  const cache_read_tokens = read.optional('cache_read_input_tokens')
  const cache_write_tokens = read.optional('cache_creation_input_tokens')
  const uncached = read.required('input_tokens')
  return {
    prompt_tokens: uncached + cache_read_tokens + cache_write_tokens,
    cache_read_tokens,
    cache_write_tokens,
    output_tokens: read.optional('output_tokens'),
  }
}

const responses: Shape = (read) => ({
  prompt_tokens: read.required('input_tokens'),
  cache_read_tokens: read.optional('input_tokens_details', 'cached_tokens'),
  cache_write_tokens: 0,
  output_tokens: read.optional('output_tokens'),
})

const chatCompletions: Shape = (read) => ({
  prompt_tokens: read.required('prompt_tokens'),
  cache_read_tokens: read.optional('prompt_tokens_details', 'cached_tokens'),
  cache_write_tokens: 0,
  output_tokens: read.optional('completion_tokens'),
})

const gemini: Shape = (read) => ({
  prompt_tokens: read.required('promptTokenCount'),
  cache_read_tokens: read.optional('cachedContentTokenCount'),
  cache_write_tokens: 0,
  output_tokens: read.optional('candidatesTokenCount'),
})

function reader(usage: Fields, at: string) {
  const errors: PointerError[] = []
  const tokens = (value: unknown, path: readonly string[]): number => {
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value
    errors.push({
      pointer: [at, ...path].join('/'),
      detail: 'must be a whole number of tokens, 0 or more',
    })
    return 0
  }
  return {
    errors,
    required: (name: string): number => tokens(usage[name], [name]),
    /** 0 where the field or the object around it is missing or null. */
    optional(name: string, inner?: string): number {
      const value = usage[name] ?? null
      if (value === null) return 0
      if (inner === undefined) return tokens(value, [name])
      const nested = typeof value === 'object' ? ((value as Fields)[inner] ?? null) : value
      return nested === null ? 0 : tokens(nested, [name, inner])
    },
  }
}

const invalid = (errors: readonly PointerError[]): Failure =>
  failure('invalid_input', { detail: 'The usage object can not be read.', errors })
