/** Builders of small transcripts in the two chat formats. */

export const text = (size: number, seed = 'line'): string =>
  Array.from({ length: Math.ceil(size / 16) }, (_, index) => `${seed} ${index} of the output`)
    .join('\n')
    .slice(0, size)

/** Anthropic: one assistant turn with calls, then one user message with their results. */
export const anthropicTurn = (
  ...calls: { id: string; name?: string; content?: unknown; is_error?: boolean }[]
): unknown[] => [
  {
    role: 'assistant',
    content: [
      { type: 'text', text: 'I look.' },
      ...calls.map(({ id, name = 'read' }) => ({
        type: 'tool_use',
        id,
        name,
        input: { path: id },
      })),
    ],
  },
  {
    role: 'user',
    content: calls.map(({ id, content, is_error }) => ({
      type: 'tool_result',
      tool_use_id: id,
      ...(content === undefined ? {} : { content }),
      ...(is_error === undefined ? {} : { is_error }),
    })),
  },
]

/** OpenAI: one assistant turn with calls, then one tool message each. */
export const openaiTurn = (
  ...calls: { id: string; name?: string; content?: unknown }[]
): unknown[] => [
  {
    role: 'assistant',
    content: null,
    tool_calls: calls.map(({ id, name = 'read' }) => ({
      id,
      type: 'function',
      function: { name, arguments: JSON.stringify({ path: id }) },
    })),
  },
  ...calls.map(({ id, content }) => ({
    role: 'tool',
    tool_call_id: id,
    ...(content === undefined ? {} : { content }),
  })),
]

const user = { role: 'user', content: 'Go on.' }
const answer = { role: 'assistant', content: 'Done.' }

/** A request that ends with the assistant, so that only `keep` holds results back. */
export const request = (...turns: unknown[][]): string =>
  JSON.stringify({ model: 'm', messages: [user, ...turns.flat(), answer] })
