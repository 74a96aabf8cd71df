import { isObject } from '../json/value.ts'
import { INSTRUCTIONS } from './frame.ts'
import { messageList } from './message-list.ts'

const USERS: ReadonlySet<unknown> = new Set(['user', 'human', 'HumanMessage'])
/** What clients move from call to call without changing what is said. */
const MOVING: ReadonlySet<string> = new Set(['cache_control', 'cachePoint', 'cache_point'])

/**
 * How a conversation begins, as text: its instructions and all up to the first user message. The same
 * for every call of it, whatever was trimmed behind; null where no message can be read.
 */
export function openingOf(request: unknown): string | null {
  const list = messageList(request)
  if (!list.ok) return null
  const { messages } = list.value
  const instructions = isObject(request) ? INSTRUCTIONS.map((key) => request[key] ?? null) : []
  const first = messages.findIndex(({ role, type }) => USERS.has(role) || USERS.has(type))
  const opening = messages.slice(0, first === -1 ? 1 : first + 1)
  return JSON.stringify([instructions, opening], (key, value: unknown) =>
    MOVING.has(key)
      ? undefined
      : Array.isArray(value)
        ? value.filter((one) => !isMark(one))
        : value,
  )
}

/** A mark that stands by itself in a list, as Bedrock's do. */
const isMark = (one: unknown): boolean =>
  isObject(one) && Object.keys(one).length > 0 && Object.keys(one).every((key) => MOVING.has(key))
