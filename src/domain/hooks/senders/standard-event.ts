import * as z from 'zod'
import { GIVEN_ARTIFACTS } from '../../fold/lifecycle/artifact.ts'
import { isoTime, toolName } from '../../identifier.ts'
import { PHASES } from '../../mission/phases.ts'
import type { Phase } from '../../mission/phases.ts'
import { platformEvent } from './platform-event.ts'
import type { ContextReport, PlatformEvent } from './platform-event.ts'

const usage = z.record(z.string(), z.unknown())

const context = z.object({
  used_percentage: z.number().nonnegative().max(10_000).optional(),
  usage: usage.optional(),
  request: z.unknown().optional(),
  format: z.string().max(64).optional(),
  characters: z.int().nonnegative().optional(),
  turn: z.int().nonnegative().optional(),
  model: z.string().min(1).max(128).optional(),
  window_tokens: z.int().positive().max(100_000_000).optional(),
})

const artifacts = z.partialRecord(z.enum(GIVEN_ARTIFACTS), z.string()).default({})

const phase = z.object({ ...context.shape, phase: z.enum(PHASES), artifacts })

const call = z.object({
  call_id: z.string().min(1).max(256),
  tool: toolName,
  turn: z.int().nonnegative().nullable().default(null),
  input: z.unknown().optional(),
  output: z.unknown(),
  is_error: z.boolean().default(false),
})

const escalation = z.object({
  trigger: z.string().min(1).max(500),
  fired_at: z.iso.datetime({ offset: true }).optional(),
  on_probe: z.string().max(500).optional(),
  on_path: z.string().max(500).optional(),
  action_taken: z.string().min(1).max(500),
})

/**
 * The events that any platform may send as Standard Webhooks (DESIGN section 8). Members that are not
 * ours are left alone: a payload is the platform's, and may hold more.
 */
export const standardEvent = z.discriminatedUnion('type', [
  envelope('phase.started', phase),
  envelope('phase.completed', phase),
  envelope('tool.completed', z.object({ ...context.shape, call })),
  envelope('context.reported', context),
  envelope('escalation.fired', escalation),
  envelope('task.completed', z.object({ ...context.shape, artifacts })),
])
type StandardEvent = z.infer<typeof standardEvent>

export const STANDARD_TYPES: ReadonlySet<string> = new Set(
  standardEvent.options.map((option) => option.shape.type.value),
)

/** `signed` is the time of the webhook's own header, for payloads without a time; unix seconds. */
export function normaliseStandard(event: StandardEvent, signed: number): PlatformEvent {
  const { type } = event
  const at = isoTime(event.timestamp === undefined ? signed * 1000 : Date.parse(event.timestamp))
  const measured = 'data' in event && type !== 'escalation.fired' ? reported(event.data) : null
  switch (type) {
    case 'phase.started':
      return platformEvent(type, at, {
        context: measured,
        during: event.data.phase,
        artifacts: event.data.artifacts,
        phase: event.data.phase,
      })
    case 'phase.completed':
      return platformEvent(type, at, {
        context: measured,
        during: event.data.phase,
        artifacts: event.data.artifacts,
        phase: phaseAfter(event.data.phase),
      })
    case 'tool.completed':
      return platformEvent(type, at, {
        context: measured,
        call: { ...event.data.call, input: event.data.call.input ?? null },
      })
    case 'context.reported':
      return platformEvent(type, at, { context: measured })
    case 'escalation.fired': {
      const fired = event.data.fired_at
      const fired_at = fired === undefined ? at : isoTime(Date.parse(fired))
      return platformEvent(type, at, { escalation: { ...event.data, fired_at } })
    }
    case 'task.completed':
      return platformEvent(type, at, {
        context: measured,
        artifacts: event.data.artifacts,
        task_complete: true,
      })
  }
}

/** The value at a path of member names in a payload; only own members count. */
export function memberAt(payload: unknown, path: string): unknown {
  let value = payload
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Record<string, unknown>)[name]
  }
  return value
}

function envelope<Type extends string, Data extends z.ZodObject>(type: Type, data: Data) {
  return z.object({
    type: z.literal(type),
    timestamp: z.iso.datetime({ offset: true }).optional(),
    data,
  })
}

/** A completed phase is the start of the next one. */
const phaseAfter = (phase: Phase): Phase => PHASES[PHASES.indexOf(phase) + 1] ?? 'completed'

const MEASURES = ['used_percentage', 'usage', 'request', 'characters'] as const

/** The report in a payload, or null where nothing in it can be measured. */
function reported(data: z.infer<typeof context>): ContextReport | null {
  return MEASURES.some((name) => data[name] !== undefined) ? context.parse(data) : null
}
