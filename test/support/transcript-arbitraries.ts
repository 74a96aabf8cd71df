import fc, { type Arbitrary } from 'fast-check'

/** Transcripts as clients really send them, and worse. Numbers are planted as text: see `spell`. */

const anyUnits = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 })
  .map((units) => String.fromCharCode(...units))

const lookAlike = fc.constantFrom(
  '[masked: read result]',
  `[Tool: read. Output masked. See memex://excerpt/${'a'.repeat(64)}]`,
  `[Tool: read. Error output masked. See memex://excerpt/${'b'.repeat(64)} as json]`,
)

export const outputText: Arbitrary<string> = fc.oneof(
  fc.constantFrom('', 'ok', "$& $` $' $1", '\ufeffBOM', '\\u0041 \\"', 'line\r\nline\u2028'),
  fc.tuple(fc.string(), fc.nat(60)).map(([unit, times]) => `${unit} `.repeat(times * 4)),
  fc.tuple(anyUnits, fc.nat(300)).map(([units, length]) => units + 'x '.repeat(length)),
  lookAlike,
)

const spelled = fc.constantFrom('12345678901234567890', '1.0', '1e400', '-0', '1E+2')
const extras: Arbitrary<Record<string, unknown>> = fc.dictionary(
  fc.constantFrom('x_trace', 'cache', 'metadata', 'a/b', 'm~n', '__proto__'),
  fc.oneof(
    fc.jsonValue({ maxDepth: 1 }),
    spelled.map((number) => `@@${number}@@`),
  ),
  { maxKeys: 2 },
)

const id = fc.constantFrom('c1', 'c2', 'c3', 'call/4~x')
const tool = fc.constantFrom('read', 'bash', 'file_search', 'my.tool:x', 'x]\n[Tool: y')
const prose = fc.string({ maxLength: 30 })
const input = fc.dictionary(fc.string({ maxLength: 5 }), fc.jsonValue({ maxDepth: 1 }), {
  maxKeys: 2,
})

interface Call {
  readonly id: string
  readonly tool: string
  readonly input: unknown
  readonly output: string
  readonly shape: number
  readonly is_error: boolean | undefined
  readonly answered: boolean
  readonly extras: Record<string, unknown>
}

const call: Arbitrary<Call> = fc.record({
  id,
  tool,
  input,
  output: outputText,
  shape: fc.nat(9),
  is_error: fc.constantFrom(undefined, true, false),
  answered: fc.integer({ min: 0, max: 9 }).map((chance) => chance > 0),
  extras,
})

interface Turn {
  readonly says: string
  readonly calls: readonly Call[]
  readonly user: string | null
  readonly extras: Record<string, unknown>
}

const turns: Arbitrary<readonly Turn[]> = fc.array(
  fc.record({
    says: prose,
    calls: fc.array(call, { maxLength: 3 }),
    user: fc.option(prose),
    extras,
  }),
  { minLength: 1, maxLength: 6 },
)

type Write = (turn: Turn) => unknown[]

const asRequest = (write: Write): Arbitrary<unknown> =>
  fc.record({ turns, extras, bare: fc.boolean() }).map(({ turns: all, extras: around, bare }) => {
    const messages = [{ role: 'user', content: 'Start.' }, ...all.flatMap(write)]
    return bare ? messages : { ...around, system: 'Be brief.', messages }
  })

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

const anthropic: Write = ({ says, calls, user, extras: more }) => [
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
]

const openai: Write = ({ says, calls, user, extras: more }) => [
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
]

export const transcriptArbitraries: Readonly<Record<string, Arbitrary<unknown>>> = {
  anthropic_messages: asRequest(anthropic),
  openai_chat: asRequest(openai),
}

/** JSON source of a request: spaced and escaped in some way, with the planted numbers as numbers. */
export const sourceOf = (request: unknown, style: { indent: number; ascii: boolean }): string => {
  const json = JSON.stringify(request, null, style.indent).replaceAll(/"@@([^"]*)@@"/g, '$1')
  return style.ascii
    ? json.replaceAll(
        /[\u007f-\uffff]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
      )
    : json
}

export const styles = fc.record({ indent: fc.constantFrom(0, 2), ascii: fc.boolean() })
