import type { Find, StoredRecord } from './record.ts'
import type { Step } from './step.ts'

/** Two steps, one after the other, as one: the later state, and all that both write and tell. */
export const joinSteps = <State>(first: Step<State>, second: Step<State>): Step<State> => ({
  state: second.state,
  records: [...(first.records ?? []), ...(second.records ?? [])],
  outbox: [...(first.outbox ?? []), ...(second.outbox ?? [])],
  removed: [...(first.removed ?? []), ...(second.removed ?? [])],
  due: { ...first.due, ...second.due },
  told: [...(first.told ?? []), ...(second.told ?? [])],
  ...(second.expired === undefined ? {} : { expired: second.expired }),
})

/** Finds what a step is about to write before what is stored. */
export function findAfter(step: Step<unknown>, find: Find): Find {
  const written = step.records ?? []
  if (written.length === 0) return find
  return (kind, keys) => {
    const wanted = new Set(keys)
    const fresh = new Map<string, StoredRecord>()
    for (const record of written)
      if (record.kind === kind && wanted.has(record.key))
        fresh.set(record.key, { ...record, seq: Number.MAX_SAFE_INTEGER })
    return [...find(kind, keys).filter(({ key }) => !fresh.has(key)), ...fresh.values()]
  }
}
