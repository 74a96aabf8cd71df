import { escapeSegment } from '../../json/pointer.ts'
import { isList, isObject, jsonType, type JsonObject } from '../../json/value.ts'
import { jsonPieces } from '../blocks.ts'
import { jsonContent, textContent, wholeContent } from '../content.ts'
import { imageSize } from '../image-size.ts'
import type { Claim, Content, Format, Sink } from '../lens.ts'

const ROLES: ReadonlySet<unknown> = new Set([undefined, 'user', 'model', 'function', 'system'])

/** Gemini contents: `functionCall` and `functionResponse` parts; ids are optional there. */
export const gemini: Format = {
  name: 'gemini',
  claim,
  readMessage(message, at, sink) {
    const { role, parts } = message
    const model = role === 'model'
    if (model) sink.speaks()
    else sink.listens()
    if (!isList(parts)) {
      sink.invalid(`${at}/parts`, `must be a list of parts, not ${jsonType(parts)}`)
      return
    }
    parts.forEach((part, index) => {
      const pointer = `${at}/parts/${index}`
      if (isObject(part)) readPart(part, pointer, model, sink)
      else sink.invalid(pointer, `must be a part, not ${jsonType(part)}`)
    })
  },
}

function claim(message: JsonObject): Claim {
  const { role, parts } = message
  if (!ROLES.has(role) || !isList(parts)) return 'foreign'
  return parts.some((part) => isObject(part) && typeof part['type'] === 'string')
    ? 'foreign'
    : 'own'
}

function readPart(part: JsonObject, at: string, model: boolean, sink: Sink): void {
  const answer = member(part, 'functionResponse', 'function_response')
  const executed = member(part, 'codeExecutionResult', 'code_execution_result')
  if (answer !== null) readResponse(answer.value, at + answer.path, sink)
  else if (executed !== null) readExecution(executed.value, at + executed.path, sink)
  else {
    if (model) sink.speaks()
    readSpoken(part, at, sink)
  }
}

function readSpoken(part: JsonObject, at: string, sink: Sink): void {
  const call = member(part, 'functionCall', 'function_call')
  const code = member(part, 'executableCode', 'executable_code')
  const blob = member(part, 'inlineData', 'inline_data') ?? member(part, 'fileData', 'file_data')
  const { text } = part
  if (typeof text === 'string') sink.piece({ pointer: `${at}/text`, text })
  else if (call !== null) {
    const { id, name, args } = call.value
    const tool = textOf(name)
    sink.call({ pointer: at + call.path, call_id: textOf(id) ?? '', tool, input: args })
  } else if (code !== null) {
    const { id, code: input } = code.value
    const call_id = textOf(id) ?? ''
    sink.call({ pointer: at + code.path, call_id, tool: 'code_execution', input })
  } else if (blob !== null) {
    const data = textOf(blob.value['data'])
    sink.piece({ pointer: at + blob.path, image: data === null ? {} : imageSize(data) })
  } else for (const piece of jsonPieces(part, at)) sink.piece(piece)
}

function readResponse(response: JsonObject, at: string, sink: Sink): void {
  const { id, name, response: value, parts, willContinue } = response
  if ((value ?? null) !== null && !isObject(value)) {
    sink.invalid(`${at}/response`, `must be an object, not ${jsonType(value)}`)
    return
  }
  const content = responseContent(value, `${at}/response`)
  const attached = isList(parts) && parts.length > 0 ? jsonPieces(parts, `${at}/parts`) : []
  sink.result({
    call_id: textOf(id) ?? '',
    tool: textOf(name),
    content: { ...content, pieces: [...content.pieces, ...attached] },
    is_error: isObject(value) && isError(value),
    final: willContinue !== true,
    // Attached media stand beside the response and name it: they go together or not at all.
    supported: attached.length === 0,
  })
}

/** A lone string in the response is its text; anything else is replaced whole, inside an object. */
function responseContent(response: unknown, pointer: string): Content {
  if (!isObject(response)) return wholeContent(pointer, [])
  const wrap = { before: isError(response) ? '{"error":' : '{"output":', after: '}' }
  const whole = wholeContent(pointer, jsonPieces(response, pointer), wrap)
  const [key, more] = Object.keys(response)
  const text = key === undefined ? undefined : response[key]
  if (key === undefined || more !== undefined || typeof text !== 'string') return whole
  return { ...textContent(text, `${pointer}/${escapeSegment(key)}`), whole: whole.whole }
}

/** `output` and `error` are the keys that Gemini's reference names. */
const isError = (response: JsonObject): boolean =>
  Object.hasOwn(response, 'error') && !Object.hasOwn(response, 'output')

/** Code that the provider ran: its result is part of the model's own turn. */
function readExecution(result: JsonObject, at: string, sink: Sink): void {
  const { id, outcome, output } = result
  sink.result({
    call_id: textOf(id) ?? '',
    tool: 'code_execution',
    content: jsonContent(output, `${at}/output`),
    is_error: typeof outcome === 'string' && outcome !== 'OUTCOME_OK',
    supported: false,
  })
}

/** A member in camelCase or, as protocol buffers also allow, in snake_case. */
function member(
  part: JsonObject,
  camel: string,
  snake: string,
): { readonly value: JsonObject; readonly path: string } | null {
  for (const key of [camel, snake]) {
    const value = part[key]
    if (isObject(value)) return { value, path: `/${key}` }
  }
  return null
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)
