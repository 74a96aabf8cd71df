import type { Ref } from '../../digest.ts'
import { locate, splice, type Edit } from '../../json/source.ts'
import { isMasked } from './decision.ts'
import type { Decision, Mask } from './decision.ts'
import type { Plan } from './settle.ts'

/** One change for a client's own objects: set the value at `pointer`. */
export interface MaskEdit {
  /** Relative to the request root. */
  readonly pointer: string
  readonly call_id: string
  readonly placeholder: string
  readonly ref: Ref | null
  /** What to set there, where the format wants a structure around the placeholder. */
  readonly value?: unknown
}

export interface Applied {
  readonly source: string
  readonly edits: readonly MaskEdit[]
}

/**
 * The source with every masked result replaced by its placeholder; all other characters stay.
 * `root` is the pointer of the request inside the source. Needs a plan whose excerpts are stored.
 */
export function applyPlan(source: string, root: string, plan: Plan): Applied {
  const masked = plan.decisions.flatMap((decision) =>
    isMasked(decision) && decision.mask !== null ? [{ decision, mask: decision.mask }] : [],
  )
  const spans = locate(
    source,
    masked.map(({ mask }) => root + mask.target.pointer),
  )
  const changes = masked.map(({ mask }): Edit => {
    const span = spans.get(root + mask.target.pointer)
    if (span === undefined) throw new Error('the plan is of another source')
    return { span, text: jsonOf(mask) }
  })
  return {
    source: splice(source, changes),
    edits: masked.map(({ decision, mask }) => editOf(decision, mask)),
  }
}

const jsonOf = ({ placeholder, target }: Mask): string =>
  target.before + JSON.stringify(placeholder) + target.after

function editOf({ call_id }: Decision, mask: Mask): MaskEdit {
  const { placeholder, ref, target } = mask
  const edit = { pointer: target.pointer, call_id, placeholder, ref }
  return target.before === '' ? edit : { ...edit, value: JSON.parse(jsonOf(mask)) as unknown }
}
