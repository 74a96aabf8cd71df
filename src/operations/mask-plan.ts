import { sha256 } from '../domain/digest.ts'
import { utf8 } from '../domain/bytes.ts'
import { unexplained } from '../domain/masking/anchor.ts'
import { regretBefore } from '../domain/masking/events.ts'
import type { Regret } from '../domain/masking/events.ts'
import { growthRatio, reanchor } from '../domain/meter/calibration.ts'
import type { Calibration } from '../domain/meter/calibration.ts'
import { NO_METER, scaleOf } from '../domain/meter/events.ts'
import type { Named } from '../domain/meter/events.ts'
import { readMeter } from '../domain/meter/meter.ts'
import type { Reading } from '../domain/meter/meter.ts'
import { planMask } from '../domain/transcript/plan.ts'
import type { Policy } from '../domain/transcript/policy.ts'
import { recognise } from '../domain/transcript/recognise.ts'
import type { Plan } from '../domain/transcript/settle.ts'
import type { Deps, View } from '../ports.ts'
import { recordsOf } from './masked-view.ts'
import { ROOT } from './read-transcript.ts'
import type { Transcript } from './read-transcript.ts'

/** The meter as it stands before the mask; `reading` is null where no window is known. */
export interface Measured {
  readonly reading: Reading | null
  readonly calibration: Calibration | null
  /** The tokens of a host's report that no count explained yet. */
  readonly anchor: number | null
}

/** Reads the calibrated meter on the request at hand: what trigger and target are judged by. */
export function measured(view: View | null, transcript: Transcript, named: Named): Measured {
  const state = view?.state.meter ?? NO_METER
  const { tokens: counted } = transcript.counted
  const scale = scaleOf(view?.state.settings ?? {}, named)
  const anchor = unexplained(state, counted, scale.window_tokens)
  const calibration =
    anchor === null ? state.calibration : reanchor(state.calibration, { counted, actual: anchor })
  const reading = readMeter({ counted }, { ...scale, calibration })
  return { reading: reading.ok ? reading.value : null, calibration, anchor }
}

export interface PlanRequest {
  readonly transcript: Transcript
  readonly source: string
  readonly policy: Policy
  readonly meter: Measured
  readonly view: View | null
}

/** The plan for a request, and with `break_even` the regret that it leaves. */
export async function planFor(
  deps: Pick<Deps, 'memex'>,
  request: PlanRequest,
): Promise<{ readonly plan: Plan; readonly regret: Regret | null }> {
  const { transcript, source, meter, view } = request
  const { results } = transcript.reading
  const masking = view?.state.masking
  const pinned = [...request.policy.pinned, ...(masking?.pinned ?? [])]
  const breaksEven = request.policy.trigger.type === 'break_even'
  const digest = breaksEven ? await sha256(utf8(source.toWellFormed())) : ''
  const before = regretBefore(masking?.regret ?? null, digest)
  const plan = await planMask({
    results,
    policy: { ...request.policy, pinned },
    counted: transcript.counted,
    count: transcript.count,
    meter: {
      percent: meter.reading?.percent ?? null,
      window_tokens: meter.reading?.window_tokens ?? null,
    },
    ratio: growthRatio(meter.calibration),
    recognised: recognise(results, recordsOf(view)),
    storage: deps.memex === null ? 'in_context' : 'memex',
    source,
    root: ROOT,
    regret: before,
  })
  if (plan.break_even === null) return { plan, regret: null }
  const after = plan.break_even.due ? 0 : plan.break_even.regret
  return { plan, regret: { transcript: digest, before, after } }
}
