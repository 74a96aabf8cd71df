import { utf8 } from '../../bytes.ts'
import type { Bytes } from '../../bytes.ts'

/** A regular file of an archive; `at` is ISO 8601 UTC. */
export interface TarFile {
  readonly path: string
  readonly at: string
  readonly bytes: Bytes
}

const RECORD = 512

/**
 * An archive in the ustar format (POSIX.1-1988, `pax` without extensions), one file at a time as the
 * reader asks for it. A file that can't be had breaks the stream: an archive is whole or unreadable.
 */
export function tarStream(files: AsyncIterable<TarFile>): ReadableStream<Bytes> {
  const iterator = files[Symbol.asyncIterator]()
  return new ReadableStream<Bytes>({
    async pull(controller) {
      const next = await iterator.next()
      if (next.done === true) {
        controller.enqueue(new Uint8Array(2 * RECORD))
        controller.close()
        return
      }
      const { bytes } = next.value
      controller.enqueue(tarHeader(next.value))
      if (bytes.length > 0) controller.enqueue(bytes)
      const rest = bytes.length % RECORD
      if (rest > 0) controller.enqueue(new Uint8Array(RECORD - rest))
    },
    async cancel() {
      await iterator.return?.()
    },
  })
}

/** The header of a file: 512 bytes of fixed fields, numbers in octal, the sum of all bytes last. */
function tarHeader({ at, bytes, path }: TarFile): Bytes {
  const { name, prefix } = splitPath(path)
  const header = new Uint8Array(RECORD)
  const put = (offset: number, text: string): void => header.set(utf8(text), offset)
  const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0')
  put(0, name)
  put(100, octal(0o644, 7))
  put(108, octal(0, 7))
  put(116, octal(0, 7))
  put(124, octal(bytes.length, 11))
  put(136, octal(modified(at), 11))
  put(148, ' '.repeat(8))
  put(156, '0')
  put(257, 'ustar\u000000')
  put(345, prefix)
  const sum = header.reduce((total, byte) => total + byte, 0)
  put(148, `${octal(sum, 6)}\u0000 `)
  return header
}

/** Unix seconds, within what eleven octal digits hold: 1970 to 2242. */
const modified = (at: string): number =>
  Math.min(Math.max(0, Math.floor(Date.parse(at) / 1000)), 8 ** 11 - 1)

/** ustar keeps 100 bytes of name and 155 of the directories before it, cut at a slash. */
function splitPath(path: string): { readonly name: string; readonly prefix: string } {
  if (path.length <= 100) return { name: path, prefix: '' }
  const slash = path.lastIndexOf('/', 155)
  const name = path.slice(slash + 1)
  if (slash === -1 || name.length > 100) throw new Error(`no ustar name holds ${path.length} bytes`)
  return { name, prefix: path.slice(0, slash) }
}
