import type { Failure } from '../failure.ts'
import { isObject, type JsonObject } from '../json/value.ts'
import { ok, type Result } from '../result.ts'
import { readFrame } from './frame.ts'
import type { Format, Lens } from './lens.ts'
import { messageList } from './message-list.ts'
import { createReader } from './reading.ts'

/**
 * A lens over a list whose messages are of these formats: a message belongs to the format that
 * calls it its own, else to the first that may read it.
 */
export function createLens(formats: readonly Format[]): Lens {
  const [first] = formats
  if (first === undefined) throw new Error('a lens needs a format')

  return {
    name: first.name,
    formats: formats.map((format) => format.name),
    read(request) {
      const reader = walk(request, formats, first)
      return reader.ok ? reader.value.seen : reader
    },
    pieces(request) {
      const reader = walk(request, formats, first)
      return reader.ok ? reader.value.readable.pieces : []
    },
  }
}

function walk(
  request: unknown,
  formats: readonly Format[],
  first: Format,
): Result<ReturnType<typeof createReader>, Failure> {
  const list = messageList(request)
  if (!list.ok) return list
  const reader = createReader()
  if (isObject(request)) readFrame(request, reader)
  list.value.messages.forEach((message, index) => {
    const format = formats.length === 1 ? first : (readerOf(message, formats) ?? first)
    format.readMessage(message, `${list.value.pointer}/${index}`, reader)
  })
  return ok(reader)
}

const readerOf = (message: JsonObject, formats: readonly Format[]): Format | undefined =>
  formats.find((format) => format.claim(message) === 'own') ??
  formats.find((format) => format.claim(message) === 'plain')
