import { calibrate } from '../meter/calibration.ts'
import type { MeterState } from '../meter/events.ts'

/**
 * What a report says that no count explains yet: the tokens, by the provider's measure, of a request
 * that we count as `counted`. A host's own percentage outranks the count (DESIGN section 5); a usage
 * that came without its request does where it says more. Null where the count stands by itself.
 */
export function unexplained(
  meter: MeterState,
  counted: number,
  window_tokens: number | null,
): number | null {
  const { reading } = meter
  if (reading === null || window_tokens === null) return null
  if (reading.method === 'host') return Math.round((reading.percent * window_tokens) / 100)
  if (reading.method !== 'usage' || meter.calibration !== null || reading.tokens === null)
    return null
  return reading.tokens > calibrate(null, counted).tokens ? reading.tokens : null
}
