import type { Context } from 'hono'
import { takesKey } from '../contract/operation.ts'
import type { OperationRow } from '../contract/operation.ts'
import { utf8 } from '../domain/bytes.ts'
import type { Bytes } from '../domain/bytes.ts'
import { sha256 } from '../domain/digest.ts'
import { failure } from '../domain/failure.ts'
import type { Claim } from '../domain/hooks/receipt.ts'
import { isoTime } from '../domain/identifier.ts'
import type { MissionEvent, Occurrence } from '../domain/ledger/event.ts'
import type { Deps, Missions, Owner } from '../ports.ts'
import { refused } from './answer.ts'
import type { Parsed } from './route.ts'

const KEY = /^[\x21-\x7E]{1,128}$/
/** A longer answer is not kept: a replay makes it again, and changes nothing. */
const MAX_KEPT_CHARS = 400_000
const REPLAYED = { 'Idempotent-Replayed': 'true' }

type Answer = (deps: Deps) => Promise<Response>

/**
 * Answers a POST to a mission under its `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header):
 * once; again with the kept answer; 409 while the first runs; 422 for another request. The changes
 * of the request are made once even where its answer was lost.
 */
export async function answeredOnce(
  deps: Deps,
  row: OperationRow,
  c: Context,
  call: Parsed,
  answer: Answer,
): Promise<Response> {
  const header = c.req.header('idempotency-key')
  const mission = call.params['mission']
  const { missions } = deps
  if (header === undefined || mission === undefined || missions === null || !takesKey(row))
    return await answer(deps)
  const key = header.replace(/^"([^"]*)"$/, '$1')
  if (!KEY.test(key)) return refused(malformedKey())
  const owner = { tenant: call.caller.tenant, mission }
  const claim: Claim = {
    id: `key ${key}`,
    sha256: await fingerprint(c.req.path, call),
    by: deps.newId(),
  }
  const tell = (event: MissionEvent) =>
    missions.applyAndRead({ ...owner, at: isoTime(deps.now()), event }, [
      { kind: 'receipt', keys: [claim.id, maskKeyOf(claim)] },
    ])
  const claimed = await tell({ type: 'request_claimed', claim })
  if (!claimed.ok && !opensNoClaim(claimed.error.code)) return refused(claimed.error)
  const found = claimed.ok ? claimed.value.found : []
  const receipt = found.find((row) => row.key === claim.id)?.body
  const repeated = found.some((row) => row.key === maskKeyOf(claim))
  const kept = receipt?.answer
  if (kept && kept.text !== null) {
    const headers = { 'content-type': kept.media, 'cache-control': 'no-store', ...REPLAYED }
    return new Response(kept.text, { status: kept.status, headers })
  }
  try {
    const response = await answer({ ...(await keyed(deps, missions, owner, claim)), repeated })
    if (response.status >= 500) await tell({ type: 'request_released', claim })
    else
      await tell({
        type: 'request_answered',
        claim,
        answer: await keptAnswer(row, response.clone()),
      })
    if (kept) response.headers.set('Idempotent-Replayed', 'true')
    return response
  } catch (error) {
    await tell({ type: 'request_released', claim }).catch(() => undefined)
    throw error
  }
}

/** Names one change of a request. */
const changeKey = ({ id, sha256: digest }: Claim, place: number, type: string): string =>
  `${id} ${digest} ${place} ${type}`

/** The one change of a mask: an earlier run that made it has said what is masked. */
const maskKeyOf = (claim: Claim): string => changeKey(claim, 0, 'masked')

/** There is no mission to claim from: the request says so itself, or opens it. */
const opensNoClaim = (code: string): boolean =>
  code === 'mission_not_found' || code === 'mission_erased'

const malformedKey = () =>
  failure('invalid_input', {
    errors: [{ pointer: '/header/idempotency-key', detail: '1 to 128 printable ASCII characters' }],
  })

/** The same request of somebody with the same rights: an answer may hold what others must not see. */
async function fingerprint(path: string, { body, caller, query, source }: Parsed): Promise<string> {
  const digest = await sha256(body instanceof Uint8Array ? (body as Bytes) : utf8(source))
  const rights = [caller.scope.toSorted(), caller.mission ?? null]
  return await sha256(utf8(JSON.stringify([path, query, rights, digest])))
}

async function keptAnswer({ madeAgain = false }: OperationRow, response: Response) {
  const text = await response.text()
  const kept = text.length <= MAX_KEPT_CHARS && !(madeAgain && response.ok)
  return {
    status: response.status,
    media: response.headers.get('content-type') ?? 'application/json',
    text: kept ? text : null,
  }
}

/**
 * The ports of one request under a key: its ids come from the key, and each of its changes bears the
 * key, the request and its place, so that a second run of the same request makes none of them again.
 */
async function keyed(deps: Deps, missions: Missions, owner: Owner, claim: Claim): Promise<Deps> {
  const seed = await sha256(utf8(`${owner.tenant}/${owner.mission} ${claim.id} ${claim.sha256}`))
  let ids = 0
  let changes = 0
  const mark = (occurrence: Occurrence): Occurrence => ({
    once: changeKey(claim, changes++, occurrence.event.type),
    ...(isOf(owner, occurrence) ? { claim } : {}),
    ...occurrence,
  })
  return {
    ...deps,
    // 18 digits of the seed and 4 that count: as long as any other id.
    newId: () => `${seed.slice(0, 18)}${String(ids++).padStart(4, '0')}`,
    missions: {
      ...missions,
      apply: (occurrence) => missions.apply(mark(occurrence)),
      applyAndRead: (occurrence, lookups) => missions.applyAndRead(mark(occurrence), lookups),
    },
  }
}

const isOf = ({ mission, tenant }: Owner, other: Owner): boolean =>
  other.tenant === tenant && other.mission === mission
