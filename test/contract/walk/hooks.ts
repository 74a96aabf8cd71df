import { signedWebhook } from '../../support/signed-webhook.ts'
import type { Recorder } from './recorder.ts'

const mission = 'refund-hooks'

/** A platform sends webhooks at phase boundaries, and gets some itself. */
export async function walkHooks({ now, ok, refused }: Recorder): Promise<void> {
  const endpoint = 'platform'
  const send = async (id: string, type: string, data: object) => {
    const timestamp = new Date(now()).toISOString()
    const event = { type, timestamp, data: { mission, ...data } }
    return { endpoint, ...(await signedWebhook(event, { id, now: now() })) }
  }
  const usage = { input_tokens: 130_000, output_tokens: 900 }
  const phase = { phase: 'traverse', usage, model: 'claude-sonnet-4-5' }
  await ok('receive_webhook', await send('msg_1', 'phase.completed', phase))
  await ok('receive_webhook', await send('msg_2', 'phase.started', { phase: 'synthesize' }))
  await refused(
    'idempotency_key_reused',
    'receive_webhook',
    await send('msg_1', 'phase.started', { phase: 'locate' }),
  )
  const unsigned = { endpoint, body: '{}', headers: {} }
  await refused('webhook_malformed', 'receive_webhook', unsigned)
  await refused('endpoint_not_found', 'receive_webhook', { ...unsigned, endpoint: 'nobody' })

  await ok('receive_claude_code_hook', { mission, body: postToolUse(4000) })
  await ok('receive_claude_code_hook', { mission, body: postToolUse(2) })
  await refused('malformed_json', 'receive_claude_code_hook', { mission, body: '{' })
  const run = { run_id: '1ef2', status: 'success', run_ended_at: '2026-11-30T09:00:00' }
  const messages = [{ type: 'human', content: 'Which jobs pay out refunds?' }]
  const ended = JSON.stringify({ ...run, values: { messages } })
  await ok('receive_langgraph_run', { mission, body: ended })
  // The mission has no window yet, so the report waits for one.
  await ok('receive_langgraph_run', { mission: 'refund-early', body: ended })
  await refused('invalid_input', 'receive_langgraph_run', { mission, body: '{}' })

  const { items } = await ok('list_events', { mission, query: { limit: 3 } })
  await ok('list_events', { mission, query: { after: String(items[0]?.id), limit: 1 } })
  await refused('mission_not_found', 'list_events', { mission: 'never-opened' })
  const deliveries = await ok('list_deliveries', { mission, query: { limit: 1 } })
  await refused('mission_not_found', 'list_deliveries', { mission: 'never-opened' })
  await ok('resend_delivery', { mission, id: String(deliveries.items[0]?.id) })
  await refused('delivery_not_found', 'resend_delivery', { mission, id: 'nothing' })
}

/** What Claude Code sends after a shell command. */
const postToolUse = (lines: number): string =>
  JSON.stringify({
    session_id: 'b7c1',
    hook_event_name: 'PostToolUse',
    tool_name: 'Bash',
    tool_input: { command: 'bin/rails routes' },
    tool_response: {
      stdout: Array.from({ length: lines }, (_, n) => `GET /refunds/${n} refunds#show`).join('\n'),
      stderr: '',
      interrupted: false,
      isImage: false,
    },
    tool_use_id: `toolu_${lines}`,
  })
