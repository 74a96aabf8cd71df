import { utf8, utf8Text } from '../../domain/bytes.ts'
import { formatRef, sha256 } from '../../domain/digest.ts'
import { holdsOnlyFold } from '../../domain/fold/lifecycle/context-proof.ts'
import type { AcceptedFold } from '../../domain/fold/lifecycle/folding.ts'
import { isoTime } from '../../domain/identifier.ts'
import type { MissionRecord } from '../../domain/ledger/records.ts'
import type { MissionState } from '../../domain/ledger/state.ts'
import { maskKey, ownMaskKey } from '../../domain/masking/masks/mask-record.ts'
import { placeholderTool } from '../../domain/masking/masks/placeholder.ts'
import { resultKey } from '../../domain/transcript/calls.ts'
import type { ToolResult } from '../../domain/transcript/lens.ts'
import type { Deps, Owner } from '../../ports.ts'
import type { Sent } from '../masking/read-sent.ts'
import { readArtifact } from './artifacts/read-artifact.ts'

type ProveDeps = Pick<Deps, 'missions' | 'memex' | 'excerptCache' | 'defer' | 'report' | 'now'>

/**
 * After a report whose transcript was seen: where the mission waits for the proof that its context
 * holds only the fold, and the transcript gives it, the gate's item is closed.
 */
export async function proveContext(
  deps: ProveDeps,
  owner: Owner,
  state: MissionState,
  sent: Pick<Sent, 'seen' | 'masks'>,
): Promise<void> {
  if (deps.missions === null || !(await provesContext(deps, owner, state, sent))) return
  await deps.missions.apply({
    ...owner,
    at: isoTime(deps.now()),
    event: { type: 'context_proved' },
  })
}

/** Whether a transcript is the proof that a mission waits for. */
export async function provesContext(
  deps: Omit<ProveDeps, 'now'>,
  owner: Owner,
  state: MissionState,
  sent: Pick<Sent, 'seen' | 'masks'>,
): Promise<boolean> {
  const { accepted, artifacts, proved_at } = state.folding
  if (accepted === null || proved_at !== null) return false
  const bytes = await readArtifact(deps, owner, artifacts, 'fold.md')
  const fold = bytes.ok ? utf8Text(bytes.value) : null
  if (fold === null) return false
  const { reading } = sent.seen
  const { results } = reading
  // What comes raw may stand raw in the context: that it would be masked again proves nothing.
  const masked = new Set(sent.masks.recognised.keys())
  if (!holdsOnlyFold(reading, fold, { masked, older: new Set() })) return false
  const unmasked = results.filter(({ pointer }) => !masked.has(pointer))
  const older = await olderThan(deps, owner, unmasked, accepted)
  return holdsOnlyFold(reading, fold, { masked, older })
}

/**
 * Which results the mission saw before it accepted its fold: by their calls, where it observed them,
 * keeps an extract of them or had them in its last report, and by their bytes, where it masked them.
 */
async function olderThan(
  { missions }: Pick<Deps, 'missions'>,
  owner: Owner,
  results: readonly ToolResult[],
  { at, reported = [] }: AcceptedFold,
): Promise<ReadonlySet<string>> {
  const traces = await Promise.all(results.map(tracesOf))
  const lookups = KINDS.map((kind) => ({
    kind,
    keys: traces.flat().flatMap((trace) => (trace.kind === kind ? [trace.key] : [])),
  }))
  const view = await missions?.read(owner, lookups)
  const seen = new Set((view?.found ?? []).flatMap((record) => namesOf(record, at)))
  const older = results.filter(
    ({ call_id }, index) =>
      reported.includes(call_id) || traces[index]?.some((trace) => seen.has(nameOf(trace))),
  )
  return new Set(older.map(({ pointer }) => pointer))
}

const KINDS = ['observed_call', 'extracted', 'mask'] as const

interface Trace extends Pick<MissionRecord, 'kind' | 'key'> {
  /** Of masks, which stand together by their calls. */
  readonly ref?: string
}

const nameOf = ({ kind, key, ref = '' }: Trace): string => `${kind} ${key} ${ref}`

/** What a stored record says that the mission had seen by then. */
function namesOf(record: MissionRecord, by: string): readonly string[] {
  const { key, kind } = record
  if (record.kind !== 'mask') return record.at <= by ? [nameOf({ kind, key })] : []
  const masked = record.body.filter(({ at = record.at }) => at <= by)
  return masked.map(({ ref }) => nameOf({ kind, key, ref: ref ?? '' }))
}

/** The records that a mission would have of a result that it saw. */
async function tracesOf({ call_id, text, tool, turn }: ToolResult): Promise<readonly Trace[]> {
  const traces: Trace[] = []
  if (call_id !== '') {
    traces.push({ kind: 'observed_call', key: call_id })
    traces.push({ kind: 'extracted', key: resultKey(turn, call_id) })
  }
  if (text !== null) {
    const ref = formatRef(await sha256(utf8(text)))
    const mask = { call_id, tool: placeholderTool(tool), ref }
    for (const key of [maskKey(mask), ownMaskKey(mask)]) traces.push({ kind: 'mask', key, ref })
  }
  return traces
}
