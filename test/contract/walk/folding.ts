import { FINDINGS, FOLD, MISSION } from '../../support/fold-case.ts'
import { mission } from './evidence.ts'
import type { Recorder } from './recorder.ts'
import { source } from './session.ts'

const MAP = `# MAP

- app/jobs/pay_refund.rb: the job
- app/models/refund_limit.rb: the limit
- lib/tasks/refunds.rake: tasks
`

/** The fold of one mission is accepted; that of another is rejected, which a human resolves. */
export async function walkFold(recorder: Recorder): Promise<void> {
  const { ok, refused, header } = recorder
  await refused('artifact_missing', 'fold_prompt', { mission })
  await give(recorder, mission)
  await refused('not_found', 'put_artifact', { mission, artifact: 'notes.md', body: MAP })
  await ok('get_artifact', { mission, artifact: 'map.md' })
  await refused('artifact_missing', 'get_artifact', { mission, artifact: 'fold.md' })

  await ok('move_phase', { mission, body: { to: 'abstract', event_id: 'evt-1' } })
  await refused('phase_backwards', 'move_phase', { mission, body: { to: 'locate' } })
  const prompt_sha256 = await header('fold_prompt', { mission }, 'prompt-sha256')

  const documents = { mission_md: MISSION, findings_md: FINDINGS, fold_md: FOLD }
  await ok('check_fold', { body: { ...documents, trajectory_tokens: 40_000 } })
  await refused('invalid_input', 'check_fold', { body: { fold_md: FOLD } })

  await refused('prompt_stale', 'submit_fold', {
    mission,
    body: { fold: FOLD, prompt_sha256: '0'.repeat(64) },
  })
  await ok('submit_fold', {
    mission,
    body: { fold: FOLD, prompt_sha256, trajectory_tokens: 40_000 },
  })
  await ok('exit_gate', { mission })
  await refused('mission_not_found', 'exit_gate', { mission: 'never-opened' })
  await refused('gate_open', 'move_phase', { mission, body: { to: 'synthesize' } })
  await ok('fold_ratio', { query: { limit: 5 } })
  await refused('invalid_input', 'fold_ratio', { query: { limit: 0 } })
  await walkEscalations(recorder)
}

async function walkEscalations(recorder: Recorder): Promise<void> {
  const { ok, refused, header } = recorder
  const other = 'refund-retries'
  await ok('record_escalation', {
    mission: other,
    body: {
      trigger: 'ET-1',
      fired_at: '2026-11-30T09:12:00.000Z',
      on_probe: 'search_symbol("LedgerEntry")',
      on_path: 'app/jobs/pay_refund.rb:61',
      action_taken: 'annotate',
    },
  })
  await refused('invalid_input', 'record_escalation', { mission: other, body: { trigger: 'ET-1' } })
  await give(recorder, other)
  await ok('move_phase', { mission: other, body: { to: 'abstract' } })
  const prompt_sha256 = await header('fold_prompt', { mission: other }, 'prompt-sha256')
  const fold = FOLD.replace(/^GAP-003.*$/m, 'None.')
  await refused('fold_rejected', 'submit_fold', { mission: other, body: { fold, prompt_sha256 } })
  await refused('mission_halted', 'submit_fold', {
    mission: other,
    body: { fold: FOLD, prompt_sha256 },
  })
  const { items } = await ok('list_escalations', { mission: other })
  await refused('mission_not_found', 'list_escalations', { mission: 'never-opened' })
  const id = items.find(({ status }) => status === 'open')?.id
  const body = { decision: 'follow_up', note: 'Look at retries alone.' }
  await ok('resolve_escalation', { mission: other, id, body })
  await refused('escalation_resolved', 'resolve_escalation', { mission: other, id, body })
  await ok('delete_mission', { mission: other })
  await refused('mission_erased', 'put_mission', { mission: other, body: {} })
}

/** The three documents, with refs that lead to excerpts of the mission. */
async function give({ ok, refused }: Recorder, owner: string): Promise<void> {
  let findings = FINDINGS
  const files = ['app/jobs/pay_refund.rb', 'app/models/refund_limit.rb', 'lib/tasks/refunds.rake']
  for (const [i, path] of files.entries()) {
    const { ref } = await ok('write_excerpt', {
      mission: owner,
      query: { source: path },
      body: source(path),
    })
    const letter = 'abc'.charAt(i)
    findings = findings.replace(new RegExp(`memex://excerpt/${letter}{4}0{60}`), ref)
  }
  await ok('put_artifact', { mission: owner, artifact: 'map.md', body: MAP })
  await ok('put_artifact', { mission: owner, artifact: 'mission.md', body: MISSION })
  await ok('put_artifact', { mission: owner, artifact: 'findings.md', body: findings })
  await refused('invalid_utf8', 'put_artifact', {
    mission: owner,
    artifact: 'map.md',
    body: new Uint8Array([0x23, 0xff]),
  })
}
