import { DurableObject } from 'cloudflare:workers'
import type { Failure } from '../../domain/failure.ts'
import { isoTime } from '../../domain/identifier.ts'
import type { Occurrence } from '../../domain/ledger/event.ts'
import type { MissionRecord, MissionRecords, RecordKind } from '../../domain/ledger/records.ts'
import type { MissionState } from '../../domain/ledger/state.ts'
import { transition } from '../../domain/ledger/transition.ts'
import type { Find, RecordWrite } from '../../domain/mission/record.ts'
import type { DueName } from '../../domain/mission/step.ts'
import type { Result } from '../../domain/result.ts'
import { ok } from '../../domain/result.ts'
import type {
  Logs,
  Lookup,
  Memex,
  Page,
  Report,
  Revocations,
  View,
  Watcher,
  Webhooks,
} from '../../ports.ts'
import { keepAlarm, setAlarm, watchAlarm } from './alarm.ts'
import { callWebhooks } from './call-webhooks.ts'
import type { Due, Next } from './due.ts'
import { ensureDue, findDue, postponeDue, putDue, readyDue, settleDue } from './due.ts'
import { eraseStores, eraseTables } from './erasure.ts'
import { createLiveSockets, WATCHER_HEADER } from './live-sockets.ts'
import type { LiveSockets } from './live-sockets.ts'
import { flushOutbox, outboxIsEmpty, putOutbox } from './outbox.ts'
import { expireRecords, findRecords, pageRecords, saveRecords, removeRecords } from './records.ts'
import type { PageRequest } from './records.ts'
import { bringUpTables, writtenIn } from './schema.ts'
import type { Written } from './schema.ts'
import { loadState, saveState } from './state-row.ts'

/** When the alarm flushes what the flush right after a change did not. */
const SAFETY_MS = 10_000

/** What a mission's object needs from outside. What is not bound is null. */
export interface MissionPorts {
  readonly memex: Memex | null
  readonly logs: Logs | null
  readonly revocations: Revocations | null
  readonly webhooks: Webhooks | null
  /** Unix milliseconds. */
  readonly now: () => number
  readonly report: (entry: Report) => void
}

interface Applied {
  readonly state: MissionState
  readonly events: readonly RecordWrite<MissionRecords, 'event'>[]
}

/**
 * The authority on one mission. It holds no rule: it loads, lets the pure transition decide, and
 * persists all of the change in one synchronous transaction; its one alarm does what is due.
 */
export class MissionObject extends DurableObject<Env> {
  readonly #ports: MissionPorts
  readonly #sql: SqlStorage
  readonly #sockets: LiveSockets
  #written: Written
  #flushing: Promise<void> | null = null

  constructor(ctx: DurableObjectState, env: Env, ports: MissionPorts) {
    super(ctx, env)
    this.#ports = ports
    this.#sql = ctx.storage.sql
    this.#sockets = createLiveSockets(ctx, () => ports.revocations, ports.now)
    this.#written = writtenIn(this.#sql)
    if (this.#written === 'known') ctx.storage.transactionSync(() => bringUpTables(this.#sql))
  }

  /** The state with the records asked for; null when nothing ever happened to the mission. */
  async read<Kind extends RecordKind>(
    lookups: readonly Lookup<Kind>[],
  ): Promise<View<Kind> | null> {
    if (!this.#hasTables()) return null
    const row = loadState(this.#sql)
    if (row === null) return null
    const view = { state: row.state, found: this.#found(lookups) }
    await watchAlarm(this.ctx.storage, this.#ports.now())
    return view
  }

  /** Applies an event once: a call whose id was applied before changes nothing. */
  async apply(occurrence: Occurrence, call: string): Promise<Result<MissionState, Failure>> {
    const applied = await this.applyAndRead(occurrence, call, [])
    return applied.ok ? ok(applied.value.state) : applied
  }

  /** `apply`, with the records asked for as they stand right after it. */
  async applyAndRead<Kind extends RecordKind>(
    occurrence: Occurrence,
    call: string,
    lookups: readonly Lookup<Kind>[],
  ): Promise<Result<View<Kind>, Failure>> {
    const applied = this.ctx.storage.transactionSync(() => this.#applied(occurrence, call))
    this.#written = 'known'
    if (!applied.ok) return applied
    const { events, state } = applied.value
    this.#sockets.tell(events)
    if (state.status === 'erased') this.#sockets.closeAll('mission erased')
    const view = { state, found: this.#found(lookups) }
    await setAlarm(this.ctx.storage, this.#ports.now())
    const due = findDue(this.#sql, 'outbox')
    // After a failure the alarm alone goes on, so that an outage is not hammered.
    if (due?.tries === 0) this.ctx.waitUntil(this.#flushNow(due))
    return ok(view)
  }

  async page<Kind extends RecordKind>(
    kind: Kind,
    request: PageRequest,
  ): Promise<Page<MissionRecord<Kind>>> {
    return this.#hasTables()
      ? pageRecords(this.#sql, kind, request)
      : { items: [], next_cursor: null }
  }

  /** A WebSocket can't be passed over RPC: the request of `watch` carries its watcher in a header. */
  override async fetch(request: Request): Promise<Response> {
    const watcher = JSON.parse(request.headers.get(WATCHER_HEADER) ?? '') as Watcher
    this.#refuseNewer()
    return this.#sockets.open(watcher)
  }

  override webSocketMessage(): void {
    // Readers have nothing to say; `ping` is answered without waking the object.
  }

  override webSocketClose(socket: WebSocket): void {
    socket.close()
  }

  override async alarm(): Promise<void> {
    if (this.#written === 'newer') return await keepAlarm(this.ctx.storage, this.#ports.now())
    if (!this.#hasTables()) return
    for (const due of readyDue(this.#sql, this.#ports.now())) await this.#run(due)
    await setAlarm(this.ctx.storage, this.#ports.now())
  }

  /** Whether there is anything to read; throws where this Worker may not. */
  #hasTables(): boolean {
    this.#refuseNewer()
    return this.#written === 'known'
  }

  /** Callers hear 503 and may try again: the Worker that wrote the mission is on its way, or back. */
  #refuseNewer(): void {
    if (this.#written === 'newer') throw new Error('the mission was written by a newer Worker')
  }

  /** Synchronous from the first read to the last write: nothing can come in between. */
  #applied(occurrence: Occurrence, call: string): Result<Applied, Failure> {
    if (!this.#hasTables()) bringUpTables(this.#sql)
    const stored = loadState(this.#sql)
    if (stored?.calls.includes(call) === true) return ok({ state: stored.state, events: [] })
    const find: Find<MissionRecords> = (kind, keys) => findRecords(this.#sql, kind, keys)
    const subscriptions = this.#ports.webhooks?.subscriptions(occurrence.tenant) ?? []
    const change = transition(stored?.state ?? null, occurrence, find, subscriptions)
    if (!change.ok) return change
    const { state, records, outbox, due, removed, expired } = change.value
    if (state !== stored?.state) saveState(this.#sql, state, [...(stored?.calls ?? []), call])
    saveRecords(this.#sql, records)
    removeRecords(this.#sql, removed)
    if (expired !== null) expireRecords(this.#sql, expired)
    putDue(this.#sql, due)
    if (state.status === 'erased') eraseTables(this.#sql)
    if (this.#ports.logs !== null && outbox.length > 0) {
      putOutbox(this.#sql, outbox)
      ensureDue(this.#sql, 'outbox', this.#ports.now() + SAFETY_MS)
    }
    return ok({ state, events: records.filter((record) => record.kind === 'event') })
  }

  async #flushNow(due: Due): Promise<void> {
    await this.#run(due)
    await setAlarm(this.ctx.storage, this.#ports.now())
  }

  #found<Kind extends RecordKind>(
    lookups: readonly Lookup<Kind>[],
  ): readonly MissionRecord<Kind>[] {
    return lookups.flatMap(({ kind, keys }) => findRecords(this.#sql, kind, keys))
  }

  readonly #jobs: Record<DueName, (due: Due) => Promise<Next>> = {
    outbox: async (due) => {
      await this.#flush(due.tries)
      return null
    },
    ttl: async () => {
      const state = loadState(this.#sql)?.state
      if (state === undefined || state.status === 'erased') return null
      const { tenant, mission } = state
      const at = isoTime(this.#ports.now())
      await this.apply({ tenant, mission, at, event: { type: 'erased' } }, `ttl ${at}`)
      return null
    },
    erase: async (due) => {
      const state = loadState(this.#sql)?.state
      if (state?.status !== 'erased') return null
      // Rows on their way to D1 arrive before they are erased there.
      await this.#flushing?.catch(() => undefined)
      return await eraseStores(state, this.#ports, due.step, this.#ports.now)
    },
    webhooks: async () => {
      const { now, webhooks } = this.#ports
      const state = loadState(this.#sql)?.state
      if (state === undefined || webhooks === null) return null
      return await callWebhooks(this.#sql, webhooks, state, now, async (key, tried) => {
        const event = { type: 'delivery_tried', key, ...tried } as const
        const { tenant, mission } = state
        await this.apply({ tenant, mission, at: isoTime(now()), event }, crypto.randomUUID())
      })
    },
  }

  /** One flush at a time: who comes while one runs waits for it, and it takes their rows along. */
  #flush(tries: number): Promise<void> {
    this.#flushing ??= this.#flushed(tries).finally(() => {
      this.#flushing = null
    })
    return this.#flushing
  }

  async #flushed(tries: number): Promise<void> {
    if (this.#ports.logs !== null)
      await flushOutbox(this.#sql, this.#ports.logs, tries, this.#ports.report)
  }

  async #run(due: Due): Promise<void> {
    try {
      settleDue(this.#sql, due, await this.#jobs[due.name](due))
    } catch (error) {
      postponeDue(this.#sql, due, this.#ports.now())
      const { name, tries } = due
      const entry = { event: 'mission_job_failed', job: name, tries, error: String(error) }
      this.#ports.report({ level: 'warn', ...entry })
    }
    // Rows may have come in after the flush saw none left.
    if (this.#ports.logs !== null && !outboxIsEmpty(this.#sql))
      ensureDue(this.#sql, 'outbox', this.#ports.now())
  }
}
