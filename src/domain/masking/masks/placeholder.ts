import { formatRef, parseRef, type Ref } from '../../digest.ts'

/** What stands where a masked tool result was. Without a ref nothing was stored. */
export type Placeholder =
  | {
      readonly tool: string
      readonly ref: Ref
      /** `json`: the excerpt is the JSON source of the value, not its text. */
      readonly form: 'text' | 'json'
      readonly is_error: boolean
      /** Path of the extract in the mission's memory. */
      readonly extract: string | null
    }
  | { readonly tool: string; readonly ref: null }

export const UNKNOWN_TOOL = 'unknown_tool'
/** What a stored placeholder costs in o200k tokens: nothing shorter is worth masking. */
export const PLACEHOLDER_TOKENS = 57
const MAX_TOOL = 128
const MAX_EXTRACT = 256
/** Nothing longer can be a placeholder: the longest tool, path and digest with the words between. */
const MAX_PLACEHOLDER = 640
const TOOL = /^[A-Za-z0-9_-]{1,128}$/
const EXTRACT = /^[A-Za-z0-9_./-]{1,256}$/

/** The placeholder's text, one line; `tool` and `extract` as `parsePlaceholder` gives them. */
export function formatPlaceholder(placeholder: Placeholder): string {
  const { tool, ref } = placeholder
  if (!TOOL.test(tool)) throw new Error('not a tool name')
  if (ref === null) return `[masked: ${tool} result]`
  const { extract, is_error, form } = placeholder
  if (extract !== null && !EXTRACT.test(extract)) throw new Error('not an extract path')
  const what = is_error ? 'Error output' : 'Output'
  const path = extract === null ? '' : extractClause(extract)
  return `[Tool: ${tool}. ${what} masked. See${path} ${ref}${form === 'json' ? ' as json' : ''}]`
}

/** What a placeholder says more where its result has an extract. */
export const extractClause = (path: string): string => ` extract at ${path}, raw at`

/** The parts of a text that is exactly one placeholder, or null. */
export function parsePlaceholder(text: string): Placeholder | null {
  if (text.length > MAX_PLACEHOLDER || !text.endsWith(']')) return null
  const inner = text.slice(0, -1)
  if (inner.startsWith('[masked: ') && inner.endsWith(' result')) {
    const tool = inner.slice('[masked: '.length, -' result'.length)
    return TOOL.test(tool) ? { tool, ref: null } : null
  }
  return inner.startsWith('[Tool: ') ? parseStored(inner.slice('[Tool: '.length)) : null
}

/** The name that a placeholder gives a tool: what providers don't allow becomes `_`, so it can't forge. */
export function placeholderTool(tool: string | null): string {
  if (tool === null || tool === '') return UNKNOWN_TOOL
  return tool.slice(0, MAX_TOOL).replaceAll(/[^A-Za-z0-9_-]/g, '_')
}

/** Whether a path may stand in a placeholder. */
export const isExtractPath = (path: string): boolean =>
  path.length <= MAX_EXTRACT && EXTRACT.test(path)

function parseStored(rest: string): Placeholder | null {
  const dot = rest.indexOf('. ')
  if (dot === -1 || !TOOL.test(rest.slice(0, dot))) return null
  const tool = rest.slice(0, dot)
  const after = rest.slice(dot + 2)
  const is_error = after.startsWith('Error output masked. See ')
  if (!is_error && !after.startsWith('Output masked. See ')) return null
  let where = after.slice((is_error ? 'Error output' : 'Output').length + ' masked. See '.length)
  const form = where.endsWith(' as json') ? 'json' : 'text'
  if (form === 'json') where = where.slice(0, -' as json'.length)
  let extract: string | null = null
  if (where.startsWith('extract at ')) {
    const comma = where.indexOf(', raw at ')
    if (comma === -1) return null
    extract = where.slice('extract at '.length, comma)
    if (!EXTRACT.test(extract)) return null
    where = where.slice(comma + ', raw at '.length)
  }
  const digest = parseRef(where)
  return digest === null ? null : { tool, ref: formatRef(digest), form, is_error, extract }
}
