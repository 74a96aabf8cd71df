import { failure, type Failure, MAX_ERRORS } from '../failure.ts'
import { isList, isObject, jsonType, type JsonObject } from '../json/value.ts'
import { err, ok, type Result } from '../result.ts'

/** Where a request keeps its messages; a bare list is its own. */
const LISTS = ['messages', 'input', 'contents', 'history'] as const
const MAX_KEYS = 10
const MAX_KEY = 40

export interface MessageList {
  readonly messages: readonly JsonObject[]
  /** Of the list, relative to the request root. */
  readonly pointer: string
}

/** The messages of a provider request or a bare list; what is wrong with it where it has none. */
export function messageList(request: unknown): Result<MessageList, Failure> {
  if (isList(request)) return checked(request, '')
  if (!isObject(request))
    return err(invalid('', `must be a request or a list of messages, not ${jsonType(request)}`))
  const key = LISTS.find((name) => Object.hasOwn(request, name))
  if (key === undefined)
    return err(
      failure('format_unknown', {
        detail: `The request has none of ${LISTS.join(', ')}. Seen: ${seenKeys(request)}.`,
        errors: [{ pointer: '', detail: `has no message list, but ${seenKeys(request)}` }],
      }),
    )
  const list = request[key]
  // The Responses API takes one user text in place of a list.
  if (key === 'input' && typeof list === 'string')
    return ok({ messages: [{ role: 'user', content: list }], pointer: '/input' })
  return isList(list)
    ? checked(list, `/${key}`)
    : err(invalid(`/${key}`, `must be a list of messages, not ${jsonType(list)}`))
}

/** The keys of an object for a message: few, short and on one line. */
export function seenKeys(object: JsonObject): string {
  const keys = Object.keys(object)
  if (keys.length === 0) return 'no keys'
  const shown = keys.slice(0, MAX_KEYS).map((key) => JSON.stringify(key.slice(0, MAX_KEY)))
  const more = keys.length > MAX_KEYS ? ` and ${keys.length - MAX_KEYS} more` : ''
  return `the keys ${shown.join(', ')}${more}`
}

const invalid = (pointer: string, detail: string): Failure =>
  failure('transcript_invalid', { errors: [{ pointer, detail }] })

function checked(list: readonly unknown[], pointer: string): Result<MessageList, Failure> {
  if (list.length === 0) return err(invalid(pointer, 'is empty'))
  const messages = list.filter(isObject)
  if (messages.length === list.length) return ok({ messages, pointer })
  const errors = list.flatMap((message, index) =>
    isObject(message)
      ? []
      : [{ pointer: `${pointer}/${index}`, detail: `must be a message, not ${jsonType(message)}` }],
  )
  return err(failure('transcript_invalid', { errors: errors.slice(0, MAX_ERRORS) }))
}
