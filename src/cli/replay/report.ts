import { addSpent, NOTHING_SPENT } from './ledger.ts'
import type { Spent } from './ledger.ts'
import type { MeterErrors } from './meter-errors.ts'
import type { Replayed } from './replay-session.ts'

/** A whole replay: every session of a file, and their sums. */
export interface Report {
  readonly file: string
  readonly url: string
  readonly trigger: string
  readonly sessions: readonly Replayed[]
  readonly meter: MeterErrors | null
  readonly total: Omit<Replayed, 'name' | 'mission'>
}

export function sumUp(sessions: readonly Replayed[]): Report['total'] {
  const sum = (figure: (session: Replayed) => number) =>
    sessions.reduce((total, session) => total + figure(session), 0)
  const spent = (figure: (session: Replayed) => Spent) =>
    sessions.map(figure).reduce(addSpent, NOTHING_SPENT)
  return {
    turns: sum(({ turns }) => turns),
    results: sum(({ results }) => results),
    masked: sum(({ masked }) => masked),
    raw: spent(({ raw }) => raw),
    sent: spent(({ sent }) => sent),
    memex_bytes: sum(({ memex_bytes }) => memex_bytes),
    restored_equal: sessions.every(({ restored_equal }) => restored_equal),
  }
}

/** The table that a replay ends with; its last line is the verdict. */
export function reportTable({ file, sessions, trigger, total, meter }: Report): string {
  const { raw, sent } = total
  const lines = [
    `Replayed ${file}, trigger ${trigger}, ${missions(sessions)}`,
    '',
    row('', 'raw', 'masked', 'change'),
    row('tokens sent', ...compared(raw.tokens, sent.tokens)),
    row('cost without prompt caching', ...compared(raw.uncached, sent.uncached)),
    row('cost with prompt caching', ...compared(raw.cached, sent.cached)),
    '',
    row('turns', grouped(total.turns)),
    row('outputs masked', `${grouped(total.masked)} of ${grouped(total.results)}`),
    row('bytes in the Memex', grouped(total.memex_bytes)),
  ]
  if (meter !== null)
    lines.push(
      row('meter off, median', `${meter.median_percent.toFixed(2)} %`),
      row('meter off, 95th percentile', `${meter.p95_percent.toFixed(2)} %`),
    )
  lines.push(
    '',
    'Tokens are o200k_base; a cost of 1 is one uncached input token (read 0.1, written 1.25).',
    `restored equal: ${total.restored_equal ? 'yes' : 'no'}`,
  )
  return `${lines.join('\n')}\n`
}

function missions(sessions: readonly Replayed[]): string {
  const [first] = sessions
  const last = sessions.at(-1)
  return sessions.length === 1
    ? `mission ${first?.mission}`
    : `${sessions.length} missions, ${first?.mission} to ${last?.mission}`
}

const compared = (raw: number, sent: number): [string, string, string] => [
  grouped(raw),
  grouped(sent),
  raw === 0 ? '' : signed(100 * (sent / raw - 1)),
]

const signed = (percent: number): string =>
  `${percent.toFixed(1).replace(/^(?=[1-9]|0\.[1-9])/, '+')} %`

const row = (name: string, ...cells: readonly string[]): string =>
  `  ${name.padEnd(28)}${cells.map((cell) => cell.padStart(14)).join('')}`.trimEnd()

/** A whole number in groups of three, the same in every locale. */
export const grouped = (value: number): string =>
  String(Math.round(value)).replaceAll(/\B(?=(\d{3})+$)/g, ',')
