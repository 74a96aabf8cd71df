import { failure } from '../failure.ts'
import type { Failure } from '../failure.ts'
import { isoTime } from '../identifier.ts'
import type { Find, RecordWrite } from '../mission/record.ts'
import { err, ok } from '../result.ts'
import type { Result } from '../result.ts'

const DAY_MS = 24 * 3600 * 1000
/** How long a receipt answers replays: senders retry for up to about 76 hours. */
const RECEIPT_LIFE_MS = 30 * DAY_MS
/** How long a request that claimed its key may run before another may take it over. */
const LEASE_MS = 60_000

/** Who claims which request: `by` is the id of the call itself, so that it knows its own receipt. */
export interface Claim {
  readonly id: string
  /** Of the body, or of the whole request: another one under the same id is refused. */
  readonly sha256: string
  readonly by: string
}

/** An answer as it was given, to be given again. Null text: too large, or not to be kept. */
export interface ReceiptAnswer {
  readonly status: number
  readonly media: string
  readonly text: string | null
}

/** What is remembered of a request that may come again; no answer yet while the first one runs. */
export interface Receipt {
  readonly sha256: string
  readonly by: string
  readonly answer: ReceiptAnswer | null
  /** The request failed for reasons of ours: the same one may come again at once, no other. */
  readonly released?: boolean
}

export interface ReceiptRecords {
  /** Null where the key names a change that a request made: a change has no answer of its own. */
  readonly receipt: Receipt | null
}

/** The receipt of a claim's id that has not expired, or null. Another request under its id is refused. */
export function findReceipt(
  find: Find<ReceiptRecords>,
  claim: Omit<Claim, 'by'>,
  at: string,
): Result<(Receipt & { readonly at: string }) | null, Failure> {
  const [found] = find('receipt', [claim.id])
  const receipt = found?.body ?? null
  if (found === undefined || receipt === null || isExpired(found, at)) return ok(null)
  if (receipt.sha256 !== claim.sha256) return err(failure('idempotency_key_reused'))
  return ok({ ...receipt, at: found.at })
}

/** Whether the request that made this receipt may still be running at `at`. */
export const isRunning = (receipt: Receipt & { readonly at: string }, at: string): boolean =>
  receipt.answer === null &&
  receipt.released !== true &&
  Date.parse(receipt.at) + LEASE_MS > Date.parse(at)

export const receiptRecord = (
  claim: Claim,
  answer: ReceiptAnswer | null,
  at: string,
): RecordWrite<ReceiptRecords> => record(claim, { answer }, at)

export const releasedRecord = (claim: Claim, at: string): RecordWrite<ReceiptRecords> =>
  record(claim, { answer: null, released: true }, at)

/** Receipts from before this time answer no replay and may go. */
export const receiptsExpireBefore = (at: string): string =>
  isoTime(Date.parse(at) - RECEIPT_LIFE_MS)

/** Whether a change of a request was made by an earlier run of the same request. */
export const doneBefore = (find: Find<ReceiptRecords>, once: string, at: string): boolean =>
  find('receipt', [once]).some((done) => !isExpired(done, at))

export const doneRecord = (once: string, at: string): RecordWrite<ReceiptRecords> => ({
  kind: 'receipt',
  key: once,
  at,
  body: null,
})

/** A row that answers no replay any more, whether or not it has been deleted yet. */
const isExpired = (receipt: { readonly at: string }, at: string): boolean =>
  Date.parse(receipt.at) + RECEIPT_LIFE_MS < Date.parse(at)

const record = (
  { by, id, sha256 }: Claim,
  rest: Pick<Receipt, 'answer' | 'released'>,
  at: string,
): RecordWrite<ReceiptRecords> => ({
  kind: 'receipt',
  key: id,
  at,
  body: { sha256, by, ...rest },
})
