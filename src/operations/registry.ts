import type { Contract, OperationName } from '../contract/contract.ts'
import type { Operation } from '../contract/operation.ts'
import type { Deps } from '../ports.ts'
import { checkFold } from './check-fold.ts'
import { contextHistory } from './context-history.ts'
import { deleteMission } from './delete-mission.ts'
import { exitGate } from './exit-gate.ts'
import { foldPromptOf } from './fold-prompt.ts'
import { foldRatio } from './fold-ratio.ts'
import { getArtifact } from './get-artifact.ts'
import { getMission } from './get-mission.ts'
import { health } from './health.ts'
import { listEscalations } from './list-escalations.ts'
import { listExcerpts } from './list-excerpts.ts'
import { listMissions } from './list-missions.ts'
import { mask } from './mask.ts'
import { maskingLog } from './masking-log.ts'
import { mintToken } from './mint-token.ts'
import { missionLog } from './mission-log.ts'
import { movePhase } from './move-phase.ts'
import { observe } from './observe.ts'
import { putArtifact } from './put-artifact.ts'
import { putMission } from './put-mission.ts'
import { planMask } from './plan-mask.ts'
import { putRetention } from './put-retention.ts'
import { readExcerpts } from './read-excerpts.ts'
import { recordEscalation } from './record-escalation.ts'
import { reportContext } from './report-context.ts'
import { resolveEscalation } from './resolve-escalation.ts'
import { revokeToken } from './revoke-token.ts'
import { sessionCost } from './session-cost.ts'
import { submitFold } from './submit-fold.ts'
import { unmask } from './unmask.ts'
import { putExcerpt, writeExcerpt } from './write-excerpt.ts'

/** Which file does what a row of the contract says. `read_excerpt` is served by its own route. */
export const operations: {
  readonly [Name in Exclude<OperationName, 'read_excerpt'>]: Operation<Contract[Name], Deps>
} = {
  health,
  mint_token: mintToken,
  revoke_token: revokeToken,
  put_mission: putMission,
  get_mission: getMission,
  delete_mission: deleteMission,
  list_missions: listMissions,
  write_excerpt: writeExcerpt,
  put_excerpt: putExcerpt,
  read_excerpts: readExcerpts,
  list_excerpts: listExcerpts,
  mask,
  observe,
  put_retention: putRetention,
  plan_mask: planMask,
  unmask,
  report_context: reportContext,
  context_history: contextHistory,
  session_cost: sessionCost,
  put_artifact: putArtifact,
  get_artifact: getArtifact,
  fold_prompt: foldPromptOf,
  submit_fold: submitFold,
  check_fold: checkFold,
  move_phase: movePhase,
  exit_gate: exitGate,
  fold_ratio: foldRatio,
  record_escalation: recordEscalation,
  list_escalations: listEscalations,
  resolve_escalation: resolveEscalation,
  mission_log: missionLog,
  masking_log: maskingLog,
}
