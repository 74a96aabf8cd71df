import type { Failure } from '../../domain/failure.ts'
import type { MissionState } from '../../domain/ledger/state.ts'
import { sentTokens } from '../../domain/masking/masks/mask-again.ts'
import type { MaskRecord } from '../../domain/masking/masks/mask-record.ts'
import type { JsonSources } from '../../domain/masking/plan/masker.ts'
import { jsonSources } from '../../domain/masking/plan/masker.ts'
import type { Policy } from '../../domain/masking/policy.ts'
import { policyOf } from '../../domain/masking/policy.ts'
import { retainedIn, keeps } from '../../domain/masking/retention.ts'
import type { Named } from '../../domain/meter/scale.ts'
import type { PolicyInput } from '../../domain/mission/policy.ts'
import { ok } from '../../domain/result.ts'
import type { Result } from '../../domain/result.ts'
import type { CountTokens } from '../../domain/tokens.ts'
import type { CountedRequest } from '../../domain/transcript/count.ts'
import { countPieces } from '../../domain/transcript/count.ts'
import type { ToolResult } from '../../domain/transcript/lens.ts'
import type { Owner, Deps } from '../../ports.ts'
import type { Seen } from '../transcript/read-transcript.ts'
import { conversationOf, readLens, modelOf, ROOT } from '../transcript/read-transcript.ts'
import type { Masks } from './read-masks.ts'
import { readMasks } from './read-masks.ts'

/** A request as its caller sent it. */
export interface SentRequest {
  readonly request: unknown
  readonly format?: string | undefined
  readonly conversation?: string | undefined
  readonly policy?: PolicyInput | undefined
  readonly model?: string | undefined
  readonly window_tokens?: number | undefined
  /** The body that the request stands in. */
  readonly source: string
}

/** A request as it came, and as it is sent on: what the mission masked before stays masked. */
export interface Sent {
  readonly seen: Seen
  readonly masks: Masks
  readonly sources: JsonSources
  readonly count: CountTokens
  /** Our count of the request as it is sent on. */
  readonly counted: CountedRequest
  readonly policy: Policy
  readonly named: Named
  /** Pointers of results that a retention decision keeps. */
  readonly retained: ReadonlySet<string>
}

/** Reads a request with what the mission knows of it; what is known is not counted again. */
export async function readSent(
  deps: Pick<Deps, 'missions' | 'loadTokens'>,
  owner: Owner,
  body: SentRequest,
  at: string,
): Promise<Result<Sent, Failure>> {
  const lens = readLens(body.request, body.format)
  if (!lens.ok) return lens
  const { reading } = lens.value
  const { results } = reading
  const counting = deps.loadTokens()
  const sources = jsonSources(body.source, ROOT, results)
  const conversation = await conversationOf(body.request, body.conversation)
  const read = await readMasks(deps, owner, reading, sources, conversation, at)
  const { state } = read
  const policy = policyOf(state?.settings ?? {}, body.policy)
  const retained = retainedIn(results, state?.masking)
  const masks = { ...read, masked: stillMasked(read.masked, results, retained, policy, state) }
  const count = await counting
  const counted = countPieces(reading.pieces, count, sentTokens(masks.masked))
  const named = { model: body.model ?? modelOf(body.request), window_tokens: body.window_tokens }
  return ok({ seen: lens.value, masks, sources, count, counted, policy, named, retained })
}

/** What was masked stays masked, unless a pin, a retention decision or an exclusion takes it out. */
function stillMasked(
  masked: ReadonlyMap<string, MaskRecord>,
  results: readonly ToolResult[],
  retained: ReadonlySet<string>,
  policy: Policy,
  state: MissionState | null,
): ReadonlyMap<string, MaskRecord> {
  const still = new Map<string, MaskRecord>()
  if (masked.size === 0 || state === null) return still
  const kept = keeps({ ...policy, min_bytes: 0 }, state.masking)
  for (const { pointer, turn } of results) {
    const record = masked.get(pointer)
    if (record !== undefined && !retained.has(pointer) && !kept({ ...record, turn }))
      still.set(pointer, record)
  }
  return still
}
