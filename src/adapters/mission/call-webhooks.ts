import { isDisabled } from '../../domain/hooks/delivery.ts'
import type { Attempt, Delivery } from '../../domain/hooks/delivery.ts'
import type { Subscription } from '../../domain/hooks/endpoint.ts'
import type { MissionState } from '../../domain/ledger/state.ts'
import type { Webhooks } from '../../ports.ts'
import type { Next } from './due.ts'
import { dueRecords, nextRecordDue } from './records.ts'

/** As many connections as the platform opens at once: none waits for another within its timeout. */
const AT_ONCE = 6

/**
 * Makes the attempts that are due, side by side, and notes each one's outcome as soon as it is there.
 * A crash in between repeats an attempt under the same message id. Throws while it can't be read whom
 * to call: the attempts stay due, and the job comes again.
 */
export async function callWebhooks(
  sql: SqlStorage,
  webhooks: Webhooks,
  state: MissionState,
  now: () => number,
  note: (key: string, tried: Tried) => Promise<void>,
): Promise<Next> {
  const subscriptions = webhooks.subscriptions(state.tenant)
  if (subscriptions === null) throw new Error('ENDPOINTS can not be read')
  const ready = dueRecords(sql, 'delivery', now(), AT_ONCE)
  await Promise.all(
    ready.map(async ({ key, body }) => {
      await note(key, await attempted(webhooks, state, subscriptions, body))
    }),
  )
  const at = nextRecordDue(sql, 'delivery')
  return at === null ? null : { at, step: 0 }
}

/** An attempt, and the URL that was called: a delivery waits while its endpoint moves. */
interface Tried {
  readonly attempt: Attempt
  readonly url?: string
}

async function attempted(
  webhooks: Webhooks,
  state: MissionState,
  subscriptions: readonly Subscription[],
  delivery: Delivery,
): Promise<Tried> {
  const known = subscriptions.find(({ endpoint }) => endpoint === delivery.endpoint)
  if (known === undefined) return { attempt: { failed: 'endpoint_removed' } }
  if (isDisabled(state.hooks.disabled, known)) return { attempt: { failed: 'endpoint_disabled' } }
  return { attempt: await webhooks.send(state.tenant, delivery), url: known.url }
}
