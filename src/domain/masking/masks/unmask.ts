import { utf8Text, type Bytes } from '../../bytes.ts'
import type { Ref } from '../../digest.ts'
import { locate, splice, type Edit } from '../../json/source.ts'
import type { ToolResult } from '../../transcript/lens.ts'
import { placeholderOf, type Recognised } from './recognise.ts'

export type NotRestoredReason =
  | 'no_ref'
  | 'not_masked_here'
  | 'excerpt_missing'
  | 'excerpt_corrupt'
  | 'not_requested'

export interface NotRestored {
  readonly pointer: string
  readonly reason: NotRestoredReason
}

export interface Restoration {
  /** The masked result. */
  readonly pointer: string
  /** The value that is replaced: the text, or the whole value that was stored as JSON. */
  readonly target: string
  readonly call_id: string
  readonly turn: number
  readonly ref: Ref
  readonly form: 'text' | 'json'
  /** The format takes a text or a list of blocks there, and no other JSON. */
  readonly textual: boolean
}

export interface UnmaskPlan {
  readonly restore: readonly Restoration[]
  readonly not_restored: readonly NotRestored[]
}

export interface Unmasked {
  readonly source: string
  readonly edits: readonly RestoreEdit[]
  readonly not_restored: readonly NotRestored[]
}

/** One change for a client's own objects: set the value at `pointer` (relative to the request). */
export interface RestoreEdit {
  readonly pointer: string
  readonly call_id: string
  readonly turn: number
  readonly ref: Ref
  /** The JSON of the value, spelled as it was stored. */
  readonly json: string
}

/** What an excerpt read gave: verified bytes, or why there are none. */
export type Content = Bytes | 'missing' | 'corrupt'

/** Which results go back: all that this mission masked, or those with the named refs. */
export function planUnmask(
  results: readonly ToolResult[],
  recognised: Recognised,
  refs?: ReadonlySet<string>,
): UnmaskPlan {
  const restore: Restoration[] = []
  const not_restored: NotRestored[] = []
  for (const result of results) {
    const { pointer, call_id, turn } = result
    const record = recognised.get(pointer)
    if (record === undefined) {
      if (placeholderOf(result) !== null) not_restored.push({ pointer, reason: 'not_masked_here' })
    } else if (record.ref === null) not_restored.push({ pointer, reason: 'no_ref' })
    else if (refs !== undefined && !refs.has(record.ref))
      not_restored.push({ pointer, reason: 'not_requested' })
    else {
      const target = record.form === 'text' ? pointer : result.whole.pointer
      const { form, ref } = record
      const textual = form === 'json' && !result.whole.json
      restore.push({ pointer, target, call_id, turn, ref, form, textual })
    }
  }
  return { restore, not_restored }
}

/** The source with every result of the plan as it was; `root` as in `applyPlan`. */
export function applyUnmask(
  source: string,
  root: string,
  plan: UnmaskPlan,
  contents: ReadonlyMap<string, Content>,
): Unmasked {
  const spans = locate(
    source,
    plan.restore.map(({ target }) => root + target),
  )
  const changes: Edit[] = []
  const edits: RestoreEdit[] = []
  const not_restored = [...plan.not_restored]
  for (const { pointer, target, call_id, turn, ref, form, textual } of plan.restore) {
    const content = contents.get(ref) ?? 'missing'
    if (content === 'missing') {
      not_restored.push({ pointer, reason: 'excerpt_missing' })
      continue
    }
    const json = content === 'corrupt' ? null : sourceOf(content, form, textual)
    const span = spans.get(root + target)
    if (span === undefined) throw new Error('the plan is of another source')
    if (json === null) not_restored.push({ pointer, reason: 'excerpt_corrupt' })
    else {
      changes.push({ span, text: json })
      edits.push({ pointer: target, call_id, turn, ref, json })
    }
  }
  return { source: splice(source, changes), edits, not_restored }
}

/** The JSON that stood there: stored JSON goes back as it was spelled. */
function sourceOf(bytes: Bytes, form: 'text' | 'json', textual: boolean): string | null {
  const text = utf8Text(bytes)
  if (text === null) return null
  if (form === 'text') return JSON.stringify(text)
  try {
    const value: unknown = JSON.parse(text)
    // An observed output that was an object: its caller's messages hold it as a text.
    return textual && !Array.isArray(value) && typeof value !== 'string'
      ? JSON.stringify(text)
      : text
  } catch {
    return null
  }
}
