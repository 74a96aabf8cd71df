import type { Ref } from '../../digest.ts'
import { failure } from '../../failure.ts'
import type { Failure } from '../../failure.ts'
import { oneLine, plainLine } from '../text/one-line.ts'

/** The key facts of one large tool output (seed step 1): they stay when the output is masked. */
export interface Extract {
  readonly task: string
  readonly turn: number
  readonly call_id: string
  readonly tool: string
  readonly bullets: readonly string[]
  /** The raw output in the Memex, where it was stored. */
  readonly ref: Ref | null
  readonly at: string
}

export const BULLETS = { least: 3, most: 5 } as const

/** `bullets_out_of_range` unless 3 to 5 bullets say something; a blank one says nothing. */
export function refusedBullets(bullets: readonly string[]): Failure | null {
  const count = bullets.filter((bullet) => oneLine(bullet) !== '').length
  if (count === bullets.length && count >= BULLETS.least && count <= BULLETS.most) return null
  const blank = bullets.length - count
  const detail = `${count} bullets${blank === 0 ? '' : `, and ${blank} blank`}`
  return failure('bullets_out_of_range', { detail, errors: [{ pointer: '/bullets', detail }] })
}

/**
 * Where an extract stands in the memory: `extracts/<task>-turn-<turn>.md`, and `-2`, `-3` for the
 * parallel calls of one turn (`place`, from 1). No two (task, turn, place) share a path, since the
 * last `-turn-` of a name is always ours.
 */
export const extractPath = (task: string, turn: number, place: number): string =>
  `extracts/${task}-turn-${turn}${place === 1 ? '' : `-${place}`}.md`

/** An id as it is, if it is like any provider's; what could end it or be read as a ref is encoded. */
const encodedId = (id: string): string =>
  encodeURIComponent(id.toWellFormed()).replaceAll(/%(?:3A|7C|3D|2B|40)/g, decodeURIComponent)

/** The file: a heading, one line with time, tool, call and raw bytes, and the bullets. */
export function renderExtract(extract: Extract): string {
  const { at, bullets, ref, task, tool, turn } = extract
  const call = extract.call_id === '' ? '' : `, call ${encodedId(extract.call_id)}`
  const raw = ref === null ? '' : `, raw at ${ref}`
  return [
    `# ${task}, turn ${turn}`,
    '',
    `[${at}] ${tool}${call}${raw}`,
    '',
    ...bullets.map((bullet) => `- ${plainLine(bullet)}`),
    '',
  ].join('\n')
}
