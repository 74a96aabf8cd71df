/** How each format writes the same turns; `shape` picks one of the ways that an output may look. */

export interface Call {
  readonly id: string
  readonly tool: string
  readonly input: unknown
  readonly output: string
  readonly shape: number
  readonly is_error: boolean | undefined
  readonly answered: boolean
  readonly extras: Record<string, unknown>
}

export interface Turn {
  readonly says: string
  readonly calls: readonly Call[]
  readonly user: string | null
  readonly extras: Record<string, unknown>
}

export interface Writer {
  /** The request's member that holds the list. */
  readonly list: string
  /** The first message. */
  readonly start: unknown
  readonly write: (turn: Turn) => unknown[]
}

const start = { role: 'user', content: 'Start.' }
const answered = (calls: readonly Call[]): readonly Call[] => calls.filter((call) => call.answered)

const blocks = ({ output, shape, extras: more }: Call, image: unknown): unknown => {
  switch (shape) {
    case 0:
      return null
    case 1:
      return []
    case 2:
      return [
        { type: 'text', text: output },
        { type: 'text', text: 'and more' },
      ]
    case 3:
      return [image]
    case 4:
      return [{ type: 'text', text: output, ...more }, image]
    case 5:
    case 6:
      return [{ ...more, type: 'text', text: output }]
    default:
      return output
  }
}

export const anthropic: Writer = {
  list: 'messages',
  start,
  write: ({ says, calls, user, extras: more }) => [
    {
      ...more,
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: says, signature: 'sig' },
        { type: 'text', text: says },
        ...calls.map((made) => ({
          type: 'tool_use',
          id: made.id,
          name: made.tool,
          input: made.input,
        })),
      ],
    },
    {
      role: 'user',
      content: [
        ...calls
          .filter((made) => made.answered)
          .map((made) => ({
            ...made.extras,
            type: 'tool_result',
            tool_use_id: made.id,
            ...(made.shape === 9
              ? {}
              : { content: blocks(made, { type: 'image', source: { type: 'url', url: 'u' } }) }),
            ...(made.is_error === undefined ? {} : { is_error: made.is_error }),
          })),
        ...(user === null ? [] : [{ type: 'text', text: user }]),
      ],
    },
  ],
}

export const openai: Writer = {
  list: 'messages',
  start,
  write: ({ says, calls, user, extras: more }) => [
    {
      ...more,
      role: 'assistant',
      content: says === '' ? null : says,
      ...(calls.length === 0
        ? {}
        : {
            tool_calls: calls.map((made) => ({
              id: made.id,
              type: 'function',
              function: { name: made.tool, arguments: JSON.stringify(made.input) },
            })),
          }),
    },
    ...calls
      .filter((made) => made.answered)
      .map((made) => ({
        ...made.extras,
        role: 'tool',
        tool_call_id: made.id,
        ...(made.shape === 9
          ? {}
          : { content: blocks(made, { type: 'image_url', image_url: { url: 'u' } }) }),
      })),
    ...(user === null ? [] : [{ role: 'user', content: user }]),
  ],
}

const image = { type: 'input_image', detail: 'auto', image_url: 'https://example.com/a.png' }

export const responses: Writer = {
  list: 'input',
  start: { role: 'user', content: [{ type: 'input_text', text: 'Start.' }] },
  write: ({ says, calls, user, extras: more }) => [
    { type: 'reasoning', id: 'r', summary: [], encrypted_content: 'x', ...more },
    ...calls.map((made) =>
      made.shape < 6
        ? { type: 'function_call', call_id: made.id, name: made.tool, arguments: says }
        : { type: 'shell_call', call_id: made.id, action: { commands: [says] } },
    ),
    ...answered(calls).map((made) => ({ ...made.extras, ...responsesOutput(made) })),
    ...(user === null ? [] : [{ role: 'user', content: user }]),
  ],
}

function responsesOutput({ id, shape, output, is_error }: Call): object {
  const exit = { outcome: { type: 'exit', exit_code: is_error === true ? 1 : 0 } }
  const type = shape < 6 ? 'function_call_output' : 'shell_call_output'
  switch (shape) {
    case 0:
      return { type, call_id: id, output: [{ type: 'input_text', text: output }] }
    case 1:
      return { type, call_id: id, output: [{ type: 'input_text', text: output }, image] }
    case 6:
      return { type, call_id: id, output: [{ stdout: output, stderr: '', ...exit }] }
    case 7:
      return { type, call_id: id, output: [{ stdout: '', stderr: output, ...exit }] }
    case 8:
      return { type, call_id: id, output: [{ stdout: output, stderr: 'more', ...exit }] }
    case 9:
      return {
        type,
        call_id: id,
        output: [
          { stdout: output, stderr: output, outcome: { type: 'timeout' } },
          { stdout: 'end', stderr: '', ...exit },
        ],
      }
    default:
      return { type, call_id: id, output }
  }
}

export const aiSdk: Writer = {
  list: 'messages',
  start,
  write: ({ says, calls, user, extras: more }) => [
    {
      ...more,
      role: 'assistant',
      content: [
        { type: 'text', text: says },
        ...calls.map((made) => ({
          type: 'tool-call',
          toolCallId: made.id,
          toolName: made.tool,
          input: made.input,
        })),
      ],
    },
    ...(answered(calls).length === 0
      ? []
      : [
          {
            role: 'tool',
            content: answered(calls).map((made) => ({
              ...made.extras,
              type: 'tool-result',
              toolCallId: made.id,
              toolName: made.tool,
              output: aiSdkOutput(made),
            })),
          },
        ]),
    ...(user === null ? [] : [{ role: 'user', content: [{ type: 'text', text: user }] }]),
  ],
}

function aiSdkOutput({ shape, output, extras }: Call): object {
  switch (shape) {
    case 0:
      return { type: 'error-text', value: output }
    case 1:
      return { type: 'json', value: { output, ...extras } }
    case 2:
      return { type: 'error-json', value: [output] }
    case 3:
      return { type: 'content', value: [{ type: 'text', text: output, ...extras }] }
    case 4:
      return {
        type: 'content',
        value: [
          { type: 'text', text: output },
          { type: 'image-data', data: 'AAAA', mediaType: 'image/png' },
        ],
      }
    case 5:
      return { type: 'content', value: [] }
    case 6:
      return { type: 'execution-denied', reason: output }
    case 7:
      return { type: 'json', value: output }
    default:
      return { type: 'text', value: output }
  }
}

export const aiSdkUi: Writer = {
  list: 'messages',
  start: { id: 'u', role: 'user', parts: [{ type: 'text', text: 'Start.' }] },
  write: ({ says, calls, user, extras: more }) => [
    {
      ...more,
      id: 'a',
      role: 'assistant',
      parts: [
        { type: 'step-start' },
        { type: 'text', text: says },
        ...calls.map((made) => ({
          ...made.extras,
          ...(made.shape < 5
            ? { type: `tool-${made.tool}` }
            : { type: 'dynamic-tool', toolName: made.tool }),
          toolCallId: made.id,
          input: made.input,
          ...uiState(made),
        })),
      ],
    },
    ...(user === null ? [] : [{ id: 'u', role: 'user', parts: [{ type: 'text', text: user }] }]),
  ],
}

function uiState({ answered: done, shape, output, extras }: Call): object {
  if (!done) return { state: 'input-available' }
  if (shape === 0) return { state: 'output-error', errorText: output }
  if (shape === 1) return { state: 'output-available', output: { output, ...extras } }
  if (shape === 2) return { state: 'output-available', output: null }
  if (shape === 3) return { state: 'output-available', output, preliminary: true }
  return { state: 'output-available', output }
}

/** The three wire shapes of LangChain: what wraps the type and the fields of a message. */
const wirings: ((type: string, fields: object) => unknown)[] = [
  (type, fields) => ({ type, data: fields }),
  (type, fields) => ({
    lc: 1,
    type: 'constructor',
    id: ['langchain_core', 'messages', `${{ ai: 'AI', tool: 'Tool' }[type] ?? 'Human'}Message`],
    kwargs: fields,
  }),
  (type, fields) => ({ type, ...fields }),
]

export const langchain: readonly Writer[] = wirings.map((wire) => ({
  list: 'messages',
  start: wire('human', { content: 'Start.' }),
  write: ({ says, calls, user }) => [
    wire('ai', {
      content: says,
      tool_calls: calls.map((made) => ({
        id: made.id,
        name: made.tool,
        args: made.input,
        type: 'tool_call',
      })),
    }),
    ...answered(calls).map((made) =>
      wire('tool', {
        ...made.extras,
        content: blocks(made, { type: 'image_url', image_url: { url: 'u' } }),
        tool_call_id: made.id,
        status: made.is_error === true ? 'error' : 'success',
        artifact: [made.output],
      }),
    ),
    ...(user === null ? [] : [wire('human', { content: user })]),
  ],
}))

export const gemini: Writer = {
  list: 'contents',
  start: { role: 'user', parts: [{ text: 'Start.' }] },
  write: ({ says, calls, user, extras: more }) => [
    {
      ...more,
      role: 'model',
      parts: [
        { text: says, thought: true },
        ...calls.map((made) => ({
          functionCall: { ...idOf(made), name: made.tool, args: made.input },
        })),
      ],
    },
    {
      role: 'user',
      parts: [
        ...answered(calls).map((made) => ({
          functionResponse: {
            ...made.extras,
            ...idOf(made),
            name: made.tool,
            response: geminiResponse(made),
          },
        })),
        ...(user === null ? [] : [{ text: user }]),
      ],
    },
  ],
}

const idOf = ({ id, shape }: Call): object => (shape % 2 === 0 ? { id } : {})

function geminiResponse({ shape, output, extras }: Call): object {
  switch (shape) {
    case 0:
    case 1:
      return { error: output }
    case 2:
    case 3:
      return { ...extras, lines: [output, 1] }
    case 4:
      return { error: { message: output } }
    case 5:
      return {}
    case 6:
      return { 'a/b~c': output }
    default:
      return { output }
  }
}

export const sweAgent: readonly Writer[] = [
  {
    list: 'history',
    start: { ...start, agent: 'main', message_type: 'observation' },
    write: ({ says, calls, user, extras: more }) => [
      {
        ...more,
        role: 'assistant',
        content: says,
        thought: says,
        action: says,
        agent: 'main',
        message_type: 'action',
        tool_calls: calls.map((made) => ({
          id: made.id,
          type: 'function',
          function: { name: made.tool, arguments: JSON.stringify(made.input) },
        })),
      },
      ...answered(calls).map((made) => ({
        ...made.extras,
        role: 'tool',
        content: blocks(made, { type: 'image_url', image_url: { url: 'u' } }),
        agent: 'main',
        message_type: 'observation',
        tool_call_ids: [made.id],
      })),
      ...(user === null
        ? []
        : [{ role: 'user', content: user, agent: 'main', message_type: 'user' }]),
    ],
  },
  {
    list: 'history',
    start: { ...start, agent: 'primary' },
    write: ({ says, calls, extras: more }) =>
      calls.flatMap((made) => [
        {
          role: 'assistant',
          content: says,
          thought: says,
          action: `${made.tool} ${says}`,
          agent: 'primary',
        },
        { ...more, role: 'user', content: made.output, agent: 'primary' },
      ]),
  },
]
