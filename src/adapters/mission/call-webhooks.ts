import { isDisabled } from '../../domain/hooks/delivery.ts'
import type { Attempt, Delivery } from '../../domain/hooks/delivery.ts'
import { hooksOf } from '../../domain/hooks/hooks-state.ts'
import type { MissionState } from '../../domain/mission/state.ts'
import type { Webhooks } from '../../ports.ts'
import type { Next } from './due.ts'
import { dueRecords, nextRecordDue } from './records.ts'

/** As many connections as the platform opens at once: none waits for another within its timeout. */
const AT_ONCE = 6

/**
 * Makes the attempts that are due, side by side, and notes each one's outcome as soon as it is there.
 * A crash in between repeats an attempt under the same message id.
 */
export async function callWebhooks(
  sql: SqlStorage,
  webhooks: Webhooks,
  state: MissionState,
  now: () => number,
  note: (key: string, attempt: Attempt) => Promise<void>,
): Promise<Next> {
  const ready = dueRecords(sql, 'delivery', now(), AT_ONCE)
  await Promise.all(
    ready.map(async ({ key, body }) => {
      await note(key, await attempt(webhooks, state, body as Delivery))
    }),
  )
  const at = nextRecordDue(sql, 'delivery')
  return at === null ? null : { at, step: 0 }
}

async function attempt(
  webhooks: Webhooks,
  state: MissionState,
  delivery: Delivery,
): Promise<Attempt> {
  const known = webhooks
    .subscriptions(state.tenant)
    .find(({ endpoint }) => endpoint === delivery.endpoint)
  if (known === undefined) return { failed: 'endpoint_removed' }
  if (isDisabled(hooksOf(state).disabled, known)) return { failed: 'endpoint_disabled' }
  return await webhooks.send(state.tenant, delivery)
}
