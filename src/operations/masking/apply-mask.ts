import type { Failure } from '../../domain/failure.ts'
import type { MaskingItem } from '../../domain/log/row.ts'
import { maskingEntry } from '../../domain/masking/masking-entry.ts'
import type { MaskingEntry } from '../../domain/masking/masking-entry.ts'
import { regretAfter } from '../../domain/masking/masking-state.ts'
import type { SessionCall } from '../../domain/masking/session-cost.ts'
import { extractsDue, lookAt, PLACEHOLDER_TOKENS } from '../../domain/masking/seen.ts'
import type { Named } from '../../domain/meter/scale.ts'
import type { Seen } from '../../domain/context/look.ts'
import type { MissionState } from '../../domain/ledger/state.ts'
import { ok } from '../../domain/result.ts'
import type { Result } from '../../domain/result.ts'
import type { Decision } from '../../domain/masking/plan/decision.ts'
import type { MaskRecord } from '../../domain/masking/recognise.ts'
import type { Plan } from '../../domain/masking/plan/settle.ts'
import type { Deps, Owner } from '../../ports.ts'
import type { Measured, Planned } from './prepare-mask.ts'
import type { Transcript } from '../transcript/read-transcript.ts'

export interface Run {
  readonly plan: Plan
  readonly masks: readonly MaskRecord[]
  readonly transcript: Transcript
  readonly meter: Measured
  readonly named: Named
  readonly planned: Pick<Planned, 'regret' | 'fingerprint' | 'raw'>
}

export interface Logged {
  /** Null where nothing was masked and nothing failed. */
  readonly entry: MaskingEntry | null
  readonly seen: Seen
  readonly percent_after: number | null
  /** Null without a mission's object. */
  readonly state: MissionState | null
}

/** Writes the run into the mission's log; without an object the entry is only answered. */
export async function logged(
  deps: Pick<Deps, 'missions' | 'newId'>,
  owner: Owner,
  at: string,
  run: Run,
): Promise<Result<Logged, Failure>> {
  const { plan, meter } = run
  const items = plan.decisions.filter(isLogged).map(itemOf)
  const id = deps.newId()
  const seen = seenAfter(run)
  if (deps.missions === null) {
    const entry = items.length === 0 ? null : maskingEntry({ id, items }, at, plan.percent_after)
    return ok({ entry, seen, percent_after: plan.percent_after, state: null })
  }
  const before = run.transcript.counted.tokens
  const state = await deps.missions.apply({
    ...owner,
    at,
    event: {
      type: 'masked',
      id,
      items,
      masks: run.masks,
      counted: { before, after: before - plan.saved_tokens },
      anchor: meter.anchor,
      regret: regretAfter(run.planned.regret, run.planned.fingerprint, plan),
      positions: positionsOf(run),
      call: sessionCall(run),
      named: run.named,
      seen,
    },
  })
  if (!state.ok) return state
  const reading = state.value.context.reading
  const percent = meter.reading === null ? null : (reading?.percent ?? null)
  const entry =
    items.length === 0 ? null : maskingEntry({ id, items }, state.value.updated_at, percent)
  return ok({ entry, seen, percent_after: percent, state: state.value })
}

/** The log holds what was masked and what could not be stored; the rest is in the answer. */
const isLogged = ({ decision }: Decision): boolean =>
  decision === 'masked' ||
  decision === 'store_failed' ||
  decision === 'too_large' ||
  decision === 'secret'

const itemOf = (decision: Decision): MaskingItem => ({
  pointer: decision.pointer,
  call_id: decision.call_id,
  tool: decision.tool,
  turn: decision.turn,
  decision: decision.decision,
  ref: decision.decision === 'masked' ? (decision.mask?.ref ?? null) : null,
  bytes: decision.bytes,
  tokens: decision.tokens,
  saved_tokens: decision.saved_tokens,
})

/** The tokens before each masked result as the request is sent: those before it are masked by then. */
function positionsOf({ plan, transcript: { counted } }: Run): number[] {
  const positions: number[] = []
  let saved = 0
  for (const { decision, pointer, saved_tokens } of plan.decisions) {
    if (decision !== 'masked') continue
    positions.push((counted.before_result.get(pointer) ?? 0) - saved)
    saved += saved_tokens
  }
  return positions
}

/** What this request costs as it is sent, and what it would under the two other policies. */
function sessionCall({ plan, planned, transcript }: Run): Omit<SessionCall, 'unchanged'> {
  const { counted, reading } = transcript
  const masked = counted.tokens - plan.saved_tokens
  const waiting = plan.decisions
    .filter((one) => one.decision === 'target_reached')
    .reduce(
      (sum, one) => sum + Math.max(0, one.mask?.saved_tokens ?? one.tokens - PLACEHOLDER_TOKENS),
      0,
    )
  return {
    fingerprint: planned.fingerprint,
    turn: reading.turns,
    raw: planned.raw,
    masked,
    bound: masked - waiting,
  }
}

function seenAfter({ plan, transcript: { reading, counted }, meter }: Run): Seen {
  const masked = new Set(
    plan.decisions.filter((one) => one.decision === 'masked').map((one) => one.pointer),
  )
  // What this policy holds back, the next mask would hold back too.
  const held = plan.held === 'not_due' || plan.held === 'under_clear_at_least'
  const waiting = plan.decisions.filter((one) => one.decision === 'target_reached').length
  const results = reading.results.filter((result) => !masked.has(result.pointer))
  return {
    turns: reading.turns,
    maskable: held ? 0 : waiting,
    extracts_due: extractsDue(
      lookAt({ ...reading, results }, counted).outputs,
      meter.reading?.window_tokens ?? null,
    ),
  }
}
