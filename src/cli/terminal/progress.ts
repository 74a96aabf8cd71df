/** Shows how far something is, on stderr and to a person only; a pipe or a log gets nothing. */
interface Progress {
  readonly step: (note?: string) => void
  readonly end: () => void
}

const WIDTH = 30
const ERASE_LINE = '\r\u001B[K'

export function createProgress(label: string, total: number): Progress {
  if (process.stderr.isTTY !== true) return { step: () => {}, end: () => {} }
  let done = 0
  let shown = ''
  let said = ''
  const show = (): void => {
    const share = total === 0 ? 1 : done / total
    const filled = Math.round(share * WIDTH)
    const bar = '█'.repeat(filled) + '░'.repeat(WIDTH - filled)
    const line = `${label} ${bar} ${done}/${total}${said === '' ? '' : `  ${said}`}`
    const room = process.stderr.columns
    const text = line.length < room ? line : line.slice(0, room - 1)
    if (text !== shown) process.stderr.write(ERASE_LINE + text)
    shown = text
  }
  show()
  return {
    step(note) {
      done += 1
      if (note !== undefined) said = note
      show()
    },
    end: () => void process.stderr.write(ERASE_LINE),
  }
}
