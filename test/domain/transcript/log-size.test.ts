import { expect, test } from 'vitest'
import { maskingEntry } from '../../../src/domain/masking/events.ts'
import { utf8Length } from '../../../src/domain/bytes.ts'
import { always, mask } from '../../support/masking.ts'
import { openaiTurn, request } from '../../support/transcripts.ts'

const AT = '2026-11-30T12:00:00.000Z'

test.each([
  ['short', (n: number) => `call_${n}`, 8000],
  ['of 1,024 characters', (n: number) => `${n}`.padEnd(1024, 'x'), 2000],
  ['of 1,000 characters that JSON escapes', (n: number) => `${n}`.padEnd(1000, '\u0001'), 600],
])('a call masks no more than its log entry can hold: call ids %s', async (_, id, results) => {
  const turns = Array.from({ length: results }, (_none, n) =>
    openaiTurn({ id: id(n), content: `${n} ${'line '.repeat(120)}` }),
  )
  let source = request(...turns)
  const { memory } = await mask('{"messages":[{"role":"user","content":"Hi"}]}')
  let masked = 0
  for (let calls = 0; masked < results - 3; calls++) {
    expect(calls).toBeLessThan(10)
    const done = await mask(source, { policy: always, memory })
    const items = done.plan.decisions
      .filter(({ decision }) => decision === 'masked')
      .map(({ mask: its, ...one }) => ({ ...one, ref: its?.ref ?? null }))
      .map(({ occurrence: _o, is_error: _e, ...item }) => item)
    expect(items.length).toBeGreaterThan(0)
    const entry = maskingEntry({ id: 'run', items }, AT, 12.34)
    expect(utf8Length(JSON.stringify(entry))).toBeLessThan(1_500_000)
    masked += items.length
    source = done.source
  }
  expect(masked).toBe(results - 3)
})
