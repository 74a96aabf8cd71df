import fc, { type Arbitrary } from 'fast-check'
import type { FormatName } from '../../src/domain/transcript/lens.ts'
import {
  aiSdk,
  aiSdkUi,
  anthropic,
  gemini,
  langchain,
  openai,
  responses,
  sweAgent,
  type Call,
  type Turn,
  type Writer,
} from './format-writers.ts'

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

const turns: Arbitrary<readonly Turn[]> = fc.array(
  fc.record({
    says: prose,
    calls: fc.array(call, { maxLength: 3 }),
    user: fc.option(prose),
    extras,
  }),
  { minLength: 1, maxLength: 6 },
)

/** Every format with a way to write it, and sessions of turns that any of them can write. */
export const formatWriters: Readonly<Record<FormatName, Writer>> = {
  anthropic_messages: anthropic,
  openai_chat: openai,
  openai_responses: responses,
  ai_sdk: aiSdk,
  ai_sdk_ui: aiSdkUi,
  langchain: langchain[0] ?? anthropic,
  gemini,
  swe_agent: sweAgent[0] ?? anthropic,
}
export const sessionTurns = turns

const asRequest = ({ list, start, write }: Writer): Arbitrary<unknown> =>
  fc.record({ turns, extras, bare: fc.boolean() }).map(({ turns: all, extras: around, bare }) => {
    const messages = [start, ...all.flatMap(write)]
    return bare ? messages : { ...around, system: 'Be brief.', [list]: messages }
  })

export const transcriptArbitraries: Readonly<Record<FormatName, Arbitrary<unknown>>> = {
  anthropic_messages: asRequest(anthropic),
  openai_chat: asRequest(openai),
  openai_responses: asRequest(responses),
  ai_sdk: asRequest(aiSdk),
  ai_sdk_ui: asRequest(aiSdkUi),
  langchain: fc.oneof(...langchain.map(asRequest)),
  gemini: asRequest(gemini),
  swe_agent: fc.oneof(...sweAgent.map(asRequest)),
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
