import type { Contract, OperationName } from '../contract/contract.ts'
import type { Operation } from '../contract/operation.ts'
import type { Deps } from '../ports.ts'
import { mintToken } from './access/mint-token.ts'
import { revokeToken } from './access/revoke-token.ts'
import { contextHistory } from './context/context-history.ts'
import { reportContext } from './context/report-context.ts'
import { sessionCost } from './context/session-cost.ts'
import { getArtifact } from './fold/artifacts/get-artifact.ts'
import { putArtifact } from './fold/artifacts/put-artifact.ts'
import { checkFold } from './fold/check-fold.ts'
import { listEscalations } from './fold/escalations/list-escalations.ts'
import { recordEscalation } from './fold/escalations/record-escalation.ts'
import { resolveEscalation } from './fold/escalations/resolve-escalation.ts'
import { exitGate } from './fold/exit-gate.ts'
import { foldPromptOf } from './fold/fold-prompt.ts'
import { foldRatio } from './fold/fold-ratio.ts'
import { movePhase } from './fold/move-phase.ts'
import { submitFold } from './fold/submit-fold.ts'
import { health } from './health.ts'
import { listDeliveries } from './hooks/list-deliveries.ts'
import { listEvents } from './hooks/list-events.ts'
import { receiveClaudeCodeHook } from './hooks/receive-claude-code-hook.ts'
import { receiveLangGraphRun } from './hooks/receive-langgraph-run.ts'
import { receiveWebhook } from './hooks/receive-webhook.ts'
import { resendDelivery } from './hooks/resend-delivery.ts'
import { maskingLog } from './masking/list-masks.ts'
import { mask } from './masking/mask.ts'
import { observe } from './masking/observation/observe.ts'
import { putRetention } from './masking/observation/put-retention.ts'
import { planMask } from './masking/plan-mask.ts'
import { unmask } from './masking/unmask.ts'
import { listExcerpts } from './memex/list-excerpts.ts'
import { readExcerpts } from './memex/read-batch.ts'
import { putExcerpt, writeExcerpt } from './memex/write-excerpt.ts'
import { addSummary } from './memory/add-summary.ts'
import { delegate } from './memory/delegation/delegate.ts'
import { listMemory } from './memory/files/list-memory.ts'
import { memoryTar } from './memory/files/memory-tar.ts'
import { readMemoryFile } from './memory/files/read-memory-file.ts'
import { judgeLayout } from './memory/judge-layout.ts'
import { leaveBreadcrumb } from './memory/leave-breadcrumb.ts'
import { listBlocks } from './memory/list-blocks.ts'
import { listSignals } from './memory/list-signals.ts'
import { putBlock } from './memory/put-block.ts'
import { putExtract } from './memory/put-extract.ts'
import { deleteMission } from './missions/delete-mission.ts'
import { getMission } from './missions/get-mission.ts'
import { missionLog } from './missions/list-log.ts'
import { listMissions } from './missions/list-missions.ts'
import { putMission } from './missions/put-mission.ts'
import { countTokens } from './transcript/count-tokens.ts'

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
