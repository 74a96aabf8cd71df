import type { ContextEvent } from '../context/events.ts'
import { reduceContext } from '../context/events.ts'
import { settleContext } from '../context/settle-context.ts'
import type { Failure } from '../failure.ts'
import { reduceFold } from '../fold/lifecycle/events.ts'
import { reduceHooks } from '../hooks/events.ts'
import { reduceMasking } from '../masking/events.ts'
import { reduceObserved } from '../masking/observation/events.ts'
import { seeOutputs } from '../masking/seen.ts'
import { reduceMemory } from '../memory/events.ts'
import type { Find } from '../mission/record.ts'
import type { Result } from '../result.ts'
import { ok } from '../result.ts'
import { reduceSettings } from './configure.ts'
import type { MissionEvent } from './event.ts'
import type { MissionRecords, MissionStep } from './records.ts'
import { openedState } from './state.ts'
import type { MissionState } from './state.ts'
import { reduceWebhook } from './webhook.ts'

/** What an event does to its own feature, and what that means for the context. */
export function reduce(
  state: MissionState,
  event: MissionEvent,
  at: string,
  find: Find<MissionRecords>,
): Result<MissionStep, Failure> {
  const step = reduceFeature(state, event, at, find)
  return step.ok ? ok(settleContext(state, step.value, find)) : step
}

/** Each feature has its own reducer, beside its rules. */
function reduceFeature(
  state: MissionState,
  event: MissionEvent,
  at: string,
  find: Find<MissionRecords>,
): Result<MissionStep, Failure> {
  switch (event.type) {
    case 'configured':
      return reduceSettings(state, event.settings)
    case 'excerpt_stored':
      return ok({ state })
    case 'context_reported':
    case 'context_started':
    case 'task_completed':
      return looked(reduceContext(state, event, at), event)
    case 'masked':
    case 'unmasked':
    case 'retained':
      return ok(reduceMasking(state, event, at, find))
    case 'observed':
      return ok(reduceObserved(state, event, at, find))
    case 'artifact_given':
    case 'fold_submitted':
    case 'fold_measured':
    case 'context_proved':
    case 'phase_moved':
    case 'tool_called':
    case 'escalated':
    case 'escalation_resolved':
    case 'follow_up_opened':
      return reduceFold(state, event, at, find)
    case 'extracted':
    case 'summarized':
    case 'breadcrumb_left':
    case 'block_set':
    case 'delegated':
    case 'delegation_received':
      return reduceMemory(state, event, at, find)
    case 'webhook_received':
      return reduceWebhook(state, event, at, find, reduce)
    case 'phase_signalled':
    case 'boundary_reached':
    case 'request_claimed':
    case 'request_answered':
    case 'request_released':
    case 'delivery_tried':
    case 'delivery_resent':
      return reduceHooks(state, event, at, find)
    case 'erased':
      return ok({
        state: tombstone(state),
        due: { erase: Date.parse(at), ttl: null },
      })
  }
}

/** A report that brings a transcript shows what of it a mask would replace. */
function looked(
  step: Result<MissionStep, Failure>,
  event: ContextEvent,
): Result<MissionStep, Failure> {
  if (!step.ok || event.type !== 'context_reported' || event.look === null) return step
  return ok({ ...step.value, state: seeOutputs(step.value.state, event.look, event.named) })
}

/** What is left of an erased mission: its name, so that the id stays closed, and nothing it said. */
const tombstone = ({ tenant, mission, version, created_at }: MissionState): MissionState => ({
  ...openedState(tenant, mission, {}, created_at),
  version,
  status: 'erased',
})
