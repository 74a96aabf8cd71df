import type { Alignment } from '../../context/answered.ts'
import type { Sha256 } from '../../digest.ts'
import type { CountedRequest } from '../../transcript/count.ts'
import type { ToolResult } from '../../transcript/lens.ts'
import { identityOf } from './mask-record.ts'
import type { MaskRecord, Refusal } from './mask-record.ts'
import { placeholderTool } from './placeholder.ts'
import type { Recognised } from './recognise.ts'

/** A raw result that has records, with the digest of its evidence. */
export interface RawResult {
  readonly result: ToolResult
  /** Its place among all results of the transcript. */
  readonly index: number
  readonly name: string
  readonly form: 'text' | 'json'
  readonly digest: Sha256
}

/** Results that this mission masked before and that came back raw. */
export interface CameBack {
  /** Those that are masked again, by pointer. */
  readonly masked: ReadonlyMap<string, MaskRecord>
  /** Those that were unmasked since, by pointer: a new mask of them has the old placeholder. */
  readonly lifted: ReadonlyMap<string, MaskRecord>
  /** Those whose bytes the Memex does not take, by pointer. */
  readonly refused: ReadonlyMap<string, Refusal>
}

/**
 * Finds which results are masked again: equal by call id, tool and digest. Where several are equal,
 * those that were sent masked the last time are, then those at the recorded occurrences; a mask whose
 * result left the history is not given to an equal one that stayed.
 */
export function cameBack(
  raw: readonly RawResult[],
  records: Iterable<MaskRecord>,
  recognised: Recognised,
  alignment: Alignment,
): CameBack {
  const recorded = Map.groupBy(records, identityOf)
  const equals = Map.groupBy(raw, ({ digest, result }) =>
    identityOf({ call_id: result.call_id, tool: placeholderTool(result.tool), digest }),
  )
  // A placeholder of ours that stands in the transcript has its record already.
  const taken = new Set(recognised.values())
  const masked = new Map<string, MaskRecord>()
  const lifted = new Map<string, MaskRecord>()
  const refused = new Map<string, Refusal>()
  for (const [identity, results] of equals) {
    const all = recorded.get(identity)?.filter(({ form }) => form === results[0]?.form) ?? []
    const refusal = all.find((record) => record.refused !== undefined)?.refused
    if (refusal !== undefined)
      for (const { result } of results) refused.set(result.pointer, refusal)
    const lift = all.find((record) => record.lifted === true)
    if (lift !== undefined) for (const { result } of results) lifted.set(result.pointer, lift)
    const standing = all.filter((record) => isStanding(record) && !taken.has(record))
    for (const [one, record] of assigned(results, standing, alignment))
      masked.set(one.result.pointer, record)
  }
  return { masked, lifted, refused }
}

const isStanding = ({ lifted, refused }: MaskRecord): boolean =>
  lifted !== true && refused === undefined

/** Which of equal results take which of their records. */
function assigned(
  results: readonly RawResult[],
  records: readonly MaskRecord[],
  { common, gone, masked }: Alignment,
): readonly (readonly [RawResult, MaskRecord])[] {
  if (records.length === 0) return []
  const sentMasked = results.filter(({ index }) => index < common && masked[index] === true)
  // One that is masked after another left the history may have that one's occurrence and record.
  const staying = records.length - (gone[results[0]?.name ?? ''] ?? 0)
  const left = Math.max(staying, sentMasked.length)
  const others = results.filter((one) => !sentMasked.includes(one))
  const exact = others.filter(({ result }) =>
    records.some(({ occurrence }) => occurrence === result.occurrence),
  )
  const rest = results.length <= left ? others.filter((one) => !exact.includes(one)) : []
  return [...sentMasked, ...exact, ...rest].slice(0, left).flatMap((one, place) => {
    const own = records.find(({ occurrence }) => occurrence === one.result.occurrence)
    const record = own ?? records[place] ?? records.at(-1)
    return record === undefined ? [] : [[one, record] as const]
  })
}

/** What results that are masked again cost as they are sent, in tokens, by pointer. */
export const sentTokens = (masked: ReadonlyMap<string, MaskRecord>): ReadonlyMap<string, number> =>
  new Map(
    [...masked].map(([pointer, { saved_tokens, tokens }]) => [pointer, tokens - saved_tokens]),
  )

/** What a request would cost had nothing in it been masked, in tokens, from what it costs as it is sent. */
export const rawTokens = (
  sent: Pick<CountedRequest, 'tokens'>,
  masked: readonly ReadonlyMap<string, MaskRecord>[],
): number =>
  masked
    .flatMap((records) => [...records.values()])
    .reduce((sum, { saved_tokens }) => sum + saved_tokens, sent.tokens)
