import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import type { CountTokens } from '../../src/domain/tokens.ts'

/** gpt-tokenizer's own count: exact on ordinary text, an oracle for the tests. */
export const count: CountTokens = (text) => countTokens(text, { disallowedSpecial: new Set() })
