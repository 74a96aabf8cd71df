/** Whole sessions of an agent that reads a repository, in the two chat formats: the same each time. */

const WORDS =
  'const return export import function value state mission token excerpt buffer index error result async await type interface readonly string number undefined promise digest cursor'.split(
    ' ',
  )

/** Text of about `size` characters that looks like the output of a tool; a seed gives one text. */
export function toolOutput(size: number, seed: number): string {
  let text = ''
  let random = seed * 2_654_435_761 + 1
  for (let line = 1; text.length < size; line++) {
    text += `${line}: `
    for (let word = 0; word < 8; word++) {
      random = (Math.imul(random, 1_103_515_245) + 12_345) >>> 0
      text += `${WORDS[(random >>> 16) % WORDS.length]}${word === 7 ? '\n' : ' '}`
    }
  }
  return text.slice(0, size)
}

export interface Step {
  readonly id: string
  readonly tool: string
  readonly input: unknown
  readonly output: string
  readonly is_error: boolean
}

/** What the agent did, turn by turn: every third turn has two calls at once, every tenth fails. */
export function agentSteps(turns: number, bytes: number): readonly (readonly Step[])[] {
  const tools = ['read_file', 'grep', 'run_tests']
  return Array.from({ length: turns }, (_, turn) =>
    Array.from({ length: turn % 3 === 2 ? 2 : 1 }, (_none, call) => {
      const seed = turn * 2 + call
      return {
        id: `call_${turn}_${call}`,
        tool: tools[seed % tools.length] ?? 'read_file',
        input: { path: `src/file-${seed}.ts`, limit: 200 },
        output: toolOutput(bytes, seed + 1),
        is_error: turn % 10 === 9,
      }
    }),
  )
}

/** An Anthropic Messages request: thinking, text, parallel calls, lone text blocks, errors, an image. */
export function anthropicSession(turns: number, bytes = 3000): Record<string, unknown> {
  const messages = agentSteps(turns, bytes).flatMap((steps, turn) => [
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: `Step ${turn}: read on.`, signature: `c2ln${turn}` },
        { type: 'text', text: `I read file ${turn}.` },
        ...steps.map(({ id, tool, input }) => ({ type: 'tool_use', id, name: tool, input })),
      ],
    },
    {
      role: 'user',
      content: steps.map(({ id, output, is_error }) => ({
        type: 'tool_result',
        tool_use_id: id,
        content:
          turn % 7 === 6
            ? [
                { type: 'text', text: output },
                { type: 'image', source: PIXEL },
              ]
            : [{ type: 'text', text: output }],
        ...(is_error ? { is_error } : {}),
      })),
    },
  ])
  return {
    model: 'claude-sonnet-4-5',
    max_tokens: 8192,
    system: 'You are a careful engineer.',
    tools: TOOLS.map((name) => ({ name, description: name, input_schema: { type: 'object' } })),
    messages: [{ role: 'user', content: 'Find why the test fails.' }, ...messages],
  }
}

/** The same as an OpenAI Chat Completions request, with null contents. */
export function openaiSession(turns: number, bytes = 3000): Record<string, unknown> {
  const messages = agentSteps(turns, bytes).flatMap((steps) => [
    {
      role: 'assistant',
      content: null,
      tool_calls: steps.map(({ id, tool, input }) => ({
        id,
        type: 'function',
        function: { name: tool, arguments: JSON.stringify(input) },
      })),
    },
    ...steps.map(({ id, output }) => ({ role: 'tool', tool_call_id: id, content: output })),
  ])
  return {
    model: 'gpt-4o',
    messages: [
      { role: 'system', content: 'You are a careful engineer.' },
      { role: 'user', content: 'Find why the test fails.' },
      ...messages,
    ],
  }
}

const TOOLS = ['read_file', 'grep', 'run_tests']
const PIXEL = {
  type: 'base64',
  media_type: 'image/png',
  data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
}
