import type { Contract } from '../../contract/contract.ts'
import { done } from '../../contract/operation.ts'
import type { Operation } from '../../contract/operation.ts'
import { failure } from '../../domain/failure.ts'
import { isoTime } from '../../domain/identifier.ts'
import { err, ok } from '../../domain/result.ts'
import type { Deps } from '../../ports.ts'
import { deliveryAnswer } from './list-deliveries.ts'

/** Sends a webhook again from the start, a dead letter or one that was delivered. */
export const resendDelivery: Operation<
  Contract['resend_delivery'],
  Pick<Deps, 'missions' | 'now'>
> = async (deps, { caller, params }) => {
  if (deps.missions === null) return err(failure('storage_not_configured'))
  const key = params.id
  const applied = await deps.missions.applyAndRead(
    {
      tenant: caller.tenant,
      mission: params.mission,
      at: isoTime(deps.now()),
      event: { type: 'delivery_resent', key },
    },
    [{ kind: 'delivery', keys: [key] }],
  )
  if (!applied.ok) return applied
  const [record] = applied.value.found
  return record === undefined
    ? err(failure('delivery_not_found'))
    : ok(done(deliveryAnswer(record), 'accepted'))
}
