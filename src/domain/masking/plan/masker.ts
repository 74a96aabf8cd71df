import { utf8, type Bytes } from '../../bytes.ts'
import { formatRef, sha256, type Ref } from '../../digest.ts'
import { locate } from '../../json/source.ts'
import type { CountTokens } from '../../tokens.ts'
import type { Mask, Target } from './decision.ts'
import type { ToolResult } from '../../transcript/lens.ts'
import { formatPlaceholder, isExtractPath, placeholderTool } from '../placeholder.ts'

/** The JSON source of the values that are stored `as json`, by the pointer of their result. */
export type JsonSources = ReadonlyMap<string, string>

/** One pass over the source for all results that are not plain text. */
export function jsonSources(
  source: string,
  root: string,
  results: readonly ToolResult[],
): JsonSources {
  const structured = results.filter((result) => !isPlainText(result))
  const sources = new Map<string, string>()
  if (structured.length === 0) return sources
  const spans = locate(
    source,
    structured.map((result) => root + result.whole.pointer),
  )
  for (const result of structured) {
    const span = spans.get(root + result.whole.pointer)
    if (span !== undefined)
      sources.set(result.pointer, escapeLone(source.slice(span.start, span.end)))
  }
  return sources
}

/** The text that is stored for a result: its own, or the JSON source of its value. */
export const evidenceOf = (result: ToolResult, sources: JsonSources): string =>
  isPlainText(result) ? result.text : (sources.get(result.pointer) ?? '')

export interface Masker {
  /** How to mask a result whose evidence is this text and which costs so many tokens now. */
  mask(result: ToolResult, evidence: string, tokens: number, extract: string | null): Promise<Mask>
}

/** Makes masks; with `fallback` also the placeholder for bytes that can't be stored. */
export function createMasker(
  storage: 'memex' | 'in_context',
  fallback: boolean,
  count: CountTokens,
): Masker {
  return {
    async mask(result, evidence, tokens, extract) {
      if (storage === 'in_context') return inContext(result, tokens, count)
      const excerpt = utf8(evidence)
      const ref = formatRef(await sha256(excerpt))
      const stored = storedMask(result, excerpt, ref, extract)
      return {
        ...stored,
        saved_tokens: tokens - count(stored.placeholder),
        fallback: fallback ? inContext(result, tokens, count) : null,
      }
    },
  }
}

function storedMask(
  result: ToolResult,
  excerpt: Bytes,
  ref: Ref,
  path: string | null,
): Omit<Mask, 'saved_tokens' | 'fallback'> {
  const form = isPlainText(result) ? 'text' : 'json'
  const extract = path !== null && isExtractPath(path) ? path : null
  const tool = placeholderTool(result.tool)
  const placeholder = formatPlaceholder({ tool, ref, form, is_error: result.is_error, extract })
  return { placeholder, ref, form, extract, excerpt, target: targetOf(result) }
}

function inContext(result: ToolResult, tokens: number, count: CountTokens): Mask {
  const placeholder = formatPlaceholder({ tool: placeholderTool(result.tool), ref: null })
  return {
    placeholder,
    ref: null,
    form: isPlainText(result) ? 'text' : 'json',
    extract: null,
    excerpt: null,
    target: targetOf(result),
    saved_tokens: tokens - count(placeholder),
    fallback: null,
  }
}

function targetOf(result: ToolResult): Target {
  if (isPlainText(result)) return { pointer: result.pointer, before: '', after: '' }
  const { pointer, before, after } = result.whole
  return { pointer, before, after }
}

/** A lone surrogate has no UTF-8: such a text is stored as the JSON that spells it. */
const isPlainText = (result: ToolResult): result is ToolResult & { readonly text: string } =>
  result.text !== null && result.text.isWellFormed()

/** Source text that came as UTF-8 has none; a caller's own string may. */
const escapeLone = (json: string): string =>
  json.isWellFormed()
    ? json
    : json.replaceAll(/\p{Cs}/gu, (unit) => `\\u${unit.charCodeAt(0).toString(16)}`)
