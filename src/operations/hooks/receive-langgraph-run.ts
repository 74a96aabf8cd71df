import type { Contract } from '../../contract/contract.ts'
import { parseInput } from '../../contract/input.ts'
import { readJson } from '../../contract/json-body.ts'
import type { Operation } from '../../contract/operation.ts'
import { utf8 } from '../../domain/bytes.ts'
import { sha256 } from '../../domain/digest.ts'
import {
  langGraphReceiptId,
  langGraphRun,
  normaliseLangGraph,
} from '../../domain/hooks/senders/langgraph.ts'
import { applyPlatformEvent } from './apply-platform-event.ts'
import type { EffectDeps } from './platform-effects.ts'

/** The end of a LangGraph run, sent without a JSON content type: read as JSON all the same. */
export const receiveLangGraphRun: Operation<Contract['receive_langgraph_run'], EffectDeps> = async (
  deps,
  { body, caller, params },
) => {
  const json = readJson(body)
  if (!json.ok) return json
  const run = parseInput(langGraphRun, json.value.value)
  if (!run.ok) return run
  const id = langGraphReceiptId(run.value)
  return await applyPlatformEvent(
    deps,
    { tenant: caller.tenant, mission: params.mission },
    normaliseLangGraph(run.value, deps.now()),
    json.value.source,
    { id, sha256: await sha256(utf8(id)), by: deps.newId() },
  )
}
