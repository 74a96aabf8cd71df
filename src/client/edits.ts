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
 * Applies edits to the caller's own objects, in place, and gives the root back. Nothing else is
 * touched or copied. A pointer to nothing throws before anything has changed.
 */
export function applyEdits<Request extends object>(
  request: Request,
  edits: readonly Edit[],
): Request {
  const places = edits.map(({ pointer, value }) => ({ ...placeOf(request, pointer), value }))
  for (const { parent, key, value } of places) parent[key] = value
  return request
}

type Container = Record<string, unknown>

function placeOf(root: object, pointer: string): { parent: Container; key: string } {
  const path = pointer.split('/').slice(1).map(unescaped)
  const key = path.pop()
  let parent: unknown = root
  for (const step of path) parent = owns(parent, step) ? parent[step] : undefined
  if (key === undefined || !owns(parent, key))
    throw new RangeError(`${pointer} points at nothing in the request`)
  return { parent, key }
}

const owns = (value: unknown, key: string): value is Container =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)

const unescaped = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~')
