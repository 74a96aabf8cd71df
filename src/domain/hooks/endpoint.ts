import * as z from 'zod'
import { identifier } from '../identifier.ts'
import { OUTBOUND_TYPES } from '../mission/live-event.ts'
import { err, ok } from '../result.ts'
import type { Result } from '../result.ts'
import { webhookKey } from './webhook-secret.ts'

const secret = z.string().refine((text) => webhookKey(text) !== null, {
  error: 'must be 24 to 64 bytes in base64, with or without whsec_',
})

const shared = {
  id: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/),
  tenant: identifier,
  /** The current secret, then the previous one while it is being rotated out. */
  secrets: z.array(secret).min(1).max(2),
}

/** Who may call us with signed webhooks, and which missions that may be about. */
const inboundEndpoint = z.strictObject({
  ...shared,
  direction: z.literal('inbound'),
  /** Where in the payload the mission's id stands: member names, joined by full stops. */
  mission_field: z
    .string()
    .regex(/^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+){0,7}$/)
    .default('data.mission'),
  /** Only this mission: every other one is answered as not found. */
  mission: identifier.optional(),
})
export type InboundEndpoint = z.infer<typeof inboundEndpoint>

/** Whom we call, and about what. */
const outboundEndpoint = z.strictObject({
  ...shared,
  direction: z.literal('outbound'),
  url: z.string().max(2048).refine(isCallable, {
    error: 'must be https without user, password or fragment; http only to a loopback address',
  }),
  events: z
    .array(z.enum(OUTBOUND_TYPES))
    .min(1)
    .default([...OUTBOUND_TYPES]),
})
export type OutboundEndpoint = z.infer<typeof outboundEndpoint>

export type Endpoint = InboundEndpoint | OutboundEndpoint

/** The secret binding `ENDPOINTS`: all webhook endpoints of a deployment, each id once. */
export const endpoints = z
  .array(z.discriminatedUnion('direction', [inboundEndpoint, outboundEndpoint]))
  .max(1000)
  .refine((list) => new Set(list.map((endpoint) => endpoint.id)).size === list.length, {
    error: 'every id must be there once',
  })

/** Reads `ENDPOINTS`; what is wrong with it is said by place alone, since it holds secrets. */
export function parseEndpoints(text: string): Result<readonly Endpoint[], string> {
  if (text === '') return ok([])
  let list: unknown
  try {
    list = JSON.parse(text)
  } catch {
    return err('not JSON')
  }
  const parsed = endpoints.safeParse(list)
  return parsed.success
    ? ok(parsed.data)
    : err(parsed.error.issues.map((issue) => `/${issue.path.join('/')}`).join(' '))
}

/** A receiver that a tenant's events go to: all that the mission's rules need to know of it. */
export interface Subscription {
  readonly endpoint: string
  readonly url: string
  readonly events: readonly string[]
}

export const subscriptionsOf = (
  list: readonly Endpoint[],
  tenant: string,
): readonly Subscription[] =>
  list.flatMap((endpoint) =>
    endpoint.direction === 'outbound' && endpoint.tenant === tenant
      ? [{ endpoint: endpoint.id, url: endpoint.url, events: endpoint.events }]
      : [],
  )

// Loopback is for a developer's own receiver: on the platform there is nothing behind it.
const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost'])

function isCallable(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || url.username !== '' || url.password !== '' || url.hash !== '') return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.has(url.hostname))
}
