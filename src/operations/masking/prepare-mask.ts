import { FIRST_CONTEXT } from '../../domain/context/context-state.ts'
import { contextOf, unexplained } from '../../domain/masking/anchor.ts'
import { retainedIn } from '../../domain/masking/retention.ts'
import { regretBefore } from '../../domain/masking/masking-state.ts'
import type { Regret } from '../../domain/masking/masking-state.ts'
import { fingerprintOf } from '../../domain/masking/session-cost.ts'
import { extractsOf } from '../../domain/masking/extract-paths.ts'
import { growthRatio, reanchor } from '../../domain/meter/calibration.ts'
import type { Calibration } from '../../domain/meter/calibration.ts'
import { scaleOf } from '../../domain/meter/scale.ts'
import type { Named } from '../../domain/meter/scale.ts'
import { readMeter } from '../../domain/meter/meter.ts'
import type { Reading } from '../../domain/meter/meter.ts'
import { createPlanner } from '../../domain/masking/plan/plan.ts'
import type { Planner } from '../../domain/masking/plan/plan.ts'
import type { Policy } from '../../domain/masking/policy.ts'
import { recognise } from '../../domain/masking/recognise.ts'
import type { Recognised } from '../../domain/masking/recognise.ts'
import type { Deps, View } from '../../ports.ts'
import { foundRecords } from '../found-records.ts'
import { recordsOf } from './read-masks.ts'
import { ROOT } from '../transcript/read-transcript.ts'
import type { Transcript } from '../transcript/read-transcript.ts'

/** The meter as it stands before the mask; `reading` is null where no window is known. */
export interface Measured {
  readonly reading: Reading | null
  readonly calibration: Calibration | null
  /** The tokens of a host's report that no count explained yet. */
  readonly anchor: number | null
}

/** Reads the calibrated meter on the request at hand: what trigger and target are judged by. */
export function measured(view: View | null, transcript: Transcript, named: Named): Measured {
  const { tokens: counted } = transcript.counted
  const { turns } = transcript.reading
  const state =
    view === null ? FIRST_CONTEXT : contextOf(view.state, { counted, turns, named }).context
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

export interface Planned {
  readonly planner: Planner
  readonly regret: Regret | null
  readonly fingerprint: string
  /** The tokens of the request had nothing in it been masked. */
  readonly raw: number
}

/** How a request would be masked, and what is known of its state. */
export function planFor(deps: Pick<Deps, 'memex'>, request: PlanRequest): Planned {
  const { transcript, source, meter, view } = request
  const { results } = transcript.reading
  const masking = view?.state.masking
  const pinned = [...request.policy.pinned, ...(masking?.pinned ?? [])]
  const recognised = recognise(results, recordsOf(view))
  const raw = rawTokens(transcript, recognised)
  const fingerprint = fingerprintOf(transcript.reading.turns, results.length, raw)
  const regret = masking?.regret ?? null
  const planner = createPlanner({
    results,
    policy: { ...request.policy, pinned },
    pinned: retainedIn(results, masking),
    counted: transcript.counted,
    count: transcript.count,
    meter: {
      percent: meter.reading?.percent ?? null,
      window_tokens: meter.reading?.window_tokens ?? null,
    },
    ratio: growthRatio(meter.calibration),
    recognised,
    extracts: extractsOf(results, foundRecords(view, 'extracted')),
    storage: deps.memex === null ? 'in_context' : 'memex',
    source,
    root: ROOT,
    regret: regretBefore(regret, fingerprint),
  })
  return { planner, regret, fingerprint, raw }
}

/** What the request would cost had nothing in it been masked. */
const rawTokens = (transcript: Transcript, recognised: Recognised): number =>
  [...recognised.values()].reduce(
    (sum, record) => sum + (record.saved_tokens ?? 0),
    transcript.counted.tokens,
  )
