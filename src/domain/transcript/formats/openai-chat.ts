import { isList, isObject, jsonType, type JsonObject } from '../../json/value.ts'
import { readContent, readTexts } from '../content.ts'
import type { Claim, Format, Sink } from '../lens.ts'
import { plainClaim } from './plain.ts'

const OWN_PARTS: ReadonlySet<unknown> = new Set(['image_url', 'input_audio', 'refusal', 'file'])

/** OpenAI Chat Completions: `tool_calls` of the assistant, `role: "tool"` messages as answers. */
export const openaiChat: Format = {
  name: 'openai_chat',
  claim,
  readMessage(message, at, sink) {
    const { role } = message
    if (role === 'tool' || role === 'function') readResult(message, at, sink)
    else {
      if (role === 'assistant') sink.speaks()
      else sink.listens()
      readSpoken(message, at, sink)
      readCalls(message, at, sink)
    }
  },
}

function claim(message: JsonObject): Claim {
  const { role, content, tool_calls, function_call } = message
  if (role === 'tool' || role === 'function') return 'own'
  if ((tool_calls ?? null) !== null || isObject(function_call)) return 'own'
  if (isList(content) && content.some((part) => isObject(part) && OWN_PARTS.has(part['type'])))
    return 'own'
  return plainClaim(message)
}

function readSpoken(message: JsonObject, at: string, sink: Sink): void {
  const { content, refusal, reasoning_content } = message
  readTexts(content, `${at}/content`, sink)
  if (typeof refusal === 'string') sink.piece({ pointer: `${at}/refusal`, text: refusal })
  // Not OpenAI's, but what the compatible reasoning models send.
  if (typeof reasoning_content === 'string')
    sink.piece({ pointer: `${at}/reasoning_content`, text: reasoning_content })
}

function readCalls(message: JsonObject, at: string, sink: Sink): void {
  const { tool_calls, function_call } = message
  if (isList(tool_calls))
    tool_calls.forEach((call, index) => {
      readCall(call, `${at}/tool_calls/${index}`, sink)
    })
  else if (tool_calls !== undefined && tool_calls !== null)
    sink.invalid(`${at}/tool_calls`, `must be a list, not ${jsonType(tool_calls)}`)
  if (isObject(function_call)) {
    const { name, arguments: input } = function_call
    sink.call({ pointer: `${at}/function_call`, call_id: '', tool: nameOf(name), input })
  }
}

function readCall(call: unknown, at: string, sink: Sink): void {
  if (!isObject(call)) {
    sink.invalid(at, `must be a tool call, not ${jsonType(call)}`)
    return
  }
  const { id } = call
  if (typeof id !== 'string') {
    sink.invalid(`${at}/id`, `must be a string, not ${jsonType(id)}`)
    return
  }
  const called = isObject(call['function']) ? call['function'] : call['custom']
  const known = isObject(called) ? called : {}
  const input = known['arguments'] ?? known['input']
  sink.call({ pointer: at, call_id: id, tool: nameOf(known['name']), input })
}

function readResult(message: JsonObject, at: string, sink: Sink): void {
  const { role, content, name, tool_call_id } = message
  if (role === 'tool' && typeof tool_call_id !== 'string') {
    sink.invalid(`${at}/tool_call_id`, `must be a string, not ${jsonType(tool_call_id)}`)
    return
  }
  const call_id = typeof tool_call_id === 'string' ? tool_call_id : ''
  const seen = readContent(content, `${at}/content`, sink)
  if (seen !== null) sink.result({ call_id, tool: nameOf(name), content: seen })
}

const nameOf = (name: unknown): string | null => (typeof name === 'string' ? name : null)
