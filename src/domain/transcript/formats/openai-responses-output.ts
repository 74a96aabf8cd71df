import { isList, isObject, jsonType, type JsonObject } from '../../json/value.ts'
import { blockPieces, jsonPieces } from '../blocks.ts'
import { jsonContent, readContent, textContent, wholeContent, type Wrap } from '../content.ts'
import type { Content, Piece, Sink } from '../lens.ts'

const OUTPUTS: ReadonlySet<unknown> = new Set([
  'function_call_output',
  'custom_tool_call_output',
  'shell_call_output',
  'local_shell_call_output',
  'apply_patch_call_output',
  'computer_call_output',
  'program_output',
])

/** Whether an item is the output of a call. */
export const isOutput = (type: unknown): boolean => OUTPUTS.has(type)

/** Reads an output item, or the output inside an MCP call. */
export function readOutput(item: JsonObject, at: string, sink: Sink): void {
  const { type, id, call_id, name, status, caller } = item
  // The output of a local shell call has only an id: that of the call.
  const answered = call_id ?? (type === 'mcp_call' || type === 'local_shell_call_output' ? id : '')
  if (typeof answered !== 'string') {
    sink.invalid(`${at}/call_id`, `must be a string, not ${jsonType(answered)}`)
    return
  }
  const running = status === 'in_progress' || status === 'calling'
  if (type === 'mcp_call' && running && (item['output'] ?? null) === null) return
  const failed = type === 'mcp_call' ? errorPieces(item, at) : []
  const onlyError = failed.length > 0 && (item['output'] ?? null) === null
  const content = onlyError ? wholeContent(`${at}/error`, failed) : outputContent(item, at, sink)
  if (content === null) return
  sink.result({
    call_id: answered,
    tool: typeof name === 'string' ? name : null,
    content,
    is_error: isError(item),
    final: !running,
    // A screenshot can only be replaced by a screenshot, the error of a server by an error; a program is
    // replayed with its outputs.
    supported:
      !onlyError &&
      type !== 'computer_call_output' &&
      type !== 'program_output' &&
      !(isObject(caller) && caller['type'] === 'program'),
  })
  if (!onlyError) for (const piece of failed) sink.piece(piece)
}

const errorPieces = ({ error }: JsonObject, at: string): readonly Piece[] =>
  (error ?? null) === null ? [] : jsonPieces(error, `${at}/error`)

function outputContent(item: JsonObject, at: string, sink: Sink): Content | null {
  const { type, output } = item
  const pointer = `${at}/output`
  switch (type) {
    case 'shell_call_output':
      if (isList(output) && output.every(isObject)) return shellContent(output, pointer)
      sink.invalid(pointer, `must be a list of chunks, not ${jsonType(output)}`)
      return null
    case 'computer_call_output':
      return wholeContent(pointer, isObject(output) ? blockPieces(output, pointer) : [])
    case 'program_output':
      return jsonContent(item['result'], `${at}/result`)
    default:
      return readContent(output, pointer, sink)
  }
}

/** Chunks of stdout and stderr. The placeholder takes the place of one text, or of all chunks. */
function shellContent(chunks: readonly JsonObject[], pointer: string): Content {
  const texts = chunks.flatMap((chunk, index) =>
    ['stdout', 'stderr'].flatMap((key) => {
      const text = chunk[key]
      return typeof text === 'string' && text !== ''
        ? [{ pointer: `${pointer}/${index}/${key}`, text }]
        : []
    }),
  )
  const whole = wholeContent(pointer, texts, shellWrap(chunks.at(-1)))
  const [only] = texts
  return only !== undefined && texts.length === 1 && chunks.length === 1
    ? { ...textContent(only.text, only.pointer), whole: whole.whole }
    : whole
}

function shellWrap(last: JsonObject | undefined): Wrap {
  const outcome = last?.['outcome'] ?? { type: 'exit', exit_code: 0 }
  return {
    before: '[{"stdout":',
    after: `,"stderr":"","outcome":${JSON.stringify(outcome)}}]`,
  }
}

function isError({ type, status, error, output }: JsonObject): boolean {
  if (type === 'apply_patch_call_output') return status === 'failed'
  if (type === 'mcp_call') return (error ?? null) !== null || status === 'failed'
  const last = type === 'shell_call_output' && isList(output) ? output.at(-1) : undefined
  const outcome = isObject(last) ? last['outcome'] : undefined
  if (!isObject(outcome)) return false
  return outcome['type'] === 'timeout' || (outcome['exit_code'] ?? 0) !== 0
}
