/** What is told of a mission while it runs, in the order in which it happened. */
export const LIVE_TYPES = [
  'context.sampled',
  'zone.changed',
  'switch.advised',
  'outputs.masked',
  'turns.summarized',
  'fold.accepted',
  'fold.rejected',
  'fold.withdrawn',
  'escalation.opened',
  'escalation.recorded',
  'escalation.resolved',
  'phase.started',
  'phase.completed',
  'boundary.reached',
] as const
type LiveType = (typeof LIVE_TYPES)[number]

/** The types that outbound webhooks can carry (DESIGN section 8). */
export const OUTBOUND_TYPES = [
  'zone.changed',
  'switch.advised',
  'fold.rejected',
  'escalation.opened',
  'phase.completed',
] as const satisfies readonly LiveType[]

/** What a reducer has to tell; the mission and the time are added to it. */
export interface Telling {
  readonly type: LiveType
  readonly data: Readonly<Record<string, unknown>>
}

/** An event as sockets, polls and webhooks show it: the shape of a Standard Webhooks payload. */
export interface LiveEvent {
  readonly type: LiveType
  readonly timestamp: string
  readonly data: Readonly<Record<string, unknown>>
}

/** An event's id: the mission's version that it came with, then its place among those. */
export const liveEventId = (version: number, index: number): string => `${version}-${index}`
