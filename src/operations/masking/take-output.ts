import { utf8 } from '../../domain/bytes.ts'
import type { Bytes } from '../../domain/bytes.ts'
import { formatRef, sha256 } from '../../domain/digest.ts'
import type { Ref } from '../../domain/digest.ts'
import { sourceAt } from '../../domain/json/source.ts'
import type { ObservedEvent } from '../../domain/masking/observation/observed.ts'
import { MAX_EXCERPT_BYTES } from '../../domain/memex/excerpt.ts'
import type { CountTokens } from '../../domain/tokens.ts'
import type { Unstorable } from '../../domain/masking/plan/decision.ts'
import { formatPlaceholder, parsePlaceholder } from '../../domain/masking/placeholder.ts'
import type { Deps, Owner } from '../../ports.ts'
import { holdsSecret } from '../memex/scan-evidence.ts'

export type TakeDeps = Pick<Deps, 'memex' | 'loadTokens' | 'loadSecrets' | 'report'>

/** One finished tool call, with what it printed. */
export interface ToolOutput {
  readonly call_id: string
  readonly turn: number
  readonly tool: string
  readonly input?: unknown
  readonly output: unknown
  readonly is_error: boolean
}

/** What a mission is to be told of an output that was taken in. */
export interface Taken {
  readonly output: ObservedEvent['output']
  readonly input_tokens: number
  readonly warnings: readonly string[]
}

/**
 * Takes one tool output in: counts it, and stores it where it costs more than its placeholder.
 * `source` is JSON that has the output at `/output`, as it was sent.
 */
export async function takeOutput(
  deps: TakeDeps,
  owner: Owner,
  call: ToolOutput,
  source: string,
  at: string,
): Promise<Taken> {
  const count = await deps.loadTokens()
  const evidence = evidenceOf(call.output, source)
  const { warnings, ...kept } = await keep(deps, owner, call, evidence, count, at)
  const { call_id, input, is_error, tool, turn } = call
  return {
    output: {
      call_id,
      turn,
      tool,
      form: evidence.form,
      is_error,
      bytes: evidence.bytes.length,
      ...kept,
    },
    input_tokens: input === undefined ? 0 : count(JSON.stringify(input)),
    warnings,
  }
}

interface Evidence {
  readonly form: 'text' | 'json'
  readonly text: string
  readonly bytes: Bytes
}

/** A text is its own evidence; anything else is kept as the JSON that was sent. */
function evidenceOf(output: unknown, source: string): Evidence {
  if (typeof output === 'string' && output.isWellFormed())
    return { form: 'text', text: output, bytes: utf8(output) }
  const text = sourceAt(source, '/output') ?? JSON.stringify(output ?? null)
  return { form: 'json', text, bytes: utf8(text) }
}

interface Kept {
  readonly tokens: number
  readonly ref: Ref | null
  readonly placeholder: string
  readonly saved_tokens: number
  readonly unstorable?: true
  readonly warnings: readonly string[]
}

/** Stores what is worth it: an output that costs no more than its placeholder stays where it is. */
async function keep(
  deps: TakeDeps,
  owner: Owner,
  call: ToolOutput,
  { form, text, bytes }: Evidence,
  count: CountTokens,
  at: string,
): Promise<Kept> {
  const { tool, is_error } = call
  const tokens = count(text)
  const inContext = formatPlaceholder({ tool, ref: null })
  const stays = { tokens, ref: null, placeholder: inContext, saved_tokens: 0, warnings: [] }
  if (parsePlaceholder(text) !== null) return stays
  const bare = Math.max(0, tokens - count(inContext))
  if (deps.memex === null) return { ...stays, saved_tokens: bare }
  const digest = await sha256(bytes)
  const ref = formatRef(digest)
  const placeholder = formatPlaceholder({ tool, ref, form, is_error, extract: null })
  const saved_tokens = tokens - count(placeholder)
  if (saved_tokens <= 0) return stays
  const refused = (why: Unstorable): Kept => ({
    ...stays,
    saved_tokens: bare,
    unstorable: true,
    warnings: [why],
  })
  if (bytes.length > MAX_EXCERPT_BYTES) return refused('too_large')
  if (await holdsSecret(deps, bytes)) return refused('secret')
  const source = `turn ${call.turn}, call ${call.call_id}`
  try {
    await deps.memex.put(owner, digest, bytes, { kind: 'tool_output', tool, source, stored_at: at })
  } catch (error) {
    deps.report({ level: 'error', event: 'store_failed', error: String(error), ...owner })
    return refused('store_failed')
  }
  return { tokens, ref, placeholder, saved_tokens, warnings: [] }
}
