import type { Claims } from './domain/access/claims.ts'
import type { Bytes } from './domain/bytes.ts'
import type { Sha256 } from './domain/digest.ts'
import type { Failure } from './domain/failure.ts'
import type { Attempt, Delivery } from './domain/hooks/delivery.ts'
import type { Endpoint, Subscription } from './domain/hooks/endpoint.ts'
import type { Occurrence } from './domain/ledger/event.ts'
import type { MissionRecord, RecordKind } from './domain/ledger/records.ts'
import type { MissionState } from './domain/ledger/state.ts'
import type { LogRow } from './domain/log/row.ts'
import type { ExcerptMeta } from './domain/memex/excerpt.ts'
import type { Result } from './domain/result.ts'
import type { ScanSecrets } from './domain/secrets/finding.ts'
import type { CountTokens } from './domain/tokens.ts'

/** Whose a thing is. Every key in every store begins with it. */
export interface Owner {
  readonly tenant: string
  readonly mission: string
}

export interface Page<T> {
  readonly items: readonly T[]
  readonly next_cursor: string | null
}

export interface StoredExcerpt extends ExcerptMeta {
  readonly sha256: Sha256
  readonly size: number
}

/**
 * The Memex: immutable bytes under their own digest, per mission. Adapters throw when the store
 * fails; what is not there is null.
 */
export interface Memex {
  /** Stores once: a second put of a digest changes nothing. Durable and verified when it resolves. */
  put(owner: Owner, sha256: Sha256, bytes: Bytes, meta: ExcerptMeta): Promise<'created' | 'exists'>
  /** The bytes as the store gives them: the caller hashes them before it serves them. */
  get(owner: Owner, sha256: Sha256): Promise<(StoredExcerpt & { readonly bytes: Bytes }) | null>
  head(owner: Owner, sha256: Sha256): Promise<StoredExcerpt | null>
  list(
    owner: Owner,
    page: { readonly cursor?: string | undefined; readonly limit: number },
  ): Promise<Page<StoredExcerpt>>
  remove(owner: Owner, sha256: Sha256): Promise<void>
  /** Deletes up to 1,000 excerpts of a mission; true when none is left. */
  erase(owner: Owner): Promise<boolean>
}

/** Revoked tokens, one list a tenant. */
export interface Revocations {
  /** Remembers a revoked jti until `expires_at` (unix seconds), when it could no longer be used. */
  revoke(tenant: string, jti: string, expires_at: number): Promise<void>
  /** Whether any of the jtis is revoked. `fresh` reads the store, else a copy up to 60 s old will do. */
  anyRevoked(tenant: string, jtis: readonly string[], fresh: boolean): Promise<boolean>
}

/** Excerpts close to the reader: a copy may outlive its mission by up to 5 minutes. */
export interface ExcerptCache {
  get(owner: Owner, sha256: Sha256): Promise<Bytes | null>
  put(owner: Owner, sha256: Sha256, bytes: Bytes): Promise<void>
}

/** What is asked across missions: the D1 copy of the missions' own logs. */
export interface Logs {
  /** Writes rows in one atomic batch; writing a row twice is writing it once. */
  write(rows: readonly LogRow[]): Promise<void>
  missions(
    tenant: string,
    filter: {
      readonly status?: string | undefined
      readonly q?: string | undefined
      /** Only this mission: the reach of a token that names one. */
      readonly mission?: string | undefined
      readonly cursor?: string | undefined
      readonly limit: number
    },
  ): Promise<Page<LogRow & { table: 'missions' }>>
  masking(
    tenant: string,
    filter: {
      readonly tool?: string | undefined
      readonly since?: string | undefined
      readonly mission?: string | undefined
      readonly cursor?: string | undefined
      readonly limit: number
    },
  ): Promise<Page<LogRow & { table: 'masking' }>>
  /** Newest first. */
  folds(
    tenant: string,
    filter: {
      readonly mission?: string | undefined
      /** Only those whose ratio is known. */
      readonly measured?: boolean | undefined
      readonly limit: number
    },
  ): Promise<readonly (LogRow & { table: 'folds' })[]>
  /** Deletes every row of a mission. */
  erase(owner: Owner): Promise<void>
}

/** A mission as it stands, with the records that were asked for. */
export interface View<Kind extends RecordKind = RecordKind> {
  readonly state: MissionState
  readonly found: readonly MissionRecord<Kind>[]
}

export interface Lookup<Kind extends RecordKind = RecordKind> {
  readonly kind: Kind
  readonly keys: readonly string[]
}

/** Who reads a mission's events as they come, and from where on. */
export interface Watcher {
  readonly tenant: string
  /** The reader's token and those that it descends from. */
  readonly jtis: readonly string[]
  /** When the token ends, in unix seconds. */
  readonly exp: number
  /** The sequence of the last event that the reader has; null for only what comes from now on. */
  readonly after: number | null
  /** The WebSocket subprotocol to answer with. */
  readonly protocol: string | null
}

/** The missions' objects, one each; every call is one round trip. */
export interface Missions {
  /** Null when the mission was never opened. An erased one answers with its tombstone. */
  read<Kind extends RecordKind>(
    owner: Owner,
    lookups?: readonly Lookup<Kind>[],
  ): Promise<View<Kind> | null>
  /** Applies an event in one transaction and answers the new state. */
  apply(occurrence: Occurrence): Promise<Result<MissionState, Failure>>
  /** The same, with the records that were asked for as they stand after it: one round trip. */
  applyAndRead<Kind extends RecordKind>(
    occurrence: Occurrence,
    lookups: readonly Lookup<Kind>[],
  ): Promise<Result<View<Kind>, Failure>>
  /** Records of one kind in their order, newest first when `reverse`. */
  page<Kind extends RecordKind>(
    owner: Owner,
    kind: Kind,
    page: {
      readonly cursor?: string | undefined
      readonly limit: number
      readonly reverse?: boolean | undefined
    },
  ): Promise<Page<MissionRecord<Kind>>>
  /** Opens a WebSocket on the events of a mission: a response with status 101. */
  watch(owner: Owner, watcher: Watcher): Promise<Response>
}

/** Calls the outbound endpoints of the deployment. */
export interface Webhooks {
  /** Null while the configuration can't be read: who subscribed is not known, not nobody. */
  subscriptions(tenant: string): readonly Subscription[] | null
  /** One attempt. What a receiver does is an outcome, never thrown. */
  send(tenant: string, delivery: Delivery): Promise<Attempt>
}

/** Signs and verifies bearer tokens with the deployment's keys. */
export interface TokenSigner {
  sign(claims: Claims): Promise<string>
  /** The claims of a well-formed token with a valid signature, whatever they say; else null. */
  verify(token: string): Promise<Claims | null>
}

/** One line of the structured log: never content, never a token. */
export interface Report {
  readonly level: 'info' | 'warn' | 'error'
  readonly event: string
  readonly [field: string]: unknown
}

/** All that operations may use. What is not bound is null: section 10 of the design says what then. */
export interface Deps {
  readonly memex: Memex | null
  readonly logs: Logs | null
  readonly missions: Missions | null
  readonly excerptCache: ExcerptCache | null
  readonly revocations: Revocations | null
  readonly signer: TokenSigner | null
  /** Who sends us signed webhooks and whom we send them; null while that can't be read. */
  readonly endpoints: readonly Endpoint[] | null
  readonly loadTokens: () => Promise<CountTokens>
  readonly loadSecrets: () => Promise<ScanSecrets>
  /** An earlier run of this request has masked: what it did is repeated, and nothing is masked anew. */
  readonly repeated?: boolean
  /** Unix milliseconds. */
  readonly now: () => number
  /** A new unguessable id, `[A-Za-z0-9_-]{22}`. */
  readonly newId: () => string
  /** Keeps the Worker alive until the promise has settled; never used for what is acknowledged. */
  readonly defer: (promise: Promise<unknown>) => void
  readonly report: (entry: Report) => void
}
