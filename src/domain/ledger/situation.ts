import { isTaskDone } from '../context/begin-context.ts'
import { eligibleRanges } from '../context/eligible.ts'
import { policyOf } from '../masking/policy.ts'
import type { Situation, Advice } from './advice.ts'
import { advise } from './advice.ts'
import type { MissionState } from './state.ts'

/** The one thing that a mission should do next (DESIGN section 5). */
export const adviceFor = (state: MissionState): Advice => advise(situationOf(state))

/** What advice looks at, gathered from the areas of a mission. */
export function situationOf(state: MissionState): Situation {
  const { context, settings } = state
  return {
    halted: state.status === 'halted',
    task_done: isTaskDone(context),
    percent: context.reading?.percent ?? null,
    after_masking: context.after_masking,
    maskable: isTriggered(state) ? context.maskable : 0,
    phase: state.phase,
    has_findings: state.folding.artifacts['findings.md'] !== undefined,
    condensed: context.condensed === 'done',
    eligible: eligibleRanges(context.turns, context.summarised),
    one_off: settings.one_off ?? false,
    thresholds: settings.thresholds,
  }
}

/** Whether the policy's trigger lets a mask do anything yet. */
function isTriggered({ context, settings }: MissionState): boolean {
  const { trigger } = policyOf(settings)
  if (trigger.type !== 'percent') return true
  return context.reading !== null && context.reading.percent >= trigger.value
}
