import { ARTIFACTS } from '../../fold/lifecycle/artifact.ts'
import type { ArtifactName } from '../../fold/lifecycle/artifact.ts'
import { isIdentifier } from '../../identifier.ts'

export const LOG_FILES = { masking: 'masking-log.md', summary: 'summarization-log.md' } as const

/** What a path of the memory tree stands for. */
export type MemoryPath =
  | { readonly file: 'document'; readonly name: ArtifactName }
  | { readonly file: 'log'; readonly log: keyof typeof LOG_FILES }
  | { readonly file: 'day'; readonly day: string }
  | { readonly file: 'extract'; readonly path: string }

/**
 * Reads a path of the tree, `extracts/<task>-turn-<turn>.md` and so on: exactly as we write it, or
 * null. Nothing else is a path, so none leads out of the tree.
 */
export function parseMemoryPath(path: string): MemoryPath | null {
  const document = ARTIFACTS.find((name) => name === path)
  if (document !== undefined) return { file: 'document', name: document }
  if (path === LOG_FILES.masking) return { file: 'log', log: 'masking' }
  if (path === LOG_FILES.summary) return { file: 'log', log: 'summary' }
  const day = DAY.exec(path)?.[1]
  if (day !== undefined) return isDay(day) ? { file: 'day', day } : null
  return isExtractPath(path) ? { file: 'extract', path } : null
}

export const dayPath = (day: string): string => `${day}.md`

function isExtractPath(path: string): boolean {
  if (path.length > MAX_PATH || !path.startsWith('extracts/') || !path.endsWith('.md')) return false
  const name = path.slice('extracts/'.length, -'.md'.length)
  const cut = name.lastIndexOf('-turn-')
  return cut > 0 && isIdentifier(name.slice(0, cut)) && PLACE.test(name.slice(cut + 6))
}

const isDay = (day: string): boolean => {
  const time = Date.parse(`${day}T00:00:00.000Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day)
}

const MAX_PATH = 128
const DAY = /^(\d{4}-\d{2}-\d{2})\.md$/
const PLACE = /^(?:0|[1-9]\d{0,9})(?:-[1-9]\d{0,9})?$/
