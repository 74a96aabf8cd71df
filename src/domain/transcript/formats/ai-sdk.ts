import { isList, isObject, jsonType, type JsonObject } from '../../json/value.ts'
import { blockPieces, jsonPieces } from '../blocks.ts'
import { blockContent, jsonContent, textContent, wholeContent } from '../content.ts'
import type { Claim, Content, Format, Sink } from '../lens.ts'
import { plainClaim } from './plain.ts'

const OWN_PARTS: ReadonlySet<unknown> = new Set([
  'tool-call',
  'tool-result',
  'tool-approval-request',
  'tool-approval-response',
  'reasoning-file',
])
const APPROVALS: ReadonlySet<unknown> = new Set(['tool-approval-request', 'tool-approval-response'])

/** Around a placeholder that stands for several content parts. */
const CONTENT_WRAP = { before: '[{"type":"text","text":', after: '}]' }

/** Vercel AI SDK model messages: `tool-call` parts, `tool-result` parts in `role: "tool"` messages. */
export const aiSdk: Format = {
  name: 'ai_sdk',
  claim,
  readMessage(message, at, sink) {
    const { role, content } = message
    if (role === 'assistant') sink.speaks()
    else if (role !== 'tool') sink.listens()
    if (typeof content === 'string') sink.piece({ pointer: `${at}/content`, text: content })
    else if (isList(content))
      content.forEach((part, index) => {
        readPart(part, `${at}/content/${index}`, role === 'assistant', sink)
      })
    else if ((content ?? null) !== null)
      sink.invalid(`${at}/content`, `must be a string or a list of parts, not ${jsonType(content)}`)
  },
}

function claim(message: JsonObject): Claim {
  const { content } = message
  return isList(content) && content.some(isOwnPart) ? 'own' : plainClaim(message)
}

function isOwnPart(part: unknown): boolean {
  if (!isObject(part)) return false
  const { type } = part
  if (OWN_PARTS.has(type)) return true
  const media = typeof part['mediaType'] === 'string' || typeof part['mimeType'] === 'string'
  return (type === 'file' && media) || (type === 'image' && Object.hasOwn(part, 'image'))
}

function readPart(part: unknown, at: string, assistant: boolean, sink: Sink): void {
  if (!isObject(part)) {
    sink.invalid(at, `must be a part, not ${jsonType(part)}`)
    return
  }
  if (part['type'] === 'tool-result') readResult(part, at, assistant, sink)
  else {
    if (assistant) sink.speaks()
    if (part['type'] === 'tool-call') readCall(part, at, sink)
    else if (!APPROVALS.has(part['type']))
      for (const piece of blockPieces(part, at)) sink.piece(piece)
  }
}

function readCall(part: JsonObject, at: string, sink: Sink): void {
  const { toolCallId, toolName, input, args } = part
  if (typeof toolCallId !== 'string')
    sink.invalid(`${at}/toolCallId`, `must be a string, not ${jsonType(toolCallId)}`)
  else sink.call({ pointer: at, call_id: toolCallId, tool: nameOf(toolName), input: input ?? args })
}

/** A result inside an assistant message is of a tool of the provider, which wants it back as it was. */
function readResult(part: JsonObject, at: string, assistant: boolean, sink: Sink): void {
  const { toolCallId, toolName, output } = part
  if (typeof toolCallId !== 'string') {
    sink.invalid(`${at}/toolCallId`, `must be a string, not ${jsonType(toolCallId)}`)
    return
  }
  // Version 4 of the SDK kept the bare value in `result`.
  const bare = !Object.hasOwn(part, 'output')
  const content = bare ? jsonContent(part['result'], `${at}/result`) : outputContent(output, at)
  if (content === null) {
    sink.invalid(`${at}/output`, 'must be an output with a known type and its value')
    return
  }
  const type = isObject(output) ? output['type'] : null
  sink.result({
    call_id: toolCallId,
    tool: nameOf(toolName),
    content,
    is_error: bare ? part['isError'] === true : type === 'error-text' || type === 'error-json',
    supported: !assistant && type !== 'execution-denied',
  })
}

function outputContent(output: unknown, at: string): Content | null {
  if (!isObject(output)) return null
  const { type, value, reason } = output
  const pointer = `${at}/output/value`
  switch (type) {
    case 'text':
    case 'error-text':
      return typeof value === 'string' ? textContent(value, pointer) : null
    case 'json':
    case 'error-json':
      return jsonContent(value, pointer)
    case 'content':
      return isList(value) ? blockContent(value, pointer, CONTENT_WRAP) : null
    case 'execution-denied':
      return wholeContent(`${at}/output`, jsonPieces(reason, `${at}/output/reason`))
    default:
      return null
  }
}

const nameOf = (name: unknown): string | null => (typeof name === 'string' ? name : null)
