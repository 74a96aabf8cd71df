/** A short Anthropic session: three files were read, the last one is what the work is about. */
export const SESSION = {
  model: 'claude-sonnet-4-5',
  max_tokens: 4096,
  system: 'You are a careful engineer.',
  messages: [
    { role: 'user', content: 'Find which jobs pay out refunds.' },
    ...['app/jobs/pay_refund.rb', 'app/models/refund_limit.rb', 'lib/tasks/refunds.rake'].flatMap(
      (path, i) => [
        {
          role: 'assistant',
          content: [
            { type: 'text', text: `I read ${path}.` },
            { type: 'tool_use', id: `toolu_${i + 1}`, name: 'read_file', input: { path } },
          ],
        },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: `toolu_${i + 1}`, content: source(path) }],
        },
      ],
    ),
  ],
}

/** The text of a file of the session, longer than its placeholder. */
export function source(path: string): string {
  const lines = Array.from(
    { length: 12 },
    (_, i) => `  ${i + 1}: raise LimitError unless RefundLimit.allow?(refund, at: Time.now)`,
  )
  return [`# ${path}`, ...lines, 'end'].join('\n')
}
