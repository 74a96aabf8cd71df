import type { Contract, OperationName } from '../contract/contract.ts'
import type { Operation } from '../contract/operation.ts'
import type { Deps } from '../ports.ts'
import { addSummary } from './add-summary.ts'
import { checkFold } from './check-fold.ts'
import { contextHistory } from './context-history.ts'
import { countTokens } from './count-tokens.ts'
import { delegate } from './delegate.ts'
import { deleteMission } from './delete-mission.ts'
import { exitGate } from './exit-gate.ts'
import { foldPromptOf } from './fold-prompt.ts'
import { foldRatio } from './fold-ratio.ts'
import { getArtifact } from './get-artifact.ts'
import { getMission } from './get-mission.ts'
import { health } from './health.ts'
import { judgeLayout } from './judge-layout.ts'
import { leaveBreadcrumb } from './leave-breadcrumb.ts'
import { listBlocks } from './list-blocks.ts'
import { listEscalations } from './list-escalations.ts'
import { listDeliveries } from './list-deliveries.ts'
import { listEvents } from './list-events.ts'
import { listExcerpts } from './list-excerpts.ts'
import { listMemory } from './list-memory.ts'
import { listMissions } from './list-missions.ts'
import { listSignals } from './list-signals.ts'
import { mask } from './mask.ts'
import { maskingLog } from './masking-log.ts'
import { memoryTar } from './memory-tar.ts'
import { mintToken } from './mint-token.ts'
import { missionLog } from './mission-log.ts'
import { movePhase } from './move-phase.ts'
import { observe } from './observe.ts'
import { planMask } from './plan-mask.ts'
import { putArtifact } from './put-artifact.ts'
import { putBlock } from './put-block.ts'
import { putExtract } from './put-extract.ts'
import { putMission } from './put-mission.ts'
import { putRetention } from './put-retention.ts'
import { readExcerpts } from './read-excerpts.ts'
import { readMemoryFile } from './read-memory-file.ts'
import { recordEscalation } from './record-escalation.ts'
import { receiveClaudeCodeHook } from './receive-claude-code-hook.ts'
import { receiveLangGraphRun } from './receive-langgraph-run.ts'
import { receiveWebhook } from './receive-webhook.ts'
import { reportContext } from './report-context.ts'
import { resendDelivery } from './resend-delivery.ts'
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
  count_tokens: countTokens,
  move_phase: movePhase,
  exit_gate: exitGate,
  fold_ratio: foldRatio,
  record_escalation: recordEscalation,
  list_escalations: listEscalations,
  resolve_escalation: resolveEscalation,
  put_extract: putExtract,
  add_summary: addSummary,
  leave_breadcrumb: leaveBreadcrumb,
  put_block: putBlock,
  list_blocks: listBlocks,
  judge_layout: judgeLayout,
  list_signals: listSignals,
  delegate,
  list_memory: listMemory,
  read_memory_file: readMemoryFile,
  memory_tar: memoryTar,
  mission_log: missionLog,
  masking_log: maskingLog,
  list_events: listEvents,
  list_deliveries: listDeliveries,
  resend_delivery: resendDelivery,
  receive_webhook: receiveWebhook,
  receive_claude_code_hook: receiveClaudeCodeHook,
  receive_langgraph_run: receiveLangGraphRun,
}
