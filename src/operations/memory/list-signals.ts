import type { Contract } from '../../contract/contract.ts'
import { done } from '../../contract/operation.ts'
import type { Operation } from '../../contract/operation.ts'
import { isTaskDone } from '../../domain/context/begin-context.ts'
import { failure } from '../../domain/failure.ts'
import type { MissionState } from '../../domain/ledger/state.ts'
import type { SummaryEntry } from '../../domain/memory/records.ts'
import { signals } from '../../domain/memory/signals.ts'
import type { SignalFacts } from '../../domain/memory/signals.ts'
import { LARGE_OUTPUT_BYTES } from '../../domain/mission/large-output.ts'
import { DEFAULT_THRESHOLDS } from '../../domain/mission/thresholds.ts'
import { err, ok } from '../../domain/result.ts'
import { resultKey } from '../../domain/transcript/calls.ts'
import type { Deps, Missions, Owner } from '../../ports.ts'
import { eachFound, eachRecord } from '../each-record.ts'
import { presentMission } from '../missions/present-mission.ts'

/** The outcome signals of a mission, from its state and its records. */
export const listSignals: Operation<Contract['list_signals'], Pick<Deps, 'missions'>> = async (
  deps,
  { caller, params },
) => {
  if (deps.missions === null) return err(failure('storage_not_configured'))
  const owner = { tenant: caller.tenant, mission: params.mission }
  const view = await presentMission(deps, owner)
  if (!view.ok) return view
  const facts = { ...factsOf(view.value.state), ...(await recorded(deps.missions, owner)) }
  const items = signals(facts).map((signal) => ({ ...signal, figures: { ...signal.figures } }))
  return ok(done({ items }))
}

type Recorded = 'masked' | 'with_extract' | 'bullets' | 'logs' | 'summaries'

function factsOf(state: MissionState): Omit<SignalFacts, Recorded> {
  const { context, contexts } = state
  const done_now = context.task_done
  return {
    percent: context.reading?.percent ?? null,
    amber: (state.settings.thresholds ?? DEFAULT_THRESHOLDS).amber,
    completed: contexts.completed + (done_now ? 1 : 0),
    with_breadcrumb: contexts.with_breadcrumb + (done_now && context.breadcrumb ? 1 : 0),
    contexts: contexts.begun,
    waiting: isTaskDone(context),
  }
}

async function recorded(missions: Missions, owner: Owner): Promise<Pick<SignalFacts, Recorded>> {
  const masked: string[] = []
  const maskedAt: string[] = []
  for await (const { body } of eachRecord(missions, owner, 'masking')) {
    const { at, items } = body
    maskedAt.push(at)
    for (const { bytes, call_id, decision, turn } of items)
      if (decision === 'masked' && bytes >= LARGE_OUTPUT_BYTES)
        masked.push(resultKey(turn, call_id))
  }
  const summaries: SummaryEntry[] = []
  for await (const { body } of eachRecord(missions, owner, 'summary')) summaries.push(body)
  const bullets: number[] = []
  for await (const { body } of eachRecord(missions, owner, 'extract'))
    bullets.push(body.bullets.length)
  const outputs = [...new Set(masked)]
  return {
    masked: outputs.length,
    with_extract: await extracted(missions, owner, outputs),
    bullets,
    logs: [maskedAt, summaries.map(({ at }) => at)],
    summaries,
  }
}

/** How many of these outputs have an extract. */
async function extracted(
  missions: Missions,
  owner: Owner,
  outputs: readonly string[],
): Promise<number> {
  const found = new Set<string>()
  for await (const { key } of eachFound(missions, owner, 'extracted', outputs)) found.add(key)
  return found.size
}
