import { isList, isObject, jsonType } from '../json/value.ts'
import { contentPieces, jsonPieces } from './blocks.ts'
import type { Content, Piece, Sink, Whole } from './lens.ts'

const TEXT_TYPES: ReadonlySet<unknown> = new Set(['text', 'input_text', 'output_text'])

/** A text that may be replaced by a text. */
export const textContent = (text: string, pointer: string, json = false): Content => ({
  pointer,
  text,
  whole: { ...bare(pointer), json },
  pieces: [{ pointer, text }],
})

/**
 * The content of a tool result in the chat formats: a string, a list of blocks, or nothing. A lone
 * text block keeps its block; anything else is replaced whole, by a string or inside `wrap`.
 */
export function blockContent(value: unknown, pointer: string, wrap?: Wrap): Content {
  if (typeof value === 'string') return textContent(value, pointer)
  if (!isList(value)) return wholeContent(pointer, jsonPieces(value, pointer))
  const whole = wrap === undefined ? bare(pointer) : { pointer, ...wrap, json: false }
  const [block] = value
  if (value.length === 1 && isObject(block) && TEXT_TYPES.has(block['type'])) {
    const { text } = block
    if (typeof text === 'string') {
      const lone = textContent(text, `${pointer}/0/text`)
      return wrap === undefined ? lone : { ...lone, whole }
    }
  }
  return { pointer, text: null, whole, pieces: contentPieces(value, pointer) }
}

/** The content of a tool result, or null and the sink told where it is of another type. */
export function readContent(value: unknown, pointer: string, sink: Sink): Content | null {
  return isContent(value, pointer, sink) ? blockContent(value, pointer) : null
}

/** Tells the sink what a message's `content` costs, or where it is of another type. */
export function readTexts(value: unknown, pointer: string, sink: Sink): void {
  if (!isContent(value, pointer, sink)) return
  for (const piece of contentPieces(value, pointer)) sink.piece(piece)
}

function isContent(value: unknown, pointer: string, sink: Sink): boolean {
  if (typeof value === 'string' || value === undefined || value === null) return true
  if (!isList(value)) {
    sink.invalid(pointer, `must be a string or a list of blocks, not ${jsonType(value)}`)
    return false
  }
  const wrong = value.findIndex((block) => !isObject(block) && typeof block !== 'string')
  if (wrong !== -1)
    sink.invalid(`${pointer}/${wrong}`, `must be a block, not ${jsonType(value[wrong])}`)
  return wrong === -1
}

/** Any JSON value that a string may replace; a string is its own text. */
export const jsonContent = (value: unknown, pointer: string): Content =>
  typeof value === 'string'
    ? textContent(value, pointer, true)
    : wholeContent(pointer, jsonPieces(value, pointer))

/** A value without one text of its own. */
export const wholeContent = (pointer: string, pieces: readonly Piece[], wrap?: Wrap): Content => ({
  pointer,
  text: null,
  whole: wrap === undefined ? { ...bare(pointer), json: true } : { pointer, ...wrap, json: true },
  pieces,
})

/** The JSON around a placeholder where the format wants a structure. */
export interface Wrap {
  readonly before: string
  readonly after: string
}

const bare = (pointer: string): Whole => ({ pointer, before: '', after: '', json: false })
