import type { CountTokens } from '../domain/tokens.ts'
import { createO200kCounter } from '../domain/tokens/o200k.ts'

/** The exact o200k_base counter; its vocabulary is loaded at the first use and not before. */
export async function loadTokens(): Promise<CountTokens> {
  const { default: vocabulary } = await import('gpt-tokenizer/bpeRanks/o200k_base')
  return createO200kCounter(vocabulary)
}
