import type { Contract } from '../../contract/contract.ts'
import type { AnswerBody, Answer } from '../../contract/operation.ts'
import { failure } from '../../domain/failure.ts'
import type { Failure } from '../../domain/failure.ts'
import { findReceipt } from '../../domain/hooks/receipt.ts'
import type { Claim, Receipt } from '../../domain/hooks/receipt.ts'
import type { PlatformEvent } from '../../domain/hooks/senders/platform-event.ts'
import { isoTime } from '../../domain/identifier.ts'
import type { MissionRecords } from '../../domain/ledger/records.ts'
import type { Find } from '../../domain/mission/record.ts'
import { err, ok } from '../../domain/result.ts'
import type { Result } from '../../domain/result.ts'
import type { Owner, View } from '../../ports.ts'
import { foundRecords } from '../found-records.ts'
import { removeIfErased } from '../memex/remove-if-erased.ts'
import { prepareEffects } from './platform-effects.ts'
import type { EffectDeps } from './platform-effects.ts'

type Received = Answer<AnswerBody<Contract['receive_webhook']>>

const REPLAYED = { 'Idempotent-Replayed': 'true' }

/**
 * Applies a platform's event once: blobs first, then claim, effect and answer in one transaction of
 * the mission. A replay is answered as the first one was. An erased mission ignores it, so that the
 * sender stops. `idempotency_key_reused`, or why none of its parts could be applied.
 */
export async function applyPlatformEvent(
  deps: EffectDeps,
  owner: Owner,
  event: PlatformEvent,
  source: string,
  claim: Claim,
): Promise<Result<Received, Failure>> {
  if (deps.missions === null) return err(failure('storage_not_configured'))
  const lookups = [{ kind: 'receipt', keys: [claim.id] }] as const
  const call_ids = event.call === null ? [] : [event.call.call_id]
  const view = await deps.missions.read(owner, [
    ...lookups,
    { kind: 'observed_call', keys: call_ids },
  ])
  if (view?.state.status === 'erased') return ok(ignored(owner))
  const at = isoTime(deps.now())
  // A replay is known before anything is stored for it.
  const known = findReceipt(findIn(view), claim, at)
  if (!known.ok) return known
  if (known.value !== null) return ok(received(known.value, claim))
  const { effects, refused, created } = await prepareEffects(deps, owner, view, event, source)
  const [first] = refused
  if (effects.length === 0 && first !== undefined) return err(first.failure)
  const applied = await deps.missions.applyAndRead(
    {
      ...owner,
      at,
      event: {
        type: 'webhook_received',
        claim,
        occurred_at: event.at,
        effects,
        refused: refused.map(({ part, failure: { code } }) => ({ part, code })),
      },
    },
    lookups,
  )
  if (applied.ok) return ok(received(receiptIn(applied.value), claim))
  await removeIfErased(deps, owner, created, applied)
  return applied.error.code === 'mission_erased' ? ok(ignored(owner)) : applied
}

/** What an event is answered with that means nothing to a mission: the sender need not know. */
export const ignoredFor = (mission: string | null): Received => ({
  outcome: 'ok',
  body: { mission, outcome: 'ignored', phase: null, status: null, refused: [] },
})

const ignored = ({ mission }: Owner): Received => ignoredFor(mission)

function received(receipt: Receipt, claim: Claim): Received {
  const { answer, by } = receipt
  const body = JSON.parse(answer?.text ?? 'null') as Received['body']
  return {
    outcome: answer?.status === 202 ? 'accepted' : 'ok',
    body,
    ...(by === claim.by ? {} : { headers: REPLAYED }),
  }
}

const findIn =
  (view: View | null): Find<MissionRecords> =>
  (kind, keys) =>
    foundRecords(view, kind).filter(({ key }) => keys.includes(key))

function receiptIn({ found: [receipt] }: View<'receipt'>): Receipt {
  if (!receipt?.body) throw new Error('a webhook was applied without a receipt')
  return receipt.body
}
