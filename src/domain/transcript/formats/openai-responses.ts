import { isList, isObject, jsonType, type JsonObject } from '../../json/value.ts'
import { contentPieces, jsonPieces } from '../blocks.ts'
import { readTexts } from '../content.ts'
import { imageSize } from '../image-size.ts'
import type { Claim, Format, Sink } from '../lens.ts'
import { isOutput, readOutput } from './openai-responses-output.ts'
import { plainClaim } from './plain.ts'

/** What the model said or asked for, beside calls and messages; its outputs are the provider's own. */
const SPOKEN: ReadonlySet<unknown> = new Set([
  'reasoning',
  'file_search_call',
  'web_search_call',
  'code_interpreter_call',
  'image_generation_call',
  'tool_search_call',
  'mcp_approval_request',
])

const OTHERS: ReadonlySet<unknown> = new Set([
  'compaction',
  'compaction_trigger',
  'configuration_update',
  'additional_tools',
  'item_reference',
  'mcp_list_tools',
  'mcp_approval_response',
  'tool_search_output',
])

/** Calls by type, with the member that holds their input; unnamed ones are tools of that name. */
const CALLS: ReadonlyMap<unknown, readonly [input: string, tool: string | null]> = new Map([
  ['function_call', ['arguments', null]],
  ['custom_tool_call', ['input', null]],
  ['mcp_call', ['arguments', null]],
  ['shell_call', ['action', 'shell']],
  ['local_shell_call', ['action', 'local_shell']],
  ['apply_patch_call', ['operation', 'apply_patch']],
  ['computer_call', ['action', 'computer']],
  ['program', ['code', 'program']],
])

const OWN_PARTS: ReadonlySet<unknown> = new Set([
  'input_text',
  'output_text',
  'input_image',
  'input_file',
])

/** OpenAI Responses items: calls and their outputs are items of their own. */
export const openaiResponses: Format = {
  name: 'openai_responses',
  claim,
  readMessage(item, at, sink) {
    const { type } = item
    const call = CALLS.get(type)
    if (call !== undefined) readCall(item, at, call, sink)
    else if (isOutput(type)) readOutput(item, at, sink)
    else if (type === 'reasoning') readReasoning(item, at, sink)
    else if (type === 'image_generation_call') readGeneratedImage(item, at, sink)
    else if (type === undefined || type === 'message') readMessage(item, at, sink)
    else {
      if (SPOKEN.has(type)) sink.speaks()
      else sink.listens()
      for (const piece of jsonPieces(item, at)) sink.piece(piece)
    }
  },
}

function claim(item: JsonObject): Claim {
  const { type, content } = item
  if (CALLS.has(type) || SPOKEN.has(type) || OTHERS.has(type) || isOutput(type)) return 'own'
  // Items of a type that is newer than this module stand in a list that others give away.
  if (type !== undefined && type !== 'message')
    return typeof type === 'string' ? 'plain' : 'foreign'
  if (isList(content) && content.some((part) => isObject(part) && OWN_PARTS.has(part['type'])))
    return 'own'
  return plainClaim(item)
}

function readMessage(item: JsonObject, at: string, sink: Sink): void {
  const { role, content } = item
  if (role === 'assistant') sink.speaks()
  else sink.listens()
  readTexts(content, `${at}/content`, sink)
}

function readReasoning(item: JsonObject, at: string, sink: Sink): void {
  sink.speaks()
  for (const key of ['summary', 'content'])
    for (const piece of contentPieces(item[key], `${at}/${key}`)) sink.piece(piece)
}

function readGeneratedImage(item: JsonObject, at: string, sink: Sink): void {
  const { result, revised_prompt } = item
  sink.speaks()
  if (typeof revised_prompt === 'string')
    sink.piece({ pointer: `${at}/revised_prompt`, text: revised_prompt })
  if (typeof result === 'string') sink.piece({ pointer: `${at}/result`, image: imageSize(result) })
}

function readCall(
  item: JsonObject,
  at: string,
  [input, tool]: readonly [string, string | null],
  sink: Sink,
): void {
  const { type, id, call_id, name } = item
  // An MCP call carries its own output, and no call id.
  const own = type === 'mcp_call' ? id : call_id
  if (own !== undefined && own !== null && typeof own !== 'string') {
    sink.invalid(`${at}/call_id`, `must be a string, not ${jsonType(own)}`)
    return
  }
  sink.speaks()
  sink.call({
    pointer: at,
    call_id: own ?? '',
    tool: typeof name === 'string' ? name : tool,
    input: item[input] ?? item['actions'],
    ...(typeof id === 'string' ? { alias: id } : {}),
  })
  if (type === 'mcp_call') readOutput(item, at, sink)
}
