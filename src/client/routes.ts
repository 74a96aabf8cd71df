import type { Contract, OperationName } from '../contract/contract.ts'
import type { OperationRow } from '../contract/operation.ts'

/**
 * Method, path and content of every operation. Written down here, and held to the contract by the compiler,
 * so that a user's bundle does not carry the contract's schemas.
 */
export const ROUTES = {
  health: 'GET /healthz',
  mint_token: 'POST /v1/tokens',
  revoke_token: 'DELETE /v1/tokens/{jti}',
  put_mission: 'PUT /v1/missions/{mission}',
  get_mission: 'GET /v1/missions/{mission}',
  delete_mission: 'DELETE /v1/missions/{mission}',
  list_missions: 'GET /v1/missions',
  write_excerpt: 'POST /v1/missions/{mission}/excerpts',
  put_excerpt: 'PUT /v1/missions/{mission}/excerpts/{sha256}',
  read_excerpt: 'GET /v1/missions/{mission}/excerpts/{sha256} bytes',
  read_excerpts: 'POST /v1/missions/{mission}/excerpts/read',
  list_excerpts: 'GET /v1/missions/{mission}/excerpts',
  mask: 'POST /v1/missions/{mission}/mask',
  observe: 'POST /v1/missions/{mission}/observations',
  put_retention: 'PUT /v1/missions/{mission}/retention/{turn}/{call_id}',
  plan_mask: 'POST /v1/missions/{mission}/mask/plan',
  unmask: 'POST /v1/missions/{mission}/unmask',
  report_context: 'POST /v1/missions/{mission}/context',
  context_history: 'GET /v1/missions/{mission}/context/history',
  count_tokens: 'POST /v1/count',
  session_cost: 'GET /v1/missions/{mission}/cost',
  put_artifact: 'PUT /v1/missions/{mission}/artifacts/{artifact}',
  get_artifact: 'GET /v1/missions/{mission}/artifacts/{artifact} markdown',
  fold_prompt: 'GET /v1/missions/{mission}/fold/prompt markdown',
  submit_fold: 'POST /v1/missions/{mission}/fold',
  check_fold: 'POST /v1/fold/check',
  move_phase: 'POST /v1/missions/{mission}/phase',
  exit_gate: 'GET /v1/missions/{mission}/gate',
  fold_ratio: 'GET /v1/telemetry/fold-ratio',
  record_escalation: 'POST /v1/missions/{mission}/escalations',
  list_escalations: 'GET /v1/missions/{mission}/escalations',
  resolve_escalation: 'POST /v1/missions/{mission}/escalations/{id}/resolution',
  put_extract: 'PUT /v1/missions/{mission}/extracts/{task}/{turn}',
  add_summary: 'POST /v1/missions/{mission}/summaries',
  leave_breadcrumb: 'POST /v1/missions/{mission}/breadcrumbs',
  put_block: 'PUT /v1/missions/{mission}/blocks/{label}',
  list_blocks: 'GET /v1/missions/{mission}/blocks',
  judge_layout: 'POST /v1/missions/{mission}/layout',
  list_signals: 'GET /v1/missions/{mission}/signals',
  delegate: 'POST /v1/missions/{mission}/delegations',
  list_memory: 'GET /v1/missions/{mission}/memory',
  read_memory_file: 'GET /v1/missions/{mission}/memory/{path} markdown',
  memory_tar: 'GET /v1/missions/{mission}/memory.tar tar',
  mission_log: 'GET /v1/missions/{mission}/logs/{log}',
  masking_log: 'GET /v1/logs/masking',
  list_events: 'GET /v1/missions/{mission}/events',
  list_deliveries: 'GET /v1/missions/{mission}/deliveries',
  resend_delivery: 'POST /v1/missions/{mission}/deliveries/{id}/resend',
  receive_webhook: 'POST /v1/hooks/standard/{endpoint}',
  receive_claude_code_hook: 'POST /v1/hooks/claude-code/{mission} or-nothing',
  receive_langgraph_run: 'POST /v1/hooks/langgraph/{mission}',
} as const satisfies { readonly [Name in OperationName]: Route<Contract[Name]> }

// What is not answered in JSON, or not always, says so at the end.
type Route<Row extends OperationRow> = Row['answers'] extends string
  ? `${Row['method']} ${Row['path']} ${Row['answers']}`
  : 'empty' extends Row['outcomes'][number]
    ? `${Row['method']} ${Row['path']} or-nothing`
    : `${Row['method']} ${Row['path']}`
