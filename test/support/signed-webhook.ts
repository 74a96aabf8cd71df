import { utf8 } from '../../src/domain/bytes.ts'
import { endpoints } from '../../src/domain/hooks/endpoint.ts'
import { signWebhook } from '../../src/domain/hooks/standard-webhooks.ts'
import { webhookKey } from '../../src/domain/hooks/webhook-secret.ts'

/** The secret of the endpoint `platform`, and the one that it had before. */
export const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
export const PREVIOUS_SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'

/** Who may call, and who is called, in tests. */
export const ENDPOINTS = endpoints.parse([
  { id: 'platform', direction: 'inbound', tenant: 'acme', secrets: [SECRET, PREVIOUS_SECRET] },
  {
    id: 'bound',
    direction: 'inbound',
    tenant: 'acme',
    secrets: [SECRET],
    mission: 'only-this',
    mission_field: 'run.mission',
  },
  {
    id: 'alerts',
    direction: 'outbound',
    tenant: 'acme',
    secrets: [SECRET],
    url: 'https://alerts.example/foldex',
  },
])

/** What a platform sends to an endpoint: the body as text, and its signed headers. */
export async function signedWebhook(
  event: unknown,
  { id, now, secret = SECRET }: { id: string; now: number; secret?: string },
) {
  const body = typeof event === 'string' ? event : JSON.stringify(event)
  const timestamp = Math.floor(now / 1000)
  const key = webhookKey(secret)
  if (key === null) throw new Error('not a secret')
  return {
    body,
    headers: {
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': await signWebhook(id, timestamp, utf8(body), [key]),
    },
  }
}
