import { failure, type Failure, type PointerError } from '../failure.ts'
import type { JsonObject } from '../json/value.ts'
import { err, ok, type Result } from '../result.ts'
import { aiSdkUi } from './formats/ai-sdk-ui.ts'
import { aiSdk } from './formats/ai-sdk.ts'
import { anthropicMessages } from './formats/anthropic-messages.ts'
import { gemini } from './formats/gemini.ts'
import { langchain } from './formats/langchain.ts'
import { openaiChat } from './formats/openai-chat.ts'
import { openaiResponses } from './formats/openai-responses.ts'
import { sweAgent } from './formats/swe-agent.ts'
import type { Format, FormatName, Lens } from './lens.ts'
import { messageList, seenKeys, type MessageList } from './message-list.ts'
import { createLens } from './walk.ts'

/** In the order in which they are asked whether a message is theirs: the most particular first. */
const FORMATS: readonly Format[] = [
  langchain,
  openaiResponses,
  aiSdkUi,
  gemini,
  aiSdk,
  sweAgent,
  anthropicMessages,
  openaiChat,
]

/** Whose a list of messages is that any chat format may have, by where the request keeps it. */
const plainFormat = (pointer: string): Format =>
  pointer === '/input' ? openaiResponses : pointer === '/history' ? sweAgent : openaiChat

/** SWE-agent's messages are chat completions with some keys more. */
const ALIKE: ReadonlySet<Format> = new Set([openaiChat, sweAgent])

const FORMAT_NAMES: readonly FormatName[] = FORMATS.map((format) => format.name)

const MAX_ERRORS = 5

/**
 * The lens for a provider request or a bare message list. Without a name the format is told from
 * the messages, one by one where they are mixed. `format_unknown` says what was seen,
 * `transcript_invalid` where a type is wrong; pointers are relative to the request root.
 */
export function detectFormat(request: unknown, named?: string): Result<Lens, Failure> {
  const list = messageList(request)
  if (!list.ok) return list
  return named === undefined ? detected(list.value) : checkedAs(named, list.value)
}

function detected(list: MessageList): Result<Lens, Failure> {
  const owners = new Map<Format, number>()
  const unowned: { readonly message: JsonObject; readonly pointer: string }[] = []
  list.messages.forEach((message, index) => {
    const owner = ownerOf(message)
    if (owner === undefined) unowned.push({ message, pointer: `${list.pointer}/${index}` })
    else owners.set(owner, (owners.get(owner) ?? 0) + 1)
  })
  const found = [...owners.keys()].toSorted((a, b) => (owners.get(b) ?? 0) - (owners.get(a) ?? 0))
  const rest = unowned.filter(({ message }) => !isReadable(message, found))
  const formats =
    rest.length > 0 || found.length === 0 ? [...found, plainFormat(list.pointer)] : found
  const unknown = rest.filter(({ message }) => !isReadable(message, formats))
  return unknown.length > 0
    ? err(formatUnknown(unknown.map(({ message, pointer }) => unknownMessage(message, pointer))))
    : ok(createLens(formats))
}

const isReadable = (message: JsonObject, formats: readonly Format[]): boolean =>
  formats.some((format) => format.claim(message) !== 'foreign')

const ownerOf = (message: JsonObject): Format | undefined =>
  FORMATS.find((format) => format.claim(message) === 'own')

function checkedAs(named: string, list: MessageList): Result<Lens, Failure> {
  const format = FORMATS.find((known) => known.name === named)
  if (format === undefined)
    return err(
      failure('format_unknown', {
        detail: `There is no format ${JSON.stringify(named.slice(0, 64))}. Known: ${FORMAT_NAMES.join(', ')}.`,
      }),
    )
  const errors = list.messages.flatMap((message, index) => {
    const pointer = `${list.pointer}/${index}`
    const claim = format.claim(message)
    if (claim === 'foreign') return [unknownMessage(message, pointer)]
    const owner = claim === 'plain' ? ownerOf(message) : undefined
    return owner === undefined || (ALIKE.has(owner) && ALIKE.has(format))
      ? []
      : [{ pointer, detail: `is a message of ${owner.name}` }]
  })
  return errors.length === 0
    ? ok(createLens([format]))
    : err(
        failure('transcript_invalid', {
          detail: `Not a transcript of ${format.name}.`,
          errors: errors.slice(0, MAX_ERRORS),
        }),
      )
}

const formatUnknown = (errors: readonly PointerError[]): Failure =>
  failure('format_unknown', {
    detail: `${errors.length} of the messages are of no known format. Known: ${FORMAT_NAMES.join(', ')}.`,
    errors: errors.slice(0, MAX_ERRORS),
  })

function unknownMessage(message: JsonObject, pointer: string): PointerError {
  const { role, type } = message
  const named = [
    ...(typeof role === 'string' ? [`role ${JSON.stringify(role.slice(0, 40))}`] : []),
    ...(typeof type === 'string' ? [`type ${JSON.stringify(type.slice(0, 40))}`] : []),
    seenKeys(message),
  ]
  return { pointer, detail: `is of no known format: it has ${named.join(', ')}` }
}
