import type { Contract } from '../../contract/contract.ts'
import { jsonSource } from '../../contract/json-source.ts'
import { done } from '../../contract/operation.ts'
import type { Answer, Call, Operation } from '../../contract/operation.ts'
import { digestOfRef } from '../../domain/digest.ts'
import type { Ref } from '../../domain/digest.ts'
import { failure } from '../../domain/failure.ts'
import type { Failure } from '../../domain/failure.ts'
import { isoTime } from '../../domain/identifier.ts'
import { ownMaskKey } from '../../domain/masking/masks/mask-record.ts'
import type { MaskRecord } from '../../domain/masking/masks/mask-record.ts'
import { placeholderOf, recognise } from '../../domain/masking/masks/recognise.ts'
import type { Recognised } from '../../domain/masking/masks/recognise.ts'
import { applyUnmask, planUnmask } from '../../domain/masking/masks/unmask.ts'
import type { Content, RestoreEdit, UnmaskPlan } from '../../domain/masking/masks/unmask.ts'
import { jsonSources } from '../../domain/masking/plan/masker.ts'
import { err, ok } from '../../domain/result.ts'
import type { Result } from '../../domain/result.ts'
import type { ToolResult } from '../../domain/transcript/lens.ts'
import type { Deps, Owner } from '../../ports.ts'
import { inParallel } from '../in-parallel.ts'
import { readExcerpt } from '../memex/read-excerpt.ts'
import { conversationOf, readLens, ROOT } from '../transcript/read-transcript.ts'
import type { Seen } from '../transcript/read-transcript.ts'
import { liftNamed } from './lift-masks.ts'
import { requestOf } from './mask-answer.ts'
import { readMasks } from './read-masks.ts'

type Row = Contract['unmask']
type Body = Call<Row>['body']
type UnmaskDeps = Pick<Deps, 'missions' | 'memex' | 'excerptCache' | 'defer' | 'report' | 'now'>

/**
 * Puts masked results back as they were: only what this mission masked for that tool and call. They
 * are not masked again by themselves. Without a request the named masks are lifted, for callers whose
 * history is raw.
 */
export const unmask: Operation<Row, UnmaskDeps> = async (deps, call) => {
  const { caller, params, body, source } = call
  const owner = { tenant: caller.tenant, mission: params.mission }
  if (body.request === undefined) return await liftNamed(deps, owner, body)
  const lens = readLens(body.request, body.format)
  if (!lens.ok) return lens
  const here = await maskedHere(deps, owner, lens.value, body, source)
  return here.ok ? await restore(deps, owner, call, lens.value, here.value) : here
}

async function restore(
  deps: UnmaskDeps,
  owner: Owner,
  { body, source }: Call<Row>,
  { reading }: Seen,
  here: MaskedHere,
): Promise<Result<Answer<Row['answers']['_zod']['input']>, Failure>> {
  const refs = body.refs === undefined ? undefined : new Set(body.refs)
  const plan = planUnmask(reading.results, here.recognised, refs)
  const contents = await contentsOf(deps, owner, plan)
  const restored = applyUnmask(source, ROOT, plan, contents)
  const raw = here.raw.filter(({ ref }) => refs === undefined || (ref !== null && refs.has(ref)))
  if (deps.missions !== null && restored.edits.length + raw.length > 0) {
    const refused = await tell(deps, owner, restored.edits, raw, body.pin)
    if (refused !== null) return err(refused)
  }
  return ok(
    done({
      ...(body.return === 'edits'
        ? { edits: restored.edits.map(restoreEdit) }
        : {
            request: jsonSource(requestOf(restored.source)),
          }),
      restored: restored.edits.length + raw.length,
      not_restored: restored.not_restored.map((one) => ({ ...one })),
    }),
  )
}

const restoreEdit = ({ pointer, json }: RestoreEdit) => ({ pointer, value: jsonSource(json) })

/** A result that stands raw in the request, and that the next mask would mask again. */
interface RawMask {
  readonly call_id: string
  readonly turn: number
  readonly ref: Ref | null
}

interface MaskedHere {
  readonly recognised: Recognised
  readonly raw: readonly RawMask[]
}

async function maskedHere(
  deps: UnmaskDeps,
  owner: Owner,
  { reading }: Seen,
  body: Body,
  source: string,
): Promise<Result<MaskedHere, Failure>> {
  const { results } = reading
  if (deps.missions === null)
    return ok({ recognised: vouchedFor(results, body.log_entries ?? []), raw: [] })
  const sources = jsonSources(source, ROOT, results)
  const conversation = await conversationOf(body.request, undefined)
  const at = isoTime(deps.now())
  const masks = await readMasks(deps, owner, reading, sources, conversation, at)
  if (masks.state === null) return err(failure('mission_not_found'))
  if (masks.state.status === 'erased') return err(failure('mission_erased'))
  const raw = results.flatMap(({ pointer, call_id, turn }) => {
    const record = masks.masked.get(pointer)
    return record === undefined ? [] : [{ call_id, turn, ref: record.ref }]
  })
  return ok({ recognised: masks.recognised, raw })
}

/** Without an object the caller's own log entries say what was masked, and for which call. */
function vouchedFor(
  results: readonly ToolResult[],
  entries: NonNullable<Body['log_entries']>,
): Recognised {
  const logged = new Set(
    entries.flatMap(({ items }) =>
      items.map(({ call_id, ref, tool }) => ownMaskKey({ call_id, tool, ref })),
    ),
  )
  const records = results.flatMap((result): MaskRecord[] => {
    const placeholder = placeholderOf(result)
    if (placeholder === null || placeholder.ref === null) return []
    const { call_id, occurrence, text } = result
    const { form, is_error, ref, tool } = placeholder
    if (!logged.has(ownMaskKey({ call_id: call_id.toWellFormed(), tool, ref }))) return []
    const size = { bytes: 0, characters: 0, tokens: 0, saved_tokens: 0 }
    const mask = { tool, ref, digest: digestOfRef(ref), form, is_error, placeholder: text ?? '' }
    return [{ call_id, occurrence, ...mask, ...size }]
  })
  return recognise(results, records)
}

async function contentsOf(
  deps: UnmaskDeps,
  owner: Owner,
  plan: UnmaskPlan,
): Promise<ReadonlyMap<string, Content>> {
  const refs = [...new Set(plan.restore.map((one) => one.ref))]
  const contents = await inParallel(refs, async (ref): Promise<[string, Content]> => {
    const read = await readExcerpt(deps, owner, digestOfRef(ref))
    if (read.ok) return [ref, read.value]
    return [ref, read.error.code === 'excerpt_corrupt' ? 'corrupt' : 'missing']
  })
  return new Map(contents)
}

/** Tells the mission. Pinned results stay: by call id, or by ref where the format gives no id. */
async function tell(
  deps: UnmaskDeps,
  owner: Owner,
  edits: readonly RestoreEdit[],
  raw: readonly RawMask[],
  pin: boolean,
): Promise<Failure | null> {
  if (deps.missions === null) return failure('storage_not_configured')
  const all = [...edits, ...raw]
  const restored = all.map(({ call_id, turn }) => ({ call_id, turn }))
  const lifts = all.map(({ call_id, ref }) => ({ call_id, ref: ref ?? undefined }))
  const named = all.map(({ call_id, ref }) => (call_id === '' ? ref : call_id))
  const pinned = pin ? named.filter((name) => name !== null) : []
  const event = { type: 'unmasked', restored, lifts, pinned } as const
  const told = await deps.missions.apply({ ...owner, at: isoTime(deps.now()), event })
  return told.ok ? null : told.error
}
