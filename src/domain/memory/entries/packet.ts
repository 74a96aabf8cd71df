import { parseRef } from '../../digest.ts'
import type { Ref } from '../../digest.ts'
import type { MissionSettings } from '../../mission/settings.ts'

/** What a parent asks of a fresh-context agent (seed step 8). */
interface DelegationRequest {
  readonly objective: string
  /** File names, paths, memory files of the parent and `memex://` refs. */
  readonly paths: readonly string[]
  readonly success_criteria: string
  /** The child's own budget (seed step 9). */
  readonly window_tokens: number
}

/** All that a child is told: nothing of the parent's context, settings or history. */
export interface Packet extends DelegationRequest {
  /** The parent's last breadcrumb: its file in the parent's memory, and its text. */
  readonly breadcrumb: { readonly path: string; readonly text: string } | null
  /** What was copied into the child's Memex: its token reads these, and no other of the parent. */
  readonly excerpts: readonly Ref[]
}

/** The excerpts that paths name outright, once each. */
export const refsIn = (paths: readonly string[]): readonly Ref[] =>
  [...new Set(paths)].filter((path): path is Ref => parseRef(path) !== null)

/** The settings of a child mission: its task and its budget, and whose child it is. */
export const childSettings = (parent: string, request: DelegationRequest): MissionSettings => ({
  parent,
  objective: request.objective,
  success_criteria: request.success_criteria,
  window_tokens: request.window_tokens,
})

const LINEAGE = 40

/** A child's id tells whose it is, as far as 64 characters hold it; `unique` makes it one of a kind. */
export const childId = (parent: string, unique: string): string =>
  `${parent.slice(0, LINEAGE)}.${unique}`
