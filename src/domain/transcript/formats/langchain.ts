import { isList, isObject, jsonType, type JsonObject } from '../../json/value.ts'
import { contentPieces } from '../blocks.ts'
import { readContent, readTexts } from '../content.ts'
import type { Claim, Format, Sink } from '../lens.ts'
import { plainClaim } from './plain.ts'

/** Message classes and their `type`, in all spellings. */
const KINDS: ReadonlyMap<unknown, string> = new Map([
  ['human', 'human'],
  ['HumanMessage', 'human'],
  ['HumanMessageChunk', 'human'],
  ['user', 'human'],
  ['ai', 'ai'],
  ['AIMessage', 'ai'],
  ['AIMessageChunk', 'ai'],
  ['assistant', 'ai'],
  ['system', 'system'],
  ['SystemMessage', 'system'],
  ['SystemMessageChunk', 'system'],
  ['developer', 'system'],
  ['tool', 'tool'],
  ['ToolMessage', 'tool'],
  ['ToolMessageChunk', 'tool'],
  ['function', 'function'],
  ['FunctionMessage', 'function'],
  ['FunctionMessageChunk', 'function'],
  ['generic', 'chat'],
  ['chat', 'chat'],
  ['ChatMessage', 'chat'],
  ['ChatMessageChunk', 'chat'],
  ['remove', 'remove'],
  ['RemoveMessage', 'remove'],
])

/** Blocks that repeat `tool_calls`, which are counted there. */
const CALL_BLOCKS: ReadonlySet<unknown> = new Set([
  'tool_use',
  'tool_call',
  'tool_call_chunk',
  'input_json_delta',
  'function_call',
])

/**
 * LangChain messages in their three wire shapes: `{type, data}` (toDict), `{lc, type, id, kwargs}`
 * (JSON.stringify) and flat `{type, content}` (LangGraph API). A tool message's `artifact` is not
 * sent to the model and stays.
 */
export const langchain: Format = {
  name: 'langchain',
  claim: (message) => (shapeOf(message) === null ? plainUnlessTyped(message) : 'own'),
  readMessage(message, at, sink) {
    const shape = shapeOf(message) ?? {
      kind: KINDS.get(message['role']),
      fields: message,
      path: '',
    }
    const pointer = at + shape.path
    if (shape.kind === 'tool' || shape.kind === 'function') readResult(shape.fields, pointer, sink)
    else {
      if (shape.kind === 'ai') sink.speaks()
      else sink.listens()
      readSpoken(shape.fields, pointer, sink)
      if (shape.kind === 'ai') readCalls(shape.fields, pointer, sink)
    }
  },
}

interface Shape {
  readonly kind: string | undefined
  readonly fields: JsonObject
  /** From the message to its fields. */
  readonly path: string
}

function shapeOf(message: JsonObject): Shape | null {
  const { lc, type, id, kwargs, data } = message
  if (lc === 1 && type === 'constructor' && isList(id) && isObject(kwargs)) {
    const kind = KINDS.get(id.at(-1))
    return kind === undefined ? null : { kind, fields: kwargs, path: '/kwargs' }
  }
  const kind = typeof type === 'string' ? KINDS.get(type) : undefined
  if (kind === undefined) return null
  return isObject(data)
    ? { kind, fields: data, path: '/data' }
    : { kind, fields: message, path: '' }
}

const plainUnlessTyped = (message: JsonObject): Claim =>
  Object.hasOwn(message, 'type') ? 'foreign' : plainClaim(message)

function readSpoken({ content }: JsonObject, at: string, sink: Sink): void {
  const pointer = `${at}/content`
  if (!isList(content)) readTexts(content, pointer, sink)
  else
    content.forEach((block, index) => {
      if (isObject(block) && CALL_BLOCKS.has(block['type'])) return
      for (const piece of contentPieces(block, `${pointer}/${index}`)) sink.piece(piece)
    })
}

/** `tool_calls`, those that could not be parsed, and the provider's raw ones where both are missing. */
function readCalls(fields: JsonObject, at: string, sink: Sink): void {
  const { tool_calls, invalid_tool_calls, additional_kwargs } = fields
  const parsed = isList(tool_calls) ? tool_calls : []
  const broken = isList(invalid_tool_calls) ? invalid_tool_calls : []
  const raw = isObject(additional_kwargs) ? additional_kwargs['tool_calls'] : undefined
  parsed.forEach((call, index) => readCall(call, `${at}/tool_calls/${index}`, sink))
  broken.forEach((call, index) => readCall(call, `${at}/invalid_tool_calls/${index}`, sink))
  if (parsed.length === 0 && broken.length === 0 && isList(raw))
    raw.forEach((call, index) =>
      readCall(call, `${at}/additional_kwargs/tool_calls/${index}`, sink),
    )
}

function readCall(call: unknown, at: string, sink: Sink): void {
  if (!isObject(call)) {
    sink.invalid(at, `must be a tool call, not ${jsonType(call)}`)
    return
  }
  const { id, name, args } = call
  const raw = isObject(call['function']) ? call['function'] : {}
  const tool = name ?? raw['name']
  if ((id ?? null) !== null && typeof id !== 'string')
    sink.invalid(`${at}/id`, `must be a string, not ${jsonType(id)}`)
  else
    sink.call({
      pointer: at,
      call_id: typeof id === 'string' ? id : '',
      tool: typeof tool === 'string' ? tool : null,
      input: args ?? raw['arguments'],
    })
}

function readResult(fields: JsonObject, at: string, sink: Sink): void {
  const { content, tool_call_id, name, status } = fields
  if ((tool_call_id ?? null) !== null && typeof tool_call_id !== 'string') {
    sink.invalid(`${at}/tool_call_id`, `must be a string, not ${jsonType(tool_call_id)}`)
    return
  }
  const seen = readContent(content, `${at}/content`, sink)
  if (seen !== null)
    sink.result({
      call_id: typeof tool_call_id === 'string' ? tool_call_id : '',
      tool: typeof name === 'string' ? name : null,
      content: seen,
      is_error: status === 'error',
    })
}
