const SOURCE = Symbol('json source')

/** JSON that stands as it was written, so that numbers, escapes and order keep their spelling. */
export interface JsonSource {
  readonly [SOURCE]: string
}

export const jsonSource = (source: string): JsonSource => ({ [SOURCE]: source })

/** Serialises an answer; values of its own members may be `JsonSource`. */
export function renderJson(body: unknown): string {
  if (!isPlain(body)) return JSON.stringify(body)
  const members: string[] = []
  for (const [key, value] of Object.entries(body)) {
    const text = isSource(value) ? value[SOURCE] : JSON.stringify(value)
    if (text !== undefined) members.push(`${JSON.stringify(key)}:${text}`)
  }
  return `{${members.join(',')}}`
}

const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isSource = (value: unknown): value is JsonSource => isPlain(value) && SOURCE in value
