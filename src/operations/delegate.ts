import type { Contract } from '../contract/contract.ts'
import { done } from '../contract/operation.ts'
import type { Operation } from '../contract/operation.ts'
import { attenuate, childJti, MAX_TOKEN_SECONDS } from '../domain/access/claims.ts'
import type { Claims } from '../domain/access/claims.ts'
import { holds } from '../domain/access/scope.ts'
import type { Scope } from '../domain/access/scope.ts'
import type { Failure } from '../domain/failure.ts'
import { failure } from '../domain/failure.ts'
import { isoTime } from '../domain/identifier.ts'
import { refusedDelegation } from '../domain/memory/delegating.ts'
import { childId, childSettings } from '../domain/memory/delegation.ts'
import type { Packet } from '../domain/memory/delegation.ts'
import { memoryOf } from '../domain/memory/memory-state.ts'
import { err, ok } from '../domain/result.ts'
import type { Result } from '../domain/result.ts'
import type { Deps } from '../ports.ts'
import { giveExcerpts } from './give-excerpts.ts'
import { lastBreadcrumb } from './last-breadcrumb.ts'
import { presentMission } from './present-mission.ts'
import { clearTexts } from './scan-evidence.ts'

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

/**
 * Opens a child mission with a clean context: its excerpts first, then the mission, then the parent's
 * record of it, then the token. What the parent refuses at last leaves no child behind.
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
  const view = await presentMission(deps, parent)
  if (!view.ok) return view
  const refused = refusedDelegation(view.value.state)
  if (refused !== null) return err(refused)

  const mission = childId(parent.mission, deps.newId())
  const token = await childClaims(deps, caller, mission)
  if (!token.ok) return token
  const child = { tenant: parent.tenant, mission }
  const at = isoTime(deps.now())
  const excerpts = await giveExcerpts({ ...deps, missions }, parent, child, body.paths, at)
  if (!excerpts.ok) return excerpts
  const { last_breadcrumb } = memoryOf(view.value.state)
  const breadcrumb = await lastBreadcrumb(missions, parent, last_breadcrumb)
  const packet: Packet = { ...body, breadcrumb, excerpts: excerpts.value }

  const settings = childSettings(parent.mission, body)
  const opened = await missions.apply({
    ...child,
    at,
    event: { type: 'delegation_received', settings, depth: view.value.state.folding.depth },
  })
  if (!opened.ok) return opened
  const event = { type: 'delegated', child: mission, packet } as const
  const noted = await missions.apply({ ...parent, at, event })
  if (!noted.ok) {
    await missions.apply({ ...child, at, event: { type: 'erased' } })
    return noted
  }
  return ok(
    done(
      {
        mission,
        token: await signer.sign(token.value),
        packet: { ...packet, paths: [...packet.paths], excerpts: [...packet.excerpts] },
      },
      'created',
    ),
  )
}

/** What a child needs to work on its own mission, as far as its parent holds it. */
const CHILD_SCOPES: readonly Scope[] = [
  'memex:read',
  'memex:write',
  'mission:read',
  'mission:write',
]

/**
 * A token of the caller's own, for the child alone. A caller that is bound to the parent may mint it,
 * since the child is its own making; whoever revokes the caller's token revokes this one.
 */
async function childClaims(
  deps: DelegateDeps,
  { mission: _, ...unbound }: Claims,
  mission: string,
): Promise<Result<Claims, Failure>> {
  const scope = CHILD_SCOPES.filter((wanted) => holds(unbound.scope, wanted))
  const request = { scope, mission, expires_in_s: MAX_TOKEN_SECONDS }
  const jti = await childJti(unbound.jti, deps.newId())
  return attenuate(unbound, request, Math.floor(deps.now() / 1000), jti)
}
