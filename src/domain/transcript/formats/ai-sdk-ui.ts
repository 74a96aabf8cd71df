import { isList, isObject, jsonType, type JsonObject } from '../../json/value.ts'
import { blockPieces } from '../blocks.ts'
import { jsonContent } from '../content.ts'
import type { Claim, Format, Sink } from '../lens.ts'

const STEP = 'step-start'

/** Vercel AI SDK UI messages: a tool part holds the call and, once it is there, the output. */
export const aiSdkUi: Format = {
  name: 'ai_sdk_ui',
  claim,
  readMessage(message, at, sink) {
    const { role, parts } = message
    const assistant = role === 'assistant'
    if (assistant) sink.speaks()
    else sink.listens()
    if (!isList(parts)) {
      sink.invalid(`${at}/parts`, `must be a list of parts, not ${jsonType(parts)}`)
      return
    }
    parts.forEach((part, index) => {
      const pointer = `${at}/parts/${index}`
      if (isObject(part)) readPart(part, pointer, assistant, sink)
      else sink.invalid(pointer, `must be a part, not ${jsonType(part)}`)
    })
  },
}

/** Gemini's parts have no type; an empty list is a UI message's, since those have ids. */
function claim(message: JsonObject): Claim {
  const { role, parts, id } = message
  if (typeof role !== 'string' || !isList(parts)) return 'foreign'
  if (parts.length === 0) return typeof id === 'string' ? 'own' : 'foreign'
  return parts.some((part) => isObject(part) && typeof part['type'] === 'string')
    ? 'own'
    : 'foreign'
}

function readPart(part: JsonObject, at: string, assistant: boolean, sink: Sink): void {
  const { type, toolInvocation } = part
  if (type === STEP) sink.speaks()
  else if (type === 'dynamic-tool' || (typeof type === 'string' && type.startsWith('tool-')))
    // Version 4 of the SDK kept the same members one level deeper.
    if (type === 'tool-invocation' && isObject(toolInvocation))
      readTool(toolInvocation, `${at}/toolInvocation`, sink)
    else readTool(part, at, sink)
  else if (type === 'text' || type === 'reasoning' || type === 'file') {
    if (assistant) sink.speaks()
    for (const piece of blockPieces(part, at)) sink.piece(piece)
  }
  // Sources and data parts are for the reader: the model never sees them.
}

function readTool(part: JsonObject, at: string, sink: Sink): void {
  const { type, state, toolCallId, toolName, input, rawInput, args, errorText } = part
  if (typeof toolCallId !== 'string') {
    sink.invalid(`${at}/toolCallId`, `must be a string, not ${jsonType(toolCallId)}`)
    return
  }
  const named = typeof type === 'string' && type !== 'dynamic-tool' ? type.slice(5) : null
  const tool = typeof toolName === 'string' ? toolName : named
  sink.call({ pointer: at, call_id: toolCallId, tool, input: input ?? rawInput ?? args })
  const is_error = state === 'output-error'
  const key = is_error ? 'errorText' : state === 'result' ? 'result' : 'output'
  if (!is_error && state !== 'output-available' && state !== 'result') return
  if (is_error && typeof errorText !== 'string')
    sink.invalid(`${at}/errorText`, `must be a string, not ${jsonType(errorText)}`)
  else
    sink.result({
      call_id: toolCallId,
      content: jsonContent(part[key], `${at}/${key}`),
      is_error,
      final: part['preliminary'] !== true,
      supported: part['providerExecuted'] !== true,
    })
}
