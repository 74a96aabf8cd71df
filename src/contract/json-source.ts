const SOURCE = Symbol('json source')

/** JSON that stands as it was written, so that numbers, escapes and order keep their spelling. */
interface JsonSource {
  readonly [SOURCE]: string
}

export const jsonSource = (source: string): JsonSource => ({ [SOURCE]: source })

/** Serialises an answer; members of its own, and of the objects in its lists, may be `JsonSource`. */
export function renderJson(body: unknown): string {
  if (!isPlain(body)) return JSON.stringify(body)
  const members: string[] = []
  for (const [key, value] of Object.entries(body)) {
    const text = isSource(value) ? value[SOURCE] : renderMember(value)
    if (text !== undefined) members.push(`${JSON.stringify(key)}:${text}`)
  }
  return `{${members.join(',')}}`
}

const renderMember = (value: unknown): string | undefined =>
  Array.isArray(value) && value.some(holdsSource)
    ? `[${value.map(renderJson).join(',')}]`
    : JSON.stringify(value)

const holdsSource = (item: unknown): boolean => isPlain(item) && Object.values(item).some(isSource)

const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isSource = (value: unknown): value is JsonSource => isPlain(value) && SOURCE in value
