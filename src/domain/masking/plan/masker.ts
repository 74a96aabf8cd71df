import { utf8 } from '../../bytes.ts'
import type { Sha256 } from '../../digest.ts'
import { formatRef, sha256 } from '../../digest.ts'
import { locate } from '../../json/source.ts'
import type { CountTokens } from '../../tokens.ts'
import type { ToolResult } from '../../transcript/lens.ts'
import type { MaskRecord } from '../masks/mask-record.ts'
import type { Placeholder } from '../masks/placeholder.ts'
import { formatPlaceholder, isExtractPath, placeholderTool } from '../masks/placeholder.ts'
import type { Mask, Target } from './decision.ts'

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

/** What is known of a result: the path of its extract, and the record of a mask that was lifted. */
export interface Known {
  readonly extract: string | null
  readonly record: MaskRecord | null
}

export interface Masker {
  /** How to mask a result whose evidence is this text and which costs so many tokens now. */
  mask(result: ToolResult, evidence: string, tokens: number, known: Known): Promise<Mask>
}

/** Makes masks; with `fallback` also the placeholder for bytes that can't be stored. */
export function createMasker(
  storage: 'memex' | 'in_context',
  fallback: boolean,
  count: CountTokens,
): Masker {
  return {
    async mask(result, evidence, tokens, { extract, record }) {
      const excerpt = utf8(evidence)
      const digest = await sha256(excerpt)
      const bare = { tool: placeholderTool(result.tool), ref: null } as const
      const inContext = maskWith(bare, result, digest, tokens, count)
      if (storage === 'in_context') return inContext
      const path = extract !== null && isExtractPath(extract) ? extract : null
      const { form, is_error, tool } = { ...formOf(result), ...bare }
      const parts = { tool, ref: formatRef(digest), form, is_error, extract: path }
      const known = record?.ref === parts.ref ? record.placeholder : undefined
      const mask = maskWith(parts, result, digest, tokens, count, known)
      return { ...mask, excerpt, fallback: fallback ? inContext : null }
    },
  }
}

/** How a result that was masked before is masked again. */
export const maskOf = (result: ToolResult, record: MaskRecord): Mask => ({
  placeholder: record.placeholder,
  ref: record.ref,
  digest: record.digest,
  form: record.form,
  excerpt: null,
  target: targetOf(result),
  saved_tokens: record.saved_tokens,
  fallback: null,
})

function maskWith(
  parts: Placeholder,
  result: ToolResult,
  digest: Sha256,
  tokens: number,
  count: CountTokens,
  placeholder = formatPlaceholder(parts),
): Mask {
  return {
    placeholder,
    ref: parts.ref,
    digest,
    form: formOf(result).form,
    excerpt: null,
    target: targetOf(result),
    saved_tokens: tokens - count(placeholder),
    fallback: null,
  }
}

const formOf = (result: ToolResult) =>
  ({ form: isPlainText(result) ? 'text' : 'json', is_error: result.is_error }) as const

function targetOf(result: ToolResult): Target {
  if (isPlainText(result)) return { pointer: result.pointer, before: '', after: '' }
  const { pointer, before, after } = result.whole
  return { pointer, before, after }
}

/** A lone surrogate has no UTF-8: such a text is stored as the JSON that spells it. */
export const isPlainText = (result: ToolResult): result is ToolResult & { readonly text: string } =>
  result.text !== null && result.text.isWellFormed()

/** Source text that came as UTF-8 has none; a caller's own string may. */
const escapeLone = (json: string): string =>
  json.isWellFormed()
    ? json
    : json.replaceAll(/\p{Cs}/gu, (unit) => `\\u${unit.charCodeAt(0).toString(16)}`)
