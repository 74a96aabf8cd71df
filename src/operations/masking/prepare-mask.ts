import { fingerprintOf } from '../../domain/context/calls.ts'
import { FIRST_CONTEXT } from '../../domain/context/context-state.ts'
import type { Failure } from '../../domain/failure.ts'
import { failure } from '../../domain/failure.ts'
import type { MissionState } from '../../domain/ledger/state.ts'
import { anchoredCalibration, contextOf } from '../../domain/masking/anchor.ts'
import { extractsOf } from '../../domain/masking/masks/extract-paths.ts'
import { rawTokens } from '../../domain/masking/masks/mask-again.ts'
import { createPlanner } from '../../domain/masking/plan/plan.ts'
import type { Planner } from '../../domain/masking/plan/plan.ts'
import { growthRatio } from '../../domain/meter/calibration.ts'
import { readMeter } from '../../domain/meter/meter.ts'
import { scaleOf } from '../../domain/meter/scale.ts'
import type { Named } from '../../domain/meter/scale.ts'
import { windowMissing } from '../../domain/meter/window.ts'
import { err, ok } from '../../domain/result.ts'
import type { Result } from '../../domain/result.ts'
import type { ToolResult } from '../../domain/transcript/lens.ts'
import type { Deps, Owner } from '../../ports.ts'
import type { Masks } from './read-masks.ts'
import type { Sent, SentRequest } from './read-sent.ts'
import { readSent } from './read-sent.ts'

/** All that a mask of a request stands on. */
export interface Prepared extends Sent {
  readonly window_tokens: number | null
  readonly planner: Planner
  readonly fingerprint: string
  /** The tokens of the request had nothing in it been masked. */
  readonly raw: number
  /** Its tokens before what was sent raw at the last call and is masked again at this one. */
  readonly unchanged: number | null
}

type PrepareDeps = Pick<Deps, 'missions' | 'memex' | 'loadTokens' | 'repeated'>

/** Reads a request and what the mission knows of it: how it would be masked, and on what numbers. */
export async function prepareMask(
  deps: PrepareDeps,
  owner: Owner,
  body: SentRequest,
  at: string,
): Promise<Result<Prepared, Failure>> {
  const sent = await readSent(deps, owner, body, at)
  if (!sent.ok) return sent
  const { count, counted, masks, named, policy, retained, seen, sources } = sent.value
  const { state } = masks
  if (state?.status === 'erased') return err(failure('mission_erased'))
  const { results, turns } = seen.reading
  const raw = rawTokens(counted, [masks.masked, masks.recognised])
  const fingerprint = fingerprintOf(turns, results.length, raw)
  const resent = firstResent(results, masks)
  const unchanged = resent === null ? null : (counted.before_result.get(resent) ?? null)
  const meter = measured(state, counted.tokens, turns, named)
  if (meter.percent === null && policy.trigger.type === 'percent') return err(windowMissing())
  const planner = createPlanner({
    results,
    policy: { ...policy, pinned: [...policy.pinned, ...(state?.masking.pinned ?? [])] },
    pinned: retained,
    counted,
    count,
    meter,
    ratio: meter.ratio,
    recognised: masks.recognised,
    again: masks.masked,
    lifted: masks.lifted,
    refused: masks.refused,
    extracts: extractsOf(results, masks.extracts),
    anew: deps.repeated !== true,
    storage: deps.memex === null ? 'in_context' : 'memex',
    sources,
    calls: { state: meter.calls, fingerprint, raw, unchanged },
  })
  const { window_tokens } = meter
  return ok({ ...sent.value, window_tokens, planner, fingerprint, raw, unchanged })
}

/** The first result that a conversation was sent raw, and that another one has masked meanwhile. */
const firstResent = (results: readonly ToolResult[], { alignment, masked }: Masks): string | null =>
  results.find(({ pointer }, index) => masked.has(pointer) && alignment.masked[index] === false)
    ?.pointer ?? null

/** The meter on the request at hand, calibrated and anchored: what trigger and target are judged by. */
function measured(state: MissionState | null, counted: number, turns: number, named: Named) {
  const context =
    state === null ? FIRST_CONTEXT : contextOf(state, { counted, turns, named }).context
  const scale = scaleOf(state?.settings ?? {}, named)
  const calibration = anchoredCalibration(context, counted, scale.window_tokens)
  const reading = readMeter({ counted }, { ...scale, calibration })
  return {
    percent: reading.ok ? reading.value.percent : null,
    window_tokens: reading.ok ? reading.value.window_tokens : null,
    ratio: growthRatio(calibration),
    calls: context.calls,
  }
}
