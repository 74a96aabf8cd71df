import type { Bytes } from '../../src/domain/bytes.ts'
import { formatCursor, parseCursor } from '../../src/domain/cursor.ts'
import type { CursorKey } from '../../src/domain/cursor.ts'
import { sha256 as digestOf } from '../../src/domain/digest.ts'
import { subscriptionsOf } from '../../src/domain/hooks/endpoint.ts'
import type { Endpoint } from '../../src/domain/hooks/endpoint.ts'
import { isoTime } from '../../src/domain/identifier.ts'
import type { Occurrence } from '../../src/domain/ledger/event.ts'
import type { MissionRecord, MissionRecords, RecordKind } from '../../src/domain/ledger/records.ts'
import type { MissionState } from '../../src/domain/ledger/state.ts'
import { transition } from '../../src/domain/ledger/transition.ts'
import type { LogRow, MaskingRow } from '../../src/domain/log/row.ts'
import { isOf } from '../../src/domain/mission/record.ts'
import type { Find } from '../../src/domain/mission/record.ts'
import type {
  ExcerptCache,
  Logs,
  Memex,
  Missions,
  Owner,
  Page,
  Revocations,
  StoredExcerpt,
} from '../../src/ports.ts'

const nameOf = ({ tenant, mission }: Owner): string => `${tenant}/${mission}`

/** The Memex in memory. */
export function createMemoryMemex(): Memex {
  const missions = new Map<string, Map<string, StoredExcerpt & { readonly bytes: Bytes }>>()
  const excerptsOf = (owner: Owner) => {
    const excerpts = missions.get(nameOf(owner)) ?? new Map<string, never>()
    missions.set(nameOf(owner), excerpts)
    return excerpts
  }
  return {
    put: async (owner, sha256, bytes, meta) => {
      if ((await digestOf(bytes)) !== sha256) throw new Error('the bytes have another digest')
      const excerpts = excerptsOf(owner)
      if (excerpts.has(sha256)) return 'exists'
      excerpts.set(sha256, { ...meta, sha256, size: bytes.length, bytes: bytes.slice() })
      return 'created'
    },
    get: async (owner, sha256) => {
      const found = excerptsOf(owner).get(sha256)
      return found === undefined ? null : { ...found, bytes: found.bytes.slice() }
    },
    head: async (owner, sha256) => {
      const found = excerptsOf(owner).get(sha256)
      return found === undefined ? null : withoutBytes(found)
    },
    list: async (owner, page) => {
      const all = [...excerptsOf(owner).values()].map(withoutBytes)
      return pageOf(all, (excerpt) => [excerpt.sha256], page)
    },
    remove: async (owner, sha256) => void excerptsOf(owner).delete(sha256),
    erase: async (owner) => {
      missions.delete(nameOf(owner))
      return true
    },
  }
}

const withoutBytes = ({
  bytes: _,
  ...excerpt
}: StoredExcerpt & { readonly bytes: Bytes }): StoredExcerpt => excerpt

/** Revoked tokens in memory; as fresh as can be. */
export function createMemoryRevocations(): Revocations {
  const revoked = new Set<string>()
  return {
    revoke: async (tenant, jti) => void revoked.add(`${tenant}/${jti}`),
    anyRevoked: async (tenant, jtis) => jtis.some((jti) => revoked.has(`${tenant}/${jti}`)),
  }
}

/** An excerpt cache in memory that forgets nothing. */
export function createMemoryExcerptCache(): ExcerptCache {
  const copies = new Map<string, Bytes>()
  return {
    get: async (owner, sha256) => copies.get(`${nameOf(owner)}/${sha256}`)?.slice() ?? null,
    put: async (owner, sha256, bytes) =>
      void copies.set(`${nameOf(owner)}/${sha256}`, bytes.slice()),
  }
}

/** The logs across missions in memory. */
export function createMemoryLogs(): Logs {
  const rows = new Map<string, LogRow>()
  const of = <Table extends LogRow['table']>(table: Table, tenant: string) =>
    [...rows.values()].filter(
      (row): row is LogRow & { table: Table } => row.table === table && row.tenant === tenant,
    )
  return {
    write: async (written) => {
      for (const row of written) {
        const key = [row.table, nameOf(row), row.table === 'missions' ? '' : row.id].join(' ')
        const stored = rows.get(key)
        rows.set(key, stored === undefined ? row : merged(stored, row))
      }
    },
    missions: async (tenant, { status, q = '', mission, ...page }) => {
      const found = of('missions', tenant)
        .filter((row) => status === undefined || row.status === status)
        .filter((row) => mission === undefined || row.mission === mission)
        .filter((row) => row.mission.includes(q))
      return pageOf(found, (row) => [row.created_at, row.mission], { ...page, reverse: true })
    },
    masking: async (tenant, { tool, since = '', mission, ...page }) => {
      const found = of('masking', tenant)
        .filter((row) => tool === undefined || row.items.some((item) => item.tool === tool))
        .filter((row) => mission === undefined || row.mission === mission)
        .filter((row) => row.at >= since)
      return pageOf(found, (row) => [row.at, row.mission, row.id], { ...page, reverse: true })
    },
    folds: async (tenant, { mission, measured = false, limit }) => {
      const newestFirst = { limit, reverse: true }
      const found = of('folds', tenant)
        .filter((row) => mission === undefined || row.mission === mission)
        .filter((row) => !measured || row.fold_ratio !== null)
      return pageOf(found, (row) => [row.at, row.mission, row.id], newestFirst).items
    },
    erase: async (owner) => {
      for (const [key, row] of rows) if (nameOf(row) === nameOf(owner)) rows.delete(key)
    },
  }
}

function merged(stored: LogRow, row: LogRow): LogRow {
  if (stored.table === 'missions' && row.table === 'missions')
    return row.version > stored.version ? row : stored
  if (stored.table === 'masking' && row.table === 'masking') return withItems(stored, row)
  if (stored.table === 'folds') return stored.fold_ratio === null ? row : stored
  return row.table === 'escalations' ? row : stored
}

const withItems = (stored: MaskingRow, row: MaskingRow): MaskingRow => {
  const known = new Set(stored.items.map(({ pointer }) => pointer))
  return { ...stored, items: [...stored.items, ...row.items.filter((i) => !known.has(i.pointer))] }
}

interface Stores {
  /** Whom the missions' events go to: deliveries are kept, nobody sends them. */
  readonly endpoints?: readonly Endpoint[]
  readonly memex: Memex | null
  readonly logs: Logs | null
  /** Unix ms: a mission past its TTL is erased when it is next looked at. */
  readonly now: () => number
}

interface Mission {
  state: MissionState
  /** By kind and key, in the order of their first write. */
  records: Map<string, MissionRecord>
  outbox: readonly LogRow[]
  ttl: number | null
}

/** The missions' objects in memory: the real transition; rows that the logs refuse wait in an outbox. */
export function createMemoryMissions({ endpoints = [], memex, logs, now }: Stores): Missions {
  const missions = new Map<string, Mission>()
  let seq = 0

  const apply = async (occurrence: Occurrence): ReturnType<Missions['apply']> => {
    const mission = missions.get(nameOf(occurrence))
    const change = transition(
      mission?.state ?? null,
      structuredClone(occurrence),
      findIn(mission),
      subscriptionsOf(endpoints, occurrence.tenant),
    )
    if (!change.ok) return change
    const { state, records, removed, outbox, due } = change.value
    const next: Mission = mission ?? { state, records: new Map(), outbox: [], ttl: null }
    next.state = state
    if (due.ttl !== undefined) next.ttl = due.ttl
    for (const record of structuredClone(records)) {
      const key = recordKey(record.kind, record.key)
      next.records.set(key, { ...record, seq: next.records.get(key)?.seq ?? ++seq })
    }
    for (const { kind, key } of removed) next.records.delete(`${kind} ${key}`)
    missions.set(nameOf(occurrence), next)
    if (logs !== null) next.outbox = [...next.outbox, ...outbox]
    await flush(next)
    if (state.status === 'erased') await erase(occurrence, next)
    return { ok: true, value: structuredClone(state) }
  }

  const flush = async (mission: Mission): Promise<void> => {
    const sent = mission.outbox
    try {
      await logs?.write(sent)
      mission.outbox = mission.outbox.slice(sent.length)
    } catch {
      // They wait for the next change.
    }
  }

  const erase = async (owner: Owner, mission: Mission): Promise<void> => {
    mission.records.clear()
    mission.outbox = []
    while (memex !== null && !(await memex.erase(owner))) continue
    await logs?.erase(owner)
  }

  const alive = async (owner: Owner): Promise<Mission | undefined> => {
    const mission = missions.get(nameOf(owner))
    if (mission !== undefined && mission.ttl !== null && mission.ttl <= now())
      await apply({ ...owner, at: isoTime(now()), event: { type: 'erased' } })
    return mission
  }

  return {
    read: async (owner, lookups = []) => {
      const mission = await alive(owner)
      if (mission === undefined) return null
      const found = lookups.flatMap(({ kind, keys }) => findIn(mission)(kind, keys))
      return structuredClone({ state: mission.state, found })
    },
    apply: async (occurrence) => {
      await alive(occurrence)
      return await apply(occurrence)
    },
    applyAndRead: async (occurrence, lookups) => {
      await alive(occurrence)
      const applied = await apply(occurrence)
      if (!applied.ok) return applied
      const find = findIn(missions.get(nameOf(occurrence)))
      const found = structuredClone(lookups.flatMap(({ kind, keys }) => find(kind, keys)))
      return { ok: true, value: { state: applied.value, found } }
    },
    watch: () => Promise.reject(new Error('this runtime has no WebSocketPair')),
    page: async (owner, kind, page) => {
      const records = [...((await alive(owner))?.records.values() ?? [])].filter((record) =>
        isOf(kind, record),
      )
      return structuredClone(pageOf(records, (record) => [record.seq], page))
    },
  }
}

const findIn =
  (mission: Mission | undefined): Find<MissionRecords> =>
  (kind, keys) =>
    [...new Set(keys)]
      .flatMap((key) => {
        const record = mission?.records.get(recordKey(kind, key))
        return record !== undefined && isOf(kind, record) ? [record] : []
      })
      .sort((a, b) => a.seq - b.seq)

const recordKey = (kind: RecordKind, key: string): string => `${kind} ${key}`

interface PageRequest {
  readonly cursor?: string | undefined
  readonly limit: number
  readonly reverse?: boolean | undefined
}

function pageOf<T>(
  all: readonly T[],
  keyOf: (item: T) => CursorKey,
  { cursor, limit, reverse = false }: PageRequest,
): Page<T> {
  const sign = reverse ? -1 : 1
  const after = cursor === undefined ? undefined : parseCursor(cursor)
  if (after === null || (after !== undefined && !alike(after, all, keyOf))) return NOTHING
  const rest = all
    .filter((item) => after === undefined || sign * compare(keyOf(item), after) > 0)
    .sort((a, b) => sign * compare(keyOf(a), keyOf(b)))
  const items = rest.slice(0, limit)
  const last = items.at(-1)
  return {
    items,
    next_cursor: rest.length > limit && last !== undefined ? formatCursor(keyOf(last)) : null,
  }
}

const NOTHING = { items: [], next_cursor: null }

// Whether a cursor is of this list: as many parts, of the same types.
function alike<T>(key: CursorKey, all: readonly T[], keyOf: (item: T) => CursorKey): boolean {
  const [first] = all
  if (first === undefined) return false
  const other = keyOf(first)
  return key.length === other.length && key.every((part, i) => typeof part === typeof other[i])
}

function compare(a: CursorKey, b: CursorKey): number {
  for (const [i, part] of a.entries()) {
    const other = b[i]
    if (other === undefined || part === other) continue
    return part < other ? -1 : 1
  }
  return 0
}
