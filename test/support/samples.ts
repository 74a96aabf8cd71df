import type { OperationName } from '../../src/contract/contract.ts'
import type { Sent } from './api.ts'
import { breadcrumb, extract, summary } from './working-memory.ts'

const SHA256 = '5'.repeat(64)

const request = {
  model: 'gpt-4o',
  messages: [
    { role: 'user', content: 'Start.' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'read', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'c1', content: 'line '.repeat(2000) },
    { role: 'assistant', content: 'Done.' },
  ],
}

const policy = { trigger: { type: 'always' }, keep: 0 }

/** Something that each operation takes, for a mission that need not be there. */
export const SAMPLES: Readonly<Record<OperationName, Sent>> = {
  health: {},
  mint_token: { body: { scope: ['memex:read'], expires_in_s: 60 } },
  revoke_token: { jti: 'j'.repeat(22) },
  put_mission: { body: { objective: 'Find it.' } },
  get_mission: {},
  delete_mission: {},
  list_missions: {},
  write_excerpt: { body: 'evidence' },
  put_excerpt: {
    sha256: 'f1945cd6c19e56b3c1c78943ef5ec18116907a4ca1efc40a57d48ab1db7adfc5',
    body: 'a',
  },
  read_excerpt: { sha256: SHA256 },
  read_excerpts: { body: { refs: [`memex://excerpt/${SHA256}`] } },
  list_excerpts: {},
  mask: { body: { request, policy } },
  plan_mask: { body: { request, policy } },
  unmask: { body: { request } },
  observe: { body: { call_id: 'c1', tool: 'read', turn: 1, output: 'line' } },
  put_retention: { turn: 1, call_id: 'c1', body: { decision: 'keep' } },
  report_context: { body: { used_percentage: 12 } },
  context_history: {},
  count_tokens: { body: { text: 'Hello.' } },
  session_cost: {},
  put_artifact: { artifact: 'map.md', body: '# Map\n' },
  get_artifact: { artifact: 'map.md' },
  fold_prompt: {},
  submit_fold: { body: { fold: '# Fold\n', prompt_sha256: SHA256 } },
  check_fold: { body: { mission_md: '# M\n', findings_md: '# F\n', fold_md: '# Fold\n' } },
  move_phase: { body: { to: 'traverse' } },
  exit_gate: {},
  fold_ratio: {},
  record_escalation: {
    body: { trigger: 't', fired_at: '2026-11-30T12:00:00.000Z', action_taken: 'annotate' },
  },
  list_escalations: {},
  resolve_escalation: { id: 'e1', body: { decision: 'abandon', note: 'No.' } },
  put_extract: { task: 'task-1', turn: 1, body: extract('c1') },
  add_summary: { body: summary(1, 4) },
  leave_breadcrumb: { body: breadcrumb(200) },
  put_block: { label: 'task_state', body: { text: 'Step 1 of 3.' } },
  list_blocks: {},
  judge_layout: { body: { request } },
  list_signals: {},
  delegate: {
    body: {
      objective: 'Find it.',
      paths: ['a.ts'],
      success_criteria: 'Found.',
      window_tokens: 9000,
    },
  },
  list_memory: {},
  read_memory_file: { path: 'map.md' },
  memory_tar: {},
  mission_log: { log: 'masking' },
  masking_log: {},
  list_events: {},
  list_deliveries: {},
  resend_delivery: { id: '1-0_alerts' },
  receive_webhook: { endpoint: 'nobody', body: '{}' },
  receive_claude_code_hook: { body: '{"hook_event_name":"Stop"}' },
  receive_langgraph_run: { body: '{"run_id":"r1","status":"success"}' },
}
