import type { Contract } from '../../contract/contract.ts'
import { done } from '../../contract/operation.ts'
import type { Operation } from '../../contract/operation.ts'
import { BLOCK_LABELS } from '../../domain/memory/entries/block.ts'
import type { BlockSize } from '../../domain/memory/entries/block.ts'
import { ok } from '../../domain/result.ts'
import type { Deps } from '../../ports.ts'
import { presentMission } from '../missions/present-mission.ts'

/** The blocks that were set, in the order in which a context has them. */
export const listBlocks: Operation<Contract['list_blocks'], Pick<Deps, 'missions'>> = async (
  deps,
  { caller, params },
) => {
  const owner = { tenant: caller.tenant, mission: params.mission }
  const view = await presentMission(deps, owner, [{ kind: 'block', keys: BLOCK_LABELS }])
  if (!view.ok) return view
  const items = view.value.found.map(({ at, body }) => ({ ...body, at }))
  const place = ({ label }: BlockSize): number => BLOCK_LABELS.indexOf(label)
  return ok(done({ items: items.toSorted((one, other) => place(one) - place(other)) }))
}
