import { REF_PREFIX } from '../digest.ts'
import { failure, type Failure, MAX_ERRORS, type PointerError } from '../failure.ts'
import { err, ok, type Result } from '../result.ts'
import { jsonPieces } from './blocks.ts'
import type { Piece, Reading, SeenCall, SeenResult, Sink, ToolCall, ToolResult } from './lens.ts'

/** Longer call ids are nobody's (the longest seen have 450 characters) and would not fit a log row. */
const MAX_CALL_ID = 1024

/** A sink that pairs results with calls and counts turns while a transcript is walked. */
export function createReader(): Sink & {
  readonly seen: Result<Reading, Failure>
  readonly readable: Reading
} {
  const results: ToolResult[] = []
  /** What each result's call asked for. */
  const inputs: unknown[] = []
  const calls: OpenCall[] = []
  const pieces: Piece[] = []
  const errors: PointerError[] = []
  const byKey = new Map<string, Queue>()
  const occurrences = new Map<string, number>()
  let turn = 0
  let speaking = false
  let heard = 0

  const reading = (): Reading => ({
    results: results.map((result, index) =>
      index < heard
        ? result
        : { ...result, fresh: true, reads_back: namesExcerpt(inputs[index] ?? null) },
    ),
    calls: calls.map(({ answered, ...call }) => ({ ...call, answered })),
    pieces,
    turns: turn,
  })

  return {
    speaks() {
      if (!speaking) turn += 1
      speaking = true
      heard = results.length
    },
    listens() {
      speaking = false
    },
    call({ alias, ...seen }) {
      const call: OpenCall = { ...seen, turn, answered: false }
      calls.push(call)
      for (const key of callKeys(seen, alias)) enqueue(byKey, key, call)
      if (seen.tool !== null) pieces.push({ pointer: seen.pointer, text: seen.tool })
      for (const piece of jsonPieces(seen.input, seen.pointer)) pieces.push(piece)
    },
    open() {
      const last = calls.at(-1)
      return last === undefined || last.answered ? null : last
    },
    result(seen) {
      speaking = false
      const call = dequeue(byKey.get(answerKey(seen)))
      if (call !== null) call.answered = true
      const occurrence = occurrences.get(seen.call_id) ?? 0
      occurrences.set(seen.call_id, occurrence + 1)
      results.push(toolResult(seen, call, turn, occurrence))
      inputs.push(call?.input)
      for (const piece of seen.content.pieces)
        pieces.push({ ...piece, result: seen.content.pointer })
    },
    piece(piece) {
      pieces.push(piece)
    },
    invalid(pointer, detail) {
      if (errors.length < MAX_ERRORS) errors.push({ pointer, detail })
    },
    get seen() {
      return errors.length === 0 ? ok(reading()) : err(failure('transcript_invalid', { errors }))
    },
    get readable() {
      return reading()
    },
  }
}

type OpenCall = { -readonly [Key in keyof ToolCall]: ToolCall[Key] }

/** Calls with one key, oldest first; those before `next` are answered. */
interface Queue {
  readonly calls: OpenCall[]
  next: number
}

/** A call is found by its id, by another id of it, or, where an answer has no id, by its tool. */
function callKeys({ call_id, tool }: SeenCall, alias: string | undefined): Set<string> {
  const keys = new Set([`tool ${tool ?? ''}`])
  if (call_id !== '') keys.add(`id ${call_id}`)
  if (alias !== undefined) keys.add(`id ${alias}`)
  return keys
}

const answerKey = ({ call_id, tool }: SeenResult): string =>
  call_id === '' ? `tool ${tool ?? ''}` : `id ${call_id}`

function enqueue(byKey: Map<string, Queue>, key: string, call: OpenCall): void {
  const queue = byKey.get(key)
  if (queue === undefined) byKey.set(key, { calls: [call], next: 0 })
  else {
    const pending = firstOpen(queue)
    // A key used again in a later turn: what is still open under it will not be answered any more.
    if (pending !== undefined && pending.turn < call.turn) queue.next = queue.calls.length
    queue.calls.push(call)
  }
}

/** The oldest open call, or the last one where a call is answered again. */
function dequeue(queue: Queue | undefined): OpenCall | null {
  if (queue === undefined) return null
  const open = firstOpen(queue)
  if (open === undefined) return queue.calls.at(-1) ?? null
  queue.next += 1
  return open
}

function firstOpen(queue: Queue): OpenCall | undefined {
  while (queue.calls[queue.next]?.answered === true) queue.next += 1
  return queue.calls[queue.next]
}

function toolResult(
  seen: SeenResult,
  call: SeenCall | null,
  turn: number,
  occurrence: number,
): ToolResult {
  const { content } = seen
  return {
    pointer: content.pointer,
    text: content.text,
    whole: content.whole,
    call_id: seen.call_id,
    occurrence,
    tool: call?.tool ?? seen.tool ?? null,
    turn,
    is_error: seen.is_error ?? false,
    has_call: call !== null,
    final: seen.final ?? true,
    supported: (seen.supported ?? true) && seen.call_id.length <= MAX_CALL_ID,
    fresh: false,
    reads_back: false,
  }
}

const namesExcerpt = (input: unknown): boolean =>
  (typeof input === 'string' ? input : (JSON.stringify(input) ?? '')).includes(REF_PREFIX)
