import { isTaskDone } from '../context/context.ts'
import { memoryOf } from '../memory/memory-state.ts'
import type { Situation } from './advice.ts'
import { advise } from './advice.ts'
import type { Advice } from './advice.ts'
import { eligibleRanges } from '../context/eligible.ts'
import type { MissionState } from './state.ts'

/** The one thing that a mission should do next (DESIGN section 5). */
export const adviceFor = (state: MissionState): Advice => advise(situationOf(state))

/** What advice looks at, gathered from the areas of a mission. */
export function situationOf(state: MissionState): Situation {
  const { meter, settings } = state
  const { condensed, summarised } = memoryOf(state)
  return {
    halted: state.status === 'halted',
    task_done: isTaskDone(state),
    percent: meter.reading?.percent ?? null,
    after_masking: meter.after_masking,
    maskable: isTriggered(state) ? meter.maskable : 0,
    phase: state.phase,
    has_findings: state.folding.artifacts['findings.md'] !== undefined,
    condensed: condensed === 'done',
    eligible: eligibleRanges(meter.turns, summarised),
    one_off: settings.one_off ?? false,
    thresholds: settings.thresholds,
  }
}

/** Whether a mask would do anything yet: not below a percentage that the mission's policy names. */
function isTriggered({ meter, settings }: MissionState): boolean {
  const trigger = settings.policy?.trigger
  if (trigger?.type !== 'percent' || trigger.value === undefined) return true
  return meter.reading !== null && meter.reading.percent >= trigger.value
}
