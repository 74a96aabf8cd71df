import { utf8 } from '../../bytes.ts'
import type { Bytes } from '../../bytes.ts'
import { formatRef, sha256 } from '../../digest.ts'
import type { Sha256 } from '../../digest.ts'
import { sourceAt } from '../../json/source.ts'
import type { CountTokens } from '../../tokens.ts'
import { formatPlaceholder, parsePlaceholder } from '../masks/placeholder.ts'
import type { ObservedEvent } from './observed.ts'

/** What a tool printed, as it would be stored. */
export interface OutputEvidence {
  readonly form: 'text' | 'json'
  readonly text: string
  readonly bytes: Bytes
}

/** How an output stands in the context, and what a mask of it saves. */
type Standing = Pick<ObservedEvent['output'], 'ref' | 'placeholder' | 'saved_tokens' | 'unstorable'>

interface JudgedOutput {
  readonly tokens: number
  /** Of its bytes: what tells it again in a transcript, stored or not. */
  readonly digest: Sha256
  /** How it stands with nothing stored for it. */
  readonly stays: Standing
  /** Null where it is not worth a place in the Memex. */
  readonly worth: Worth | null
}

/** What is to be stored, and how the output stands once it is, or where it can't be. */
export interface Worth {
  readonly stored: Standing
  readonly unstorable: Standing
}

/** A text is its own evidence; anything else is kept as the JSON that stands at `/output`. */
export function outputEvidence(output: unknown, source: string): OutputEvidence {
  if (typeof output === 'string' && output.isWellFormed())
    return { form: 'text', text: output, bytes: utf8(output) }
  const text = sourceAt(source, '/output') ?? JSON.stringify(output ?? null)
  return { form: 'json', text, bytes: utf8(text) }
}

/** Judges whether an output is worth storing: one that costs no more than its placeholder stays. */
export async function judgeOutput(
  { tool, is_error }: Pick<ObservedEvent['output'], 'tool' | 'is_error'>,
  { form, text, bytes }: OutputEvidence,
  count: CountTokens,
  storage: 'memex' | 'in_context',
): Promise<JudgedOutput> {
  const tokens = count(text)
  const inContext = formatPlaceholder({ tool, ref: null })
  const stays = { ref: null, placeholder: inContext, saved_tokens: 0 }
  const digest = await sha256(bytes)
  if (parsePlaceholder(text) !== null) return { tokens, digest, stays, worth: null }
  const bare = { ...stays, saved_tokens: Math.max(0, tokens - count(inContext)) }
  if (storage === 'in_context') return { tokens, digest, stays: bare, worth: null }
  const ref = formatRef(digest)
  const placeholder = formatPlaceholder({ tool, ref, form, is_error, extract: null })
  const saved_tokens = tokens - count(placeholder)
  if (saved_tokens <= 0) return { tokens, digest, stays, worth: null }
  const stored = { ref, placeholder, saved_tokens }
  return { tokens, digest, stays, worth: { stored, unstorable: { ...bare, unstorable: true } } }
}
