import { isList, isObject, jsonType, type JsonObject } from '../../json/value.ts'
import { blockPieces, jsonPieces } from '../blocks.ts'
import { readContent, wholeContent } from '../content.ts'
import type { Claim, Format, Sink } from '../lens.ts'
import { plainClaim } from './plain.ts'

const CALLS: ReadonlySet<unknown> = new Set(['tool_use', 'server_tool_use', 'mcp_tool_use'])
const OWN_BLOCKS: ReadonlySet<unknown> = new Set([
  ...CALLS,
  'thinking',
  'redacted_thinking',
  'document',
  'search_result',
])

/** Anthropic Messages: `tool_use` in assistant messages, `tool_result` in the user's next one. */
export const anthropicMessages: Format = {
  name: 'anthropic_messages',
  claim,
  readMessage(message, at, sink) {
    const { role, content } = message
    if (role === 'assistant') sink.speaks()
    else sink.listens()
    if (typeof content === 'string') sink.piece({ pointer: `${at}/content`, text: content })
    else if (isList(content))
      content.forEach((block, index) => {
        readBlock(block, `${at}/content/${index}`, role === 'assistant', sink)
      })
    else if (content !== undefined && content !== null)
      sink.invalid(
        `${at}/content`,
        `must be a string or a list of blocks, not ${jsonType(content)}`,
      )
  },
}

function claim(message: JsonObject): Claim {
  const { content } = message
  if (isList(content) && content.some(isOwnBlock)) return 'own'
  return plainClaim(message)
}

function isOwnBlock(block: unknown): boolean {
  if (!isObject(block)) return false
  const { type } = block
  return (
    OWN_BLOCKS.has(type) || isResultType(type) || (type === 'image' && isObject(block['source']))
  )
}

const isResultType = (type: unknown): type is string =>
  typeof type === 'string' && (type === 'tool_result' || type.endsWith('_tool_result'))

function readBlock(block: unknown, at: string, assistant: boolean, sink: Sink): void {
  if (!isObject(block)) {
    sink.invalid(at, `must be a block, not ${jsonType(block)}`)
    return
  }
  const { type } = block
  if (isResultType(type)) readResult(block, at, sink)
  else {
    if (assistant) sink.speaks()
    if (CALLS.has(type)) readCall(block, at, sink)
    else for (const piece of blockPieces(block, at)) sink.piece(piece)
  }
}

function readCall(block: JsonObject, at: string, sink: Sink): void {
  const { id, name, input } = block
  if (typeof id !== 'string') sink.invalid(`${at}/id`, `must be a string, not ${jsonType(id)}`)
  else sink.call({ pointer: at, call_id: id, tool: typeof name === 'string' ? name : null, input })
}

/**
 * Results of the provider's own tools (web search, code execution) carry encrypted parts that it
 * wants back, and `tool_reference` blocks load tools: neither can be replaced by a text.
 */
function readResult(block: JsonObject, at: string, sink: Sink): void {
  const { type, tool_use_id, content, is_error } = block
  if (typeof tool_use_id !== 'string') {
    sink.invalid(`${at}/tool_use_id`, `must be a string, not ${jsonType(tool_use_id)}`)
    return
  }
  const own = type === 'tool_result' || type === 'mcp_tool_result'
  const pointer = `${at}/content`
  const seen = own
    ? readContent(content, pointer, sink)
    : wholeContent(pointer, jsonPieces(content, pointer))
  if (seen !== null)
    sink.result({
      call_id: tool_use_id,
      content: seen,
      is_error: is_error === true,
      supported: own && !hasReference(content),
    })
}

const hasReference = (content: unknown): boolean =>
  isList(content) && content.some((block) => isObject(block) && block['type'] === 'tool_reference')
