import type { Contract } from '../../contract/contract.ts'
import { jsonSource } from '../../contract/json-source.ts'
import { done } from '../../contract/operation.ts'
import type { Call, Operation } from '../../contract/operation.ts'
import { digestOfRef } from '../../domain/digest.ts'
import type { Ref } from '../../domain/digest.ts'
import { failure } from '../../domain/failure.ts'
import type { Failure } from '../../domain/failure.ts'
import { isoTime } from '../../domain/identifier.ts'
import { err, ok } from '../../domain/result.ts'
import type { Result } from '../../domain/result.ts'
import type { ToolResult } from '../../domain/transcript/lens.ts'
import { maskKey, placeholderOf, recognise } from '../../domain/masking/recognise.ts'
import type { MaskRecord } from '../../domain/masking/recognise.ts'
import { applyUnmask, planUnmask } from '../../domain/masking/unmask.ts'
import type { Content, RestoreEdit, UnmaskPlan } from '../../domain/masking/unmask.ts'
import type { Deps, Owner } from '../../ports.ts'
import { inParallel } from '../in-parallel.ts'
import { requestOf } from './mask-answer.ts'
import { maskedView, recordsOf } from './read-masks.ts'
import { readExcerpt } from '../memex/read-excerpt.ts'
import { readLens, ROOT } from '../transcript/read-transcript.ts'

type Row = Contract['unmask']
type UnmaskDeps = Pick<Deps, 'missions' | 'memex' | 'excerptCache' | 'defer' | 'report' | 'now'>

/** Puts masked results back as they were: only what this mission masked for that tool and call. */
export const unmask: Operation<Row, UnmaskDeps> = async (deps, call) => {
  const { caller, params, body, source } = call
  const lens = readLens(body.request, body.format)
  if (!lens.ok) return lens
  const owner = { tenant: caller.tenant, mission: params.mission }
  const { results } = lens.value.reading
  const here = await maskedHere(deps, owner, results, body)
  if (!here.ok) return here
  const { observes, records } = here.value
  const refs = body.refs === undefined ? undefined : new Set(body.refs)
  const plan = planUnmask(results, recognise(results, records), refs)
  const contents = await contentsOf(deps, owner, plan)
  const restored = applyUnmask(source, ROOT, plan, contents)
  if ((body.pin || observes) && restored.edits.length > 0) {
    const refused = await tell(deps, owner, restored.edits, body.pin)
    if (refused !== null) return err(refused)
  }
  return ok(
    done({
      ...(body.return === 'edits'
        ? { edits: restored.edits.map(restoreEdit) }
        : { request: jsonSource(requestOf(restored.source)) }),
      restored: restored.edits.length,
      not_restored: restored.not_restored.map((one) => ({ ...one })),
    }),
  )
}

const restoreEdit = ({ pointer, json }: RestoreEdit) => ({ pointer, value: jsonSource(json) })

interface MaskedHere {
  readonly records: readonly MaskRecord[]
  /** The mission counts the outputs that it is told of one by one. */
  readonly observes: boolean
}

async function maskedHere(
  deps: UnmaskDeps,
  owner: Owner,
  results: readonly ToolResult[],
  body: Call<Row>['body'],
): Promise<Result<MaskedHere, Failure>> {
  if (deps.missions === null)
    return ok({ records: vouchedFor(results, body.log_entries ?? []), observes: false })
  const view = await maskedView(deps, owner, results)
  if (view === null) return err(failure('mission_not_found'))
  if (view.state.status === 'erased') return err(failure('mission_erased'))
  return ok({ records: recordsOf(view), observes: view.state.context.observed.count > 0 })
}

/** Without an object the caller's own log entries say what was masked, and for which call. */
function vouchedFor(
  results: readonly ToolResult[],
  entries: NonNullable<Call<Row>['body']['log_entries']>,
): MaskRecord[] {
  const logged = new Set(
    entries.flatMap(({ items }) => items.map((item) => maskKey({ ...item, ref: item.ref as Ref }))),
  )
  return results.flatMap((result): MaskRecord[] => {
    const placeholder = placeholderOf(result)
    if (placeholder === null || placeholder.ref === null) return []
    const { call_id, occurrence } = result
    const record = { call_id, occurrence, ...placeholder }
    return logged.has(maskKey({ ...record, call_id: call_id.toWellFormed() })) ? [record] : []
  })
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
  pin: boolean,
): Promise<Failure | null> {
  if (deps.missions === null) return failure('storage_not_configured')
  const restored = edits.map(({ call_id, turn }) => ({ call_id, turn }))
  const pinned = pin ? edits.map((edit) => (edit.call_id === '' ? edit.ref : edit.call_id)) : []
  const event = { type: 'unmasked', restored, pinned } as const
  const told = await deps.missions.apply({ ...owner, at: isoTime(deps.now()), event })
  return told.ok ? null : told.error
}
