import { digestOfRef } from '../../domain/digest.ts'
import type { Ref, Sha256 } from '../../domain/digest.ts'
import type { Unstorable } from '../../domain/masking/plan/decision.ts'
import type { Planner } from '../../domain/masking/plan/plan.ts'
import { plannedExcerpts } from '../../domain/masking/plan/settle.ts'
import type { Plan, PlannedExcerpt } from '../../domain/masking/plan/settle.ts'
import type { Deps, Memex, Owner } from '../../ports.ts'
import { inParallel } from '../in-parallel.ts'
import { keepEvidence } from '../memex/keep-evidence.ts'

export interface Stored {
  /** The plan with nothing in it that is not stored. */
  readonly plan: Plan
  /** What this call put into the Memex that was not there before. */
  readonly created: readonly Sha256[]
}

/**
 * Puts all evidence of a plan into the Memex, verified, before anything may point at it. A store that
 * fails costs its own results only: the plan is made again without them, and what it then wants is
 * stored too.
 */
export async function storePlan(
  deps: StoreDeps,
  owner: Owner,
  planner: Planner,
  at: string,
): Promise<Stored> {
  const unstorable = new Map<string, Unstorable>()
  const created: Sha256[] = []
  const stored = new Set<Ref>()
  for (;;) {
    const plan = await planner(unstorable)
    const wanted = plannedExcerpts(plan).filter(({ ref }) => !stored.has(ref))
    if (deps.memex === null || wanted.length === 0) return { plan, created }
    const round = await storeExcerpts({ ...deps, memex: deps.memex }, owner, wanted, at)
    for (const [pointer, why] of round.failures) unstorable.set(pointer, why)
    for (const { ref } of wanted) stored.add(ref)
    created.push(...round.created)
    if (round.failures.size === 0) return { plan, created }
  }
}

type StoreDeps = Pick<Deps, 'memex' | 'loadSecrets' | 'report'>

async function storeExcerpts(
  deps: StoreDeps & { readonly memex: Memex },
  owner: Owner,
  excerpts: readonly PlannedExcerpt[],
  at: string,
) {
  const failures = new Map<string, Unstorable>()
  const created: Sha256[] = []
  await inParallel(excerpts, async (excerpt) => {
    const digest = digestOfRef(excerpt.ref)
    const [source = ''] = excerpt.pointers
    const meta = { kind: 'tool_output', source, tool: excerpt.tool, stored_at: at } as const
    const kept = await keepEvidence(deps, owner, { digest, bytes: excerpt.bytes, meta })
    if (!kept.ok) for (const pointer of excerpt.pointers) failures.set(pointer, kept.error)
    else if (kept.value === 'created') created.push(digest)
  })
  return { failures, created }
}
