/** Data goes to standard output, with one line end. */
export const print = (text: string): void =>
  void process.stdout.write(text === '' || text.endsWith('\n') ? text : `${text}\n`)

export const printJson = (value: unknown): void => print(JSON.stringify(value, null, 2))

/** Says something to the person at the terminal; a pipe or a log does not get it. */
export function tell(line: string): void {
  if (process.stderr.isTTY === true) process.stderr.write(`${line}\n`)
}

/** Rows as columns of equal width, two spaces between them. */
export function columns(rows: readonly (readonly string[])[]): string {
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
