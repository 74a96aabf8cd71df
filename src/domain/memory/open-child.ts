import type { HasContext } from '../context/context-state.ts'
import type { ContextRecords } from '../context/records.ts'
import { sampleRecord } from '../context/report/sample.ts'
import type { Failure } from '../failure.ts'
import { failure } from '../failure.ts'
import type { HasFold } from '../fold/lifecycle/folding.ts'
import { readMeter } from '../meter/meter.ts'
import { scaleOf } from '../meter/scale.ts'
import type { Core } from '../mission/core.ts'
import type { MissionSettings } from '../mission/settings.ts'
import type { Step } from '../mission/step.ts'
import { err, ok } from '../result.ts'
import type { Result } from '../result.ts'
import type { Packet } from './entries/packet.ts'
import type { MemoryRecords } from './records.ts'

/** Why a mission may not delegate, or null: a one-off does not (seed, decision point 4). */
export function refusedDelegation(state: Core): Failure | null {
  if (state.status === 'halted') return failure('mission_halted')
  if (state.status === 'completed') return failure('mission_completed')
  return state.settings.one_off === true ? failure('one_off_mission') : null
}

/** The parent remembers what it delegated to whom. */
export function recordDelegation<S extends Core>(
  state: S,
  { child, packet }: { readonly child: string; readonly packet: Packet },
  at: string,
): Result<Step<S, MemoryRecords>, Failure> {
  const refused = refusedDelegation(state)
  if (refused !== null) return err(refused)
  return ok({
    state,
    records: [{ kind: 'delegation', key: child, at, body: { child, packet, at } }],
  })
}

/**
 * The child begins with its own settings and an empty context (seed step 9). A follow-up has no
 * follow-up of its own, nor does what it delegates.
 */
export function openChild<S extends Core & HasContext & HasFold>(
  state: S,
  { depth, settings }: { readonly depth: number; readonly settings: MissionSettings },
  at: string,
): Result<Step<S, ContextRecords>, Failure> {
  const reading = readMeter({ used_percentage: 0 }, scaleOf(settings))
  if (!reading.ok) return reading
  return ok({
    state: {
      ...state,
      settings,
      folding: { ...state.folding, depth },
      context: { ...state.context, reading: { ...reading.value, tokens: 0, at } },
    },
    records: [sampleRecord({ ...reading.value, tokens: 0 }, 'delegation', at, state.version + 1)],
  })
}
