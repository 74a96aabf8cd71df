import { grouped } from '../report.ts'
import type { Compared, Comparison } from './compare.ts'

/** The comparison as a table and as bars; the bound stands below it. */
export function comparisonTable(comparison: Comparison): string {
  const { bound, calls, file, keep, results, rows, sessions } = comparison
  const many = sessions > 1
  const head = ['', 'tokens sent', 'cost uncached', 'cost cached', 'of raw']
  return [
    `Policies on ${file}, ${many ? `${grouped(sessions)} sessions, ` : ''}${grouped(calls)} calls, ${grouped(results)} outputs, keep ${keep}`,
    '',
    line([...head, ...(many ? ['worst session'] : []), 'masked', 'rewrites']),
    ...rows.map((row) => line(cellsOf(row, many))),
    '',
    ...bars(comparison),
    '',
    'Counted, not sent. A cost of 1 is one uncached input token (read 0.1, written 1.25). "hindsight" is the',
    'cheapest choice of moments at which to mask everything eligible, known only when all is over. Masking',
    `at once and for free, which nothing can reach, would cost ${bound.share_of_raw.toFixed(3)} of raw.\n`,
  ].join('\n')
}

/** The cost of each policy in a bar; the longest has 50 columns. */
export function bars({ rows }: Comparison): readonly string[] {
  const longest = Math.max(...rows.map(({ share_of_raw }) => share_of_raw))
  return rows.map(({ policy, share_of_raw }) => {
    const drawn = bar(share_of_raw / longest).padEnd(COLUMNS)
    return `  ${policy.padEnd(12)}${drawn} ${share_of_raw.toFixed(3)}`
  })
}

const COLUMNS = 50

/** The last block is cut to an eighth. */
function bar(length: number): string {
  const eighths = Math.round(length * COLUMNS * 8)
  return '█'.repeat(Math.floor(eighths / 8)) + ' ▏▎▍▌▋▊▉'.charAt(eighths % 8).trim()
}

const line = ([name = '', ...cells]: readonly string[]): string =>
  `  ${name.padEnd(12)}${cells.map((cell) => cell.padStart(14)).join('')}`

const cellsOf = (row: Compared, many: boolean): readonly string[] => [
  row.policy,
  grouped(row.tokens_sent),
  grouped(row.uncached),
  grouped(row.cached),
  row.share_of_raw.toFixed(3),
  ...(many ? [row.worst_session.toFixed(3)] : []),
  grouped(row.masked),
  grouped(row.rewrites),
]
