import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { utf8Text } from '../../domain/bytes.ts'
import type { Bytes } from '../../domain/bytes.ts'
import { CommandError, EXIT } from './exit.ts'

/** The bytes of a file, or of standard input where its name is `-`. */
export async function readInput(file: string): Promise<Bytes> {
  try {
    const read = file === '-' ? await buffer(process.stdin) : await readFile(file)
    return new Uint8Array(read)
  } catch {
    throw new CommandError(EXIT.usage, `can't read ${file}`)
  }
}

/** The same as JSON, with its text: numbers may be spelt in ways that a value does not keep. */
export async function readJsonInput(
  file: string,
): Promise<{ readonly text: string; readonly value: unknown }> {
  const text = utf8Text(await readInput(file))
  try {
    if (text !== null) return { text, value: JSON.parse(text) }
  } catch {
    // Said below.
  }
  throw new CommandError(EXIT.rejected, `${file === '-' ? 'the input' : file} is not JSON`)
}
