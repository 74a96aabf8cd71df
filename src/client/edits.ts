import { formatPointer, parsePointer, resolvePointer } from '../domain/json/pointer.ts'
import { FoldexError } from './failure.ts'

/** A change of one value, by its JSON pointer (RFC 6901) from the request's root. */
export interface Edit {
  readonly pointer: string
  readonly value: unknown
}

/**
 * What a mask answer's edit sets: its placeholder, or a value around it where the format wants one.
 */
export const editOf = (masked: {
  readonly pointer: string
  readonly placeholder: string
  readonly value?: unknown
}): Edit => ({ pointer: masked.pointer, value: masked.value ?? masked.placeholder })

/**
 * Applies edits to the caller's own messages, in place, and gives the root back. What lies inside a
 * message is copied on the way to a changed value, since the caller may have put one object into
 * several. With `sent`, the request's JSON as it was judged, a message that is not the same any more
 * is refused. All edits are applied or, with a `FoldexError`, none.
 */
export function applyEdits<Request extends object>(
  request: Request,
  edits: readonly Edit[],
  sent?: string,
): Request {
  const places = edits.map(({ pointer }) => placeOf(request, pointer))
  if (sent !== undefined && edits.length > 0) refuseChanges(places, JSON.parse(sent))
  const copies = new Set<unknown>()
  for (const [index, place] of places.entries()) set(place, edits[index]?.value, copies)
  return request
}

type Container = Record<string, unknown>

/** Where a value stands: `path` leads to it from the message it is in. */
interface Place {
  readonly pointer: string
  readonly message: Container
  readonly path: readonly string[]
}

/** A message is an item of the first list on the way. Where there is none, the value's own object. */
function placeOf(root: object, pointer: string): Place {
  const path = parsePointer(pointer) ?? []
  if (path.length === 0 || resolvePointer(root, pointer) === undefined)
    throw refused(`${pointer} points at nothing in the request`)
  let message = root as Container
  let depth = 0
  for (let inList = false; !inList && depth < path.length - 1; depth++) {
    inList = Array.isArray(message)
    message = message[path[depth] ?? ''] as Container
  }
  const [first = ''] = path.slice(depth)
  const own = Object.getOwnPropertyDescriptor(message, first)
  if (own?.writable !== true && own?.set === undefined)
    throw refused(`${pointer} can't be written: its message is frozen`)
  return { pointer: formatPointer(path.slice(0, depth)), message, path: path.slice(depth) }
}

function refuseChanges(places: readonly Place[], sent: unknown): void {
  const messages = new Map(places.map(({ pointer, message }) => [pointer, message]))
  for (const [pointer, message] of messages)
    if (JSON.stringify(message) !== JSON.stringify(resolvePointer(sent, pointer)))
      throw refused(`${pointer} has changed since it was sent`)
}

/** `copies` are the containers that are ours already. */
function set({ message, path }: Place, value: unknown, copies: Set<unknown>): void {
  let parent = message
  for (const step of path.slice(0, -1)) {
    if (!copies.has(parent[step])) {
      parent[step] = copyOf(parent[step] as Container)
      copies.add(parent[step])
    }
    parent = parent[step] as Container
  }
  parent[path.at(-1) ?? ''] = value
}

const copyOf = (container: Container): unknown =>
  Array.isArray(container)
    ? [...container]
    : Object.setPrototypeOf({ ...container }, Object.getPrototypeOf(container))

const refused = (why: string): FoldexError =>
  new FoldexError('edits_refused', `${why}; nothing was changed`)
