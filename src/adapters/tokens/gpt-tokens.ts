import type { CountTokens, LoadTokenizer } from '../../domain/tokens.ts'
import { createCountCache } from '../../domain/tokens/count-cache.ts'
import { createO200kCounter } from '../../domain/tokens/o200k.ts'

/** Characters that the count cache keeps: two large transcripts, at most 8 MB of an isolate's 128. */
const CACHED_CHARS = 4_000_000

/**
 * The tokenizer of this isolate. The vocabulary is gpt-tokenizer's rank data (its own merging is
 * quadratic and miscounts U+FEFF), imported at first use so that a cold start does not pay for it.
 */
export function createTokenizer(): LoadTokenizer {
  let loading: Promise<CountTokens> | undefined
  const load = async (): Promise<CountTokens> => {
    const { default: vocabulary } = await import('gpt-tokenizer/bpeRanks/o200k_base')
    return createCountCache(createO200kCounter(vocabulary), CACHED_CHARS)
  }
  return () =>
    (loading ??= load().catch((reason: unknown) => {
      // A failed import is not remembered: the next call tries again.
      loading = undefined
      throw reason
    }))
}
