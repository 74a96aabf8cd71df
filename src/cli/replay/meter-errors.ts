import type { Foldex } from '../../client/foldex.ts'
import { parseUsage } from '../../domain/meter/usage.ts'
import type { ReplaySettings } from './replay-session.ts'
import type { Session } from './session.ts'

/** How far the meter's predictions were from what the provider counted, in percent of it. */
export interface MeterErrors {
  readonly calls: number
  readonly median_percent: number
  readonly p95_percent: number
}

/**
 * Puts the meter to the test in a mission of its own: before each call it counts the request that
 * was really sent, and only then learns what the provider counted. Null where nothing is known.
 */
export async function meterErrors(
  foldex: Foldex,
  session: Session,
  mission: string,
  { window_tokens, signal }: ReplaySettings,
  progress: () => void,
): Promise<MeterErrors | null> {
  const errors: number[] = []
  for (const end of session.calls) {
    const usage = session.usage.get(end)
    const counted = usage === undefined ? null : parseUsage(usage)
    if (usage !== undefined && counted?.ok === true && counted.value.prompt_tokens > 0) {
      const actual = counted.value.prompt_tokens
      const request = session.withMessages(session.messages.slice(0, end))
      const window = window_tokens === undefined ? {} : { window_tokens }
      const ask = { request, ...window }
      const before = await foldex.call('report_context', { mission, body: ask }, { signal })
      const learn = { request, usage: usage as Record<string, unknown>, ...window }
      await foldex.call('report_context', { mission, body: learn }, { signal })
      errors.push((100 * Math.abs((before.tokens ?? 0) - actual)) / actual)
    }
    progress()
  }
  if (errors.length === 0) return null
  errors.sort((one, other) => one - other)
  return {
    calls: errors.length,
    median_percent: quantile(errors, 0.5),
    p95_percent: quantile(errors, 0.95),
  }
}

/** The nearest rank: a value that was really there. */
const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0
