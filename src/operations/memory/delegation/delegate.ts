import type { Contract } from '../../../contract/contract.ts'
import { done } from '../../../contract/operation.ts'
import type { Call, Operation } from '../../../contract/operation.ts'
import { attenuate, childJti, MAX_TOKEN_SECONDS } from '../../../domain/access/claims.ts'
import type { Claims } from '../../../domain/access/claims.ts'
import { holds } from '../../../domain/access/scope.ts'
import type { Scope } from '../../../domain/access/scope.ts'
import type { Failure } from '../../../domain/failure.ts'
import { failure } from '../../../domain/failure.ts'
import { isoTime } from '../../../domain/identifier.ts'
import type { Occurrence } from '../../../domain/ledger/event.ts'
import type { MissionState } from '../../../domain/ledger/state.ts'
import { childId, childSettings } from '../../../domain/memory/entries/packet.ts'
import type { Packet } from '../../../domain/memory/entries/packet.ts'
import { refusedDelegation } from '../../../domain/memory/open-child.ts'
import { err, ok } from '../../../domain/result.ts'
import type { Result } from '../../../domain/result.ts'
import type { Deps, Missions, Owner } from '../../../ports.ts'
import { clearTexts } from '../../memex/scan-evidence.ts'
import { presentMission } from '../../missions/present-mission.ts'
import { excerptsToGive, giveExcerpts } from './give-excerpts.ts'
import type { Gift } from './give-excerpts.ts'
import { lastBreadcrumb } from './last-breadcrumb.ts'

type DelegateDeps = Pick<
  Deps,
  | 'missions'
  | 'memex'
  | 'excerptCache'
  | 'signer'
  | 'loadSecrets'
  | 'now'
  | 'newId'
  | 'defer'
  | 'report'
>

/** A child that failed half-way keeps its id; a request that comes again under its key takes another. */
const CHILD_IDS = 5

/**
 * Opens a child mission with a clean context: first the mission, then its excerpts, then the parent's
 * record of it, then the token. What fails before the record leaves the child erased. A request whose
 * record is there is answered from it.
 */
export const delegate: Operation<Contract['delegate'], DelegateDeps> = async (deps, call) => {
  const { body, caller, params } = call
  const { missions, signer } = deps
  if (missions === null) return err(failure('storage_not_configured'))
  if (signer === null) return err(failure('signing_keys_missing'))
  const secrets = await clearTexts(deps, [
    ['/objective', body.objective],
    ['/success_criteria', body.success_criteria],
    ...body.paths.map((path, index) => [`/paths/${index}`, path] as const),
  ])
  if (secrets !== null) return err(secrets)
  const parent = { tenant: caller.tenant, mission: params.mission }
  const ids = Array.from({ length: CHILD_IDS }, () => childId(parent.mission, deps.newId()))
  const claims = await childClaims(deps, caller)
  if (!claims.ok) return claims
  const view = await presentMission(deps, parent, [{ kind: 'delegation', keys: ids }])
  if (!view.ok) return view
  const [known] = view.value.found
  const made =
    known === undefined
      ? await makeChild({ ...deps, missions }, parent, view.value.state, ids, body)
      : ok(known.body)
  if (!made.ok) return made
  const { child, packet } = made.value
  return ok(
    done(
      {
        mission: child,
        token: await signer.sign({ ...claims.value, mission: child }),
        packet: { ...packet, paths: [...packet.paths], excerpts: [...packet.excerpts] },
      },
      'created',
    ),
  )
}

/** What the parent remembers of a delegation. */
interface Delegation {
  readonly child: string
  readonly packet: Packet
}

type MakeDeps = DelegateDeps & { readonly missions: Missions }

async function makeChild(
  deps: MakeDeps,
  parent: Owner,
  state: MissionState,
  ids: readonly string[],
  body: Call<Contract['delegate']>['body'],
): Promise<Result<Delegation, Failure>> {
  const { missions } = deps
  const refused = refusedDelegation(state)
  if (refused !== null) return err(refused)
  const gifts = await excerptsToGive(deps, parent, body.paths)
  if (!gifts.ok) return gifts
  const { last_breadcrumb } = state.memory
  const breadcrumb = await lastBreadcrumb(missions, parent, last_breadcrumb)
  const packet: Packet = { ...body, breadcrumb, excerpts: gifts.value.map(({ ref }) => ref) }
  const at = isoTime(deps.now())
  const settings = childSettings(parent.mission, body)
  const received = { type: 'delegation_received', settings, depth: state.folding.depth } as const
  const opened = await openChild(missions, parent.tenant, ids, { at, event: received })
  if (!opened.ok) return opened
  const child = { tenant: parent.tenant, mission: opened.value }
  const event = { type: 'delegated', child: child.mission, packet } as const
  const failed =
    (await given(deps, parent, child, gifts.value, at)) ??
    failureOf(await missions.apply({ ...parent, at, event }))
  if (failed === null) return ok({ child: child.mission, packet })
  await missions.apply({ ...child, at, event: { type: 'erased' } })
  return err(failed)
}

/** Opens the child under the first of its ids that is not an erased mission's. */
async function openChild(
  missions: Missions,
  tenant: string,
  ids: readonly string[],
  received: Pick<Occurrence, 'at' | 'event'>,
): Promise<Result<string, Failure>> {
  for (const mission of ids) {
    const opened = await missions.apply({ tenant, mission, ...received })
    if (opened.ok) return ok(mission)
    if (opened.error.code !== 'mission_erased') return opened
  }
  return err(failure('temporarily_unavailable'))
}

/** Gives the child its excerpts. A store that throws half-way must not leave the copies it made. */
async function given(
  deps: MakeDeps,
  parent: Owner,
  child: Owner,
  gifts: readonly Gift[],
  at: string,
): Promise<Failure | null> {
  try {
    return await giveExcerpts(deps, parent, child, gifts, at)
  } catch (error) {
    await deps.missions.apply({ ...child, at, event: { type: 'erased' } })
    throw error
  }
}

const failureOf = (applied: Result<unknown, Failure>): Failure | null =>
  applied.ok ? null : applied.error

/** What a child needs to work on its own mission, as far as its parent holds it. */
const CHILD_SCOPES: readonly Scope[] = [
  'memex:read',
  'memex:write',
  'mission:read',
  'mission:write',
]

/**
 * A token of the caller's own, to be bound to the child. A caller that is bound to the parent may mint
 * it, since the child is its own making; whoever revokes the caller's token revokes this one.
 */
async function childClaims(
  deps: DelegateDeps,
  { mission: _, ...unbound }: Claims,
): Promise<Result<Claims, Failure>> {
  const scope = CHILD_SCOPES.filter((wanted) => holds(unbound.scope, wanted))
  const request = { scope, expires_in_s: MAX_TOKEN_SECONDS }
  const jti = await childJti(unbound.jti, deps.newId())
  return attenuate(unbound, request, Math.floor(deps.now() / 1000), jti)
}
