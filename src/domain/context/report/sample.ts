import type { Method, Reading, Zone } from '../../meter/meter.ts'
import type { RecordWrite } from '../../mission/record.ts'

/** One point of the context curve. */
export interface Sample {
  readonly at: string
  readonly percent: number
  readonly tokens: number | null
  readonly method: Method
  readonly zone: Zone
  readonly cause: string
}

export function sampleRecord(
  reading: Reading,
  cause: string,
  at: string,
  version: number,
): RecordWrite<{ readonly sample: Sample }> {
  const { percent, tokens, method, zone } = reading
  const body: Sample = { at, percent, tokens, method, zone, cause }
  // The version makes the key: two samples of one millisecond are two samples.
  return { kind: 'sample', key: `${at} ${version}`, at, body }
}
