import { utf8 } from '../../domain/bytes.ts'
import type { Attempt } from '../../domain/hooks/delivery.ts'
import { subscriptionsOf } from '../../domain/hooks/endpoint.ts'
import type { Endpoint, OutboundEndpoint } from '../../domain/hooks/endpoint.ts'
import { signWebhook } from '../../domain/hooks/standard-webhooks.ts'
import { webhookKey } from '../../domain/hooks/webhook-secret.ts'
import type { Webhooks } from '../../ports.ts'

/** Standard Webhooks, "Request timeouts": 15 to 30 s. */
const TIMEOUT_MS = 15_000
const MAX_RETRY_AFTER_DIGITS = 9

/**
 * Calls the outbound endpoints of a deployment, one signed POST an attempt. Only URLs of the
 * configuration are called, redirects are not followed, and a receiver's body is not read. Null for a
 * configuration that can't be read.
 * `now` in unix ms.
 */
export function createFetchWebhooks(
  endpoints: readonly Endpoint[] | null,
  now: () => number,
  timeout = TIMEOUT_MS,
): Webhooks {
  return {
    subscriptions: (tenant) => endpoints && subscriptionsOf(endpoints, tenant),
    send: async (tenant, delivery) => {
      const endpoint = endpoints?.find(
        (one): one is OutboundEndpoint =>
          one.direction === 'outbound' && one.tenant === tenant && one.id === delivery.endpoint,
      )
      if (endpoint === undefined) return { failed: 'endpoint_removed' }
      const body = utf8(JSON.stringify(delivery.event))
      const timestamp = Math.floor(now() / 1000)
      const keys = endpoint.secrets.map(webhookKey).filter((key) => key !== null)
      const signature = await signWebhook(delivery.message, timestamp, body, keys)
      return await post(endpoint.url, timeout, {
        body,
        headers: {
          'content-type': 'application/json',
          'user-agent': 'foldex-webhooks/1',
          'webhook-id': delivery.message,
          'webhook-timestamp': String(timestamp),
          'webhook-signature': signature,
        },
      })
    },
  }
}

async function post(
  url: string,
  timeout: number,
  request: Pick<RequestInit, 'body' | 'headers'>,
): Promise<Attempt> {
  try {
    const response = await fetch(url, {
      ...request,
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.timeout(timeout),
    })
    await response.body?.cancel()
    return { status: response.status, retry_after_s: seconds(response.headers.get('retry-after')) }
  } catch (error) {
    const late = error instanceof Error && error.name === 'TimeoutError'
    return { failed: late ? 'timeout' : 'unreachable' }
  }
}

/** `Retry-After` in seconds; its other form, a date, says nothing that the schedule doesn't. */
const seconds = (header: string | null): number | null =>
  header !== null && header.length <= MAX_RETRY_AFTER_DIGITS && /^\d+$/.test(header)
    ? Number(header)
    : null
