import { utf8 } from '../../src/domain/bytes.ts'
import type { Failure } from '../../src/domain/failure.ts'
import { resolvePointer } from '../../src/domain/json/pointer.ts'
import type { MaskRecord } from '../../src/domain/masking/masks/mask-record.ts'
import { recognise } from '../../src/domain/masking/masks/recognise.ts'
import { charactersOf } from '../../src/domain/masking/masks/result-length.ts'
import { applyUnmask, planUnmask, type Content } from '../../src/domain/masking/masks/unmask.ts'
import { applyPlan, type Applied } from '../../src/domain/masking/plan/apply.ts'
import type { Unstorable } from '../../src/domain/masking/plan/decision.ts'
import type { PlanInput } from '../../src/domain/masking/plan/input.ts'
import { jsonSources } from '../../src/domain/masking/plan/masker.ts'
import { createPlanner } from '../../src/domain/masking/plan/plan.ts'
import { maskRecords, plannedExcerpts, type Plan } from '../../src/domain/masking/plan/settle.ts'
import { resolvePolicy } from '../../src/domain/masking/policy.ts'
import { type PolicyInput } from '../../src/domain/mission/policy.ts'
import type { Result } from '../../src/domain/result.ts'
import type { CountTokens } from '../../src/domain/tokens.ts'
import { countPieces, type CountedRequest } from '../../src/domain/transcript/count.ts'
import { detectFormat } from '../../src/domain/transcript/detect.ts'
import type { Lens, Reading, ToolResult } from '../../src/domain/transcript/lens.ts'

/** A count that tests can follow: one token for each 4 UTF-8 bytes begun. */
export const quarters: CountTokens = (text) => Math.ceil(utf8(text.toWellFormed()).length / 4)

export const always: PolicyInput = { trigger: { type: 'always' } }

/** A mission's memory in a test: what was stored, and what was masked. */
export interface Memory {
  readonly excerpts: Map<string, Content>
  readonly records: MaskRecord[]
}

export const emptyMemory = (): Memory => ({ excerpts: new Map(), records: [] })

export interface Look {
  readonly lens: Lens
  readonly reading: Reading
  readonly results: readonly ToolResult[]
  readonly counted: CountedRequest
}

export const value = <T>(result: Result<T, Failure>): T => {
  if (!result.ok) throw new Error(JSON.stringify(result.error))
  return result.value
}

/** What the request inside a source looks like to its lens. */
export function look(source: string, root = '', count = quarters, format?: string): Look {
  const request = resolvePointer(JSON.parse(source), root)
  const lens = value(detectFormat(request, format))
  const reading = value(lens.read(request))
  const counted = countPieces(reading.pieces, count)
  return { lens, reading, results: reading.results, counted }
}

export interface MaskOptions extends Partial<
  Pick<PlanInput, 'count' | 'meter' | 'ratio' | 'storage' | 'pinned' | 'extracts' | 'calls'>
> {
  readonly policy?: PolicyInput
  readonly root?: string
  readonly memory?: Memory
  readonly format?: string
  readonly unstorable?: ReadonlyMap<string, Unstorable>
}

/** Plan, store, apply, remember: what the operation does, on a memory in place of the platform. */
export async function mask(
  source: string,
  options: MaskOptions = {},
): Promise<Applied & { plan: Plan; memory: Memory; look: Look }> {
  const {
    root = '',
    memory = emptyMemory(),
    policy = always,
    format,
    unstorable,
    ...rest
  } = options
  const seen = look(source, root, options.count, format)
  const planner = createPlanner({
    results: seen.results,
    policy: resolvePolicy(policy),
    counted: seen.counted,
    count: quarters,
    meter: { percent: null, window_tokens: null },
    ratio: 1,
    recognised: recognise(seen.results, memory.records),
    storage: 'memex',
    sources: jsonSources(source, root, seen.results),
    ...rest,
  })
  const plan = await planner(unstorable ?? new Map())
  for (const excerpt of plannedExcerpts(plan)) memory.excerpts.set(excerpt.ref, excerpt.bytes)
  memory.records.push(...maskRecords(plan, charactersOf(seen.reading)))
  return { ...applyPlan(source, root, plan), plan, memory, look: seen }
}

/** Restores all that the memory knows, or the named refs. */
export function unmask(source: string, memory: Memory, root = '', refs?: ReadonlySet<string>) {
  const { results } = look(source, root)
  const plan = planUnmask(results, recognise(results, memory.records), refs)
  return applyUnmask(source, root, plan, memory.excerpts)
}

export const decisionsOf = (plan: Plan): string[] =>
  plan.decisions.map((decision) => decision.decision)
