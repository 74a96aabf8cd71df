import type { Failure } from '../failure.ts'
import { failure } from '../failure.ts'
import type { Result } from '../result.ts'
import { err, ok } from '../result.ts'
import { MODEL_WINDOWS } from './models.ts'

interface WindowQuestion {
  readonly model?: string | null | undefined
  readonly window_tokens?: number | null | undefined
}

/** The context window in tokens: the explicit one, else the model's. Else `window_unknown`. */
export function windowTokens(question: WindowQuestion): Result<number, Failure> {
  if (typeof question.window_tokens === 'number') return ok(question.window_tokens)
  const model = question.model ?? null
  const known = model === null ? null : windowOfModel(model)
  if (known !== null) return ok(known)
  const detail =
    model === null
      ? 'Neither a model nor window_tokens is known for this mission.'
      : `The context window of the model ${JSON.stringify(model)} is not known.`
  return err(failure('window_unknown', { detail }))
}

/** Tokens are known, but nothing to set them against. */
export const windowMissing = (): Failure =>
  failure('window_unknown', {
    errors: [{ pointer: '/window_tokens', detail: 'is not there, and no known model is named' }],
  })

/**
 * The window of a model id as providers, gateways and clouds spell it: the longest id of the table
 * that it begins with, followed by a date, a suffix or nothing. Another version number is another
 * model: `gpt-5.9` and `claude-opus-4-9` are unknown, not `gpt-5` and `claude-opus-4`.
 */
export function windowOfModel(model: string): number | null {
  const id = plainId(model)
  if (id.endsWith('[1m]')) return 1_000_000
  let longest: string | null = null
  for (const known of Object.keys(MODEL_WINDOWS)) {
    if (id.startsWith(known) && known.length > (longest?.length ?? 0)) {
      if (isSuffix(id.slice(known.length))) longest = known
    }
  }
  return longest === null ? null : (MODEL_WINDOWS[longest] ?? null)
}

/** `openrouter/anthropic/claude-opus-4.7` and `us.anthropic.claude-opus-4-7-v1:0` are one model. */
function plainId(model: string): string {
  const lower = model.trim().toLowerCase()
  const name = lower.slice(lower.lastIndexOf('/') + 1)
  const claude = name.indexOf('claude-')
  if (claude === -1) return name
  return name.slice(claude).replaceAll('.', '-')
}

const isSuffix = (rest: string): boolean =>
  rest === '' || (/^[-@:[]/.test(rest) && !/^-\d{1,2}(?:[-@:[]|$)/.test(rest))
