import { writeFile } from 'node:fs/promises'
import { harmlessLine } from '../../domain/terminal.ts'
import { CommandError, EXIT } from './exit.ts'

/** Data goes to standard output, with one line end. */
export const print = (text: string): void => void process.stdout.write(lineEnded(text))

export const printJson = (value: unknown): void => print(JSON.stringify(value, null, 2))

/** The same text to a pipe or a file; at a terminal it ends its line. */
export const printExactly = (text: string): void =>
  void process.stdout.write(process.stdout.isTTY ? lineEnded(text) : text)

/** Bytes as they are, or a text with one line end, to a file; without one, or to `-`, they go to standard output. */
export async function writeOutput(data: Uint8Array | string, file = '-'): Promise<void> {
  const written = typeof data === 'string' ? lineEnded(data) : data
  if (file === '-') {
    process.stdout.write(written)
    return
  }
  try {
    await writeFile(file, written)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new CommandError(EXIT.usage, `can't write ${file} (${code})`)
  }
}

const lineEnded = (text: string): string =>
  text === '' || text.endsWith('\n') ? text : `${text}\n`

/** Says something to the person at the terminal; a pipe or a log does not get it. */
export function tell(line: string): void {
  if (process.stderr.isTTY === true) process.stderr.write(`${line}\n`)
}

/** Rows as columns of equal width, two spaces between them. A cell is one line, and harmless to a terminal. */
export function columns(cells: readonly (readonly string[])[]): string {
  const rows = cells.map((row) => row.map(harmlessLine))
  const widths: number[] = []
  for (const row of rows)
    for (const [index, cell] of row.entries())
      widths[index] = Math.max(widths[index] ?? 0, cell.length)
  return rows
    .map((row) =>
      row
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
