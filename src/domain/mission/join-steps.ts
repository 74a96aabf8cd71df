import { isOf } from './record.ts'
import type { Find, KindOf, StoredRecord } from './record.ts'
import type { Step } from './step.ts'

/** Two steps, one after the other, as one: the later state, and all that both write and tell. */
export const joinSteps = <State, Bodies>(
  first: Step<State, Bodies>,
  second: Step<State, Bodies>,
): Step<State, Bodies> => ({
  state: second.state,
  records: [...(first.records ?? []), ...(second.records ?? [])],
  outbox: [...(first.outbox ?? []), ...(second.outbox ?? [])],
  removed: [...(first.removed ?? []), ...(second.removed ?? [])],
  due: { ...first.due, ...second.due },
  told: [...(first.told ?? []), ...(second.told ?? [])],
  ...(second.expired === undefined ? {} : { expired: second.expired }),
})

/** A `find` that also sees what a step is about to write, in place of what is stored. */
export function findAfter<Bodies>(step: Step<unknown, Bodies>, find: Find<Bodies>): Find<Bodies> {
  const written = step.records ?? []
  if (written.length === 0) return find
  return <Kind extends KindOf<Bodies>>(kind: Kind, keys: readonly string[]) => {
    const wanted = new Set(keys)
    const fresh = new Map<string, StoredRecord<Bodies, Kind>>()
    for (const record of written)
      if (isOf(kind, record) && wanted.has(record.key))
        fresh.set(record.key, { ...record, seq: Number.MAX_SAFE_INTEGER })
    return [...find(kind, keys).filter(({ key }) => !fresh.has(key)), ...fresh.values()]
  }
}
