import { isList, isObject } from '../../json/value.ts'
import type { JsonObject } from '../../json/value.ts'
import { placeholderOf } from '../../masking/masks/recognise.ts'
import type { Reading, ToolResult } from '../../transcript/lens.ts'
import type { MessageList } from '../../transcript/message-list.ts'

export type PartKind =
  | 'instructions'
  | 'user'
  | 'reasoning'
  | 'call'
  | 'output'
  | 'masked'
  | 'extract'

/** One text of a request and what it is, in the order in which a model reads it. */
export interface Part {
  readonly kind: PartKind
  readonly pointer: string
  readonly text: string
  /** Of a tool output: the assistant turn it answers, and its bytes unless masked. */
  readonly result?: ToolResult
}

/** The texts of a request by what they are. Tool definitions are left out: they have no place to choose. */
export function layoutParts(list: MessageList, reading: Reading): readonly Part[] {
  const results = new Map(reading.results.map((result) => [result.pointer, result]))
  const calls = new Set(reading.calls.map((call) => call.pointer))
  const parts: Part[] = []
  for (const piece of reading.pieces) {
    if (!('text' in piece) || isToolDefinition(piece.pointer)) continue
    const { pointer, text } = piece
    const result = piece.result === undefined ? undefined : results.get(piece.result)
    if (result !== undefined) parts.push({ kind: outputKind(result, text), pointer, text, result })
    else if (calls.has(pointer)) parts.push({ kind: 'call', pointer, text })
    else parts.push({ kind: spokenKind(list, pointer, text), pointer, text })
  }
  return parts
}

/** Whether a text is an extract as the memory renders it. */
const isExtract = (text: string): boolean => EXTRACT.test(text.slice(0, 256))

function outputKind(result: ToolResult, text: string): PartKind {
  if (placeholderOf(result) !== null) return 'masked'
  return isExtract(text) ? 'extract' : 'output'
}

function spokenKind(list: MessageList, pointer: string, text: string): PartKind {
  const message = messageAt(list, pointer)
  if (message === undefined) return 'instructions'
  if (isExtract(text)) return 'extract'
  const speaker = speakerOf(message)
  if (INSTRUCTORS.has(speaker)) return 'instructions'
  return ASSISTANTS.has(speaker) ? 'reasoning' : 'user'
}

function messageAt(list: MessageList, pointer: string): JsonObject | undefined {
  if (!pointer.startsWith(`${list.pointer}/`)) return undefined
  const rest = pointer.slice(list.pointer.length + 1)
  const slash = rest.indexOf('/')
  return list.messages[Number(slash === -1 ? rest : rest.slice(0, slash))]
}

/** Who speaks, in any provider's words: a role, or the type of an item or of a LangChain message. */
function speakerOf(message: JsonObject): string {
  const { id, role, type } = message
  if (typeof role === 'string') return role
  if (type === 'constructor' && isList(id)) return String(id.at(-1))
  if (typeof type === 'string') return type
  const { data } = message
  return isObject(data) && typeof data['type'] === 'string' ? data['type'] : ''
}

const isToolDefinition = (pointer: string): boolean =>
  pointer.startsWith('/tools') || pointer.startsWith('/functions')

const INSTRUCTORS: ReadonlySet<string> = new Set(['system', 'developer', 'SystemMessage'])
const ASSISTANTS: ReadonlySet<string> = new Set([
  'assistant',
  'model',
  'ai',
  'AIMessage',
  'AIMessageChunk',
  'reasoning',
  'function_call',
])
const EXTRACT = /^# [A-Za-z0-9_.-]{1,64}, turn \d{1,10}\n\n\[\d{4}-/
