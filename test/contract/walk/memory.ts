import { mission } from './evidence.ts'
import type { Recorder } from './recorder.ts'
import { SESSION } from './session.ts'

const place = { mission, task: 'refund-limits', turn: 1 }
const BULLETS = [
  'PayRefund raises LimitError when the limit does not allow the refund',
  'The limit is asked at payment, not when the refund is requested',
  'No other line of the file asks for it',
]
const DID =
  'I read the job that pays refunds, the model of the limit and the rake tasks. The job asks the ' +
  'limit before it pays, and raises LimitError where the limit does not allow the refund. The rake ' +
  'tasks pay through the same job, so there is one place where the limit is kept.'

/** An agent writes its memory and delegates a part of the work; all of the memory is read back. */
export async function walkMemory(recorder: Recorder): Promise<void> {
  const { ok, refused } = recorder
  const extract = { call_id: 'toolu_1', tool: 'read_file', bullets: BULLETS }
  const { path } = await ok('put_extract', { ...place, body: extract })
  await refused('bullets_out_of_range', 'put_extract', {
    ...place,
    body: { ...extract, bullets: BULLETS.slice(1) },
  })
  await walkSummaries(recorder)
  await ok('put_block', { mission, label: 'task_state', body: { text: 'Step 2 of 3: who pays?' } })
  await refused('block_over_cap', 'put_block', {
    mission,
    label: 'reference',
    body: { text: 'see '.repeat(60) },
  })
  await ok('list_blocks', { mission })
  await refused('mission_not_found', 'list_blocks', { mission: 'never-opened' })
  await ok('judge_layout', { mission, body: { request: SESSION } })
  await refused('format_unknown', 'judge_layout', { mission, body: { request: { prompt: 'Hi.' } } })
  await walkBreadcrumbs(recorder, path)
  await walkFiles(recorder, path)
}

async function walkSummaries({ ok, refused }: Recorder): Promise<void> {
  await ok('report_context', { mission, body: { used_percentage: 67, turn: 24 } })
  const turns = { from: 1, to: 4 }
  const body = { turns, text: `${DID} ${DID}`, saved_tokens: 1840, context_percent: 58.2 }
  await ok('add_summary', { mission, body })
  await refused('resummarization_refused', 'add_summary', {
    mission,
    body: { ...body, turns: { from: 3, to: 6 } },
  })
}

async function walkBreadcrumbs({ ok, refused }: Recorder, extract: string): Promise<void> {
  const breadcrumb = { did: DID, outputs: [extract], next: 'Ask who calls the job.' }
  await ok('leave_breadcrumb', { mission, body: { ...breadcrumb, task_complete: true } })
  await refused('breadcrumb_out_of_range', 'leave_breadcrumb', {
    mission,
    body: { ...breadcrumb, did: 'Read it.', task_complete: true },
  })
  const request = {
    objective: 'Find every caller of the job PayRefund.',
    paths: ['app/jobs/pay_refund.rb', extract],
    success_criteria: 'Each caller is named with its line.',
    window_tokens: 200_000,
  }
  await ok('delegate', { mission, body: request })
  await ok('put_mission', { mission: 'one-off', body: { one_off: true } })
  await refused('one_off_mission', 'delegate', { mission: 'one-off', body: request })
}

async function walkFiles({ ok, refused }: Recorder, extract: string): Promise<void> {
  await ok('list_memory', { mission })
  await refused('mission_not_found', 'list_memory', { mission: 'never-opened' })
  await ok('read_memory_file', { mission, path: extract })
  await refused('memory_file_not_found', 'read_memory_file', { mission, path: 'notes.md' })
  await ok('memory_tar', { mission })
  await refused('mission_not_found', 'memory_tar', { mission: 'never-opened' })
  await ok('list_signals', { mission })
  await refused('mission_not_found', 'list_signals', { mission: 'never-opened' })
}
