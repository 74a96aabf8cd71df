import type { Find, RecordWrite } from '../mission/record.ts'
import { callMaskKey, identityOf, maskKey, ownMaskKey } from './masks/mask-record.ts'
import type { MaskRecord } from './masks/mask-record.ts'
import type { MaskingRecords } from './records.ts'

/**
 * The records of new masks: all of one key stand together, and an index says which keys a ref is
 * under. A mask that was lifted stands again, with the placeholder that it had.
 */
export function recordMasks(
  masks: readonly MaskRecord[],
  at: string,
  find: Find<MaskingRecords>,
): readonly RecordWrite<MaskingRecords>[] {
  const groups = groupsOf(new Set(masks.map(maskKey)), find)
  const refs = new Map<string, Set<string>>()
  for (const mask of masks) {
    const key = maskKey(mask)
    const group = groups.get(key)
    const place = placeOf(mask)
    const known = group?.get(place)
    const answered = known?.refused === undefined && known?.ref === mask.ref
    const placeholder = answered ? known.placeholder : mask.placeholder
    group?.set(place, { ...mask, placeholder, at: known?.at ?? at })
    if (mask.ref !== null && mask.refused === undefined) addRef(refs, mask.ref, key)
  }
  const spilled = [...groups].flatMap(([key, group]) => spill(key, group, refs, find))
  return [
    ...groupRecords(groups, at),
    ...groupRecords(new Map(spilled), at),
    ...refRecords(refs, at, find),
  ]
}

/** A row stays small, also where a client gives all its calls one id: the oldest get keys of their own. */
const MOST_TOGETHER = 64

function spill(
  key: string,
  group: Map<string, MaskRecord>,
  refs: Map<string, Set<string>>,
  find: Find<MaskingRecords>,
): readonly (readonly [string, Map<string, MaskRecord>])[] {
  const oldest = [...group].slice(0, Math.max(0, group.size - MOST_TOGETHER))
  const moved = oldest.filter(([, mask]) => ownMaskKey(mask) !== key)
  const groups = groupsOf(new Set(moved.map(([, mask]) => ownMaskKey(mask))), find)
  for (const [place, mask] of moved) {
    group.delete(place)
    groups.get(ownMaskKey(mask))?.set(place, mask)
    if (mask.ref !== null) addRef(refs, mask.ref, ownMaskKey(mask))
  }
  return [...groups]
}

const addRef = (refs: Map<string, Set<string>>, ref: string, key: string): void => {
  refs.set(ref, (refs.get(ref) ?? new Set()).add(key))
}

/** What an unmask names: results by call id and ref, all of a call, or all of an excerpt. */
export interface Lift {
  readonly call_id?: string | undefined
  readonly ref?: string | undefined
}

/** The masks that an unmask names, and their records once those are lifted. */
export function liftMasks(
  lifts: readonly Lift[],
  at: string,
  find: Find<MaskingRecords>,
): {
  readonly lifted: readonly MaskRecord[]
  readonly records: readonly RecordWrite<MaskingRecords>[]
} {
  const wanted = new Set(lifts.map(({ call_id = null, ref = null }) => liftKey(call_id, ref)))
  const isWanted = ({ call_id, ref }: MaskRecord): boolean =>
    wanted.has(liftKey(call_id, ref)) ||
    wanted.has(liftKey(call_id, null)) ||
    wanted.has(liftKey(null, ref))
  const lifted: MaskRecord[] = []
  const changed = new Map<string, Map<string, MaskRecord>>()
  for (const [key, group] of groupsOf(keysOf(lifts, find), find))
    for (const [place, mask] of group) {
      if (mask.lifted === true || mask.refused !== undefined || !isWanted(mask)) continue
      lifted.push(mask)
      group.set(place, { ...mask, lifted: true })
      changed.set(key, group)
    }
  return { lifted, records: groupRecords(changed, at) }
}

const liftKey = (call_id: string | null, ref: string | null): string =>
  JSON.stringify([call_id, ref])

/** A call id is a key by itself; what has none is found by its ref. */
function keysOf(lifts: readonly Lift[], find: Find<MaskingRecords>): ReadonlySet<string> {
  const keys = new Set<string>()
  const refs: string[] = []
  for (const { call_id = '', ref } of lifts) {
    if (call_id !== '') keys.add(callMaskKey(call_id))
    // Masks of a call id that is used over and over have moved out of its row.
    if (ref !== undefined) refs.push(ref)
  }
  for (const { body } of find('mask_ref', refs)) for (const key of body) keys.add(key)
  return keys
}

const placeOf = (mask: MaskRecord): string => `${identityOf(mask)} ${mask.occurrence}`

function groupsOf(
  keys: ReadonlySet<string>,
  find: Find<MaskingRecords>,
): Map<string, Map<string, MaskRecord>> {
  const groups = new Map([...keys].map((key) => [key, new Map<string, MaskRecord>()]))
  for (const { body, key } of find('mask', [...keys]))
    for (const mask of body) groups.get(key)?.set(placeOf(mask), mask)
  return groups
}

const groupRecords = (
  groups: ReadonlyMap<string, ReadonlyMap<string, MaskRecord>>,
  at: string,
): readonly RecordWrite<MaskingRecords>[] =>
  [...groups].map(([key, group]) => ({ kind: 'mask', key, at, body: [...group.values()] }))

function refRecords(
  refs: ReadonlyMap<string, ReadonlySet<string>>,
  at: string,
  find: Find<MaskingRecords>,
): readonly RecordWrite<MaskingRecords>[] {
  const known = new Map(find('mask_ref', [...refs.keys()]).map(({ body, key }) => [key, body]))
  return [...refs].flatMap(([key, keys]) => {
    const before = known.get(key) ?? []
    const body = [...new Set([...before, ...keys])]
    return body.length === before.length ? [] : [{ kind: 'mask_ref' as const, key, at, body }]
  })
}
