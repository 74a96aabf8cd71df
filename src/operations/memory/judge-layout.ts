import type { Contract } from '../../contract/contract.ts'
import { done } from '../../contract/operation.ts'
import type { Operation } from '../../contract/operation.ts'
import type { LayoutFacts } from '../../domain/memory/layout/breaks.ts'
import { judgeLayout as judge } from '../../domain/memory/layout/layout.ts'
import { layoutParts } from '../../domain/memory/layout/parts.ts'
import { ok } from '../../domain/result.ts'
import { messageList } from '../../domain/transcript/message-list.ts'
import type { Deps, View } from '../../ports.ts'
import { presentMission } from '../missions/present-mission.ts'
import { readLens } from '../transcript/read-transcript.ts'

/** Holds a request against what the mission says of itself; nothing is stored. */
export const judgeLayout: Operation<
  Contract['judge_layout'],
  Pick<Deps, 'missions' | 'loadTokens'>
> = async (deps, { caller, params, body }) => {
  const owner = { tenant: caller.tenant, mission: params.mission }
  const seen = readLens(body.request, body.format)
  if (!seen.ok) return seen
  const list = messageList(body.request)
  if (!list.ok) return list
  const view = await presentMission(deps, owner, [
    { kind: 'block', keys: ['system', 'task_state'] },
  ])
  if (!view.ok) return view
  const { reading } = seen.value
  const parts = layoutParts(list.value, reading)
  const layout = judge(parts, reading.turns, factsOf(view.value), await deps.loadTokens())
  return ok(
    done({
      order: layout.order.map((placed) => ({ ...placed, pointers: [...placed.pointers] })),
      first_100: layout.first_100,
      breaks: [...layout.breaks],
    }),
  )
}

function factsOf({ found, state }: View<'block'>): LayoutFacts {
  const block = (label: string): string | null =>
    found.find(({ key }) => key === label)?.body.text ?? null
  return {
    objective: state.settings.objective ?? null,
    success_criteria: state.settings.success_criteria ?? null,
    system: block('system'),
    task_state: block('task_state'),
  }
}
