import type { Problem } from '../contract/problem.ts'
import { isList, isObject } from '../domain/json/value.ts'
import { answerError, FoldexError } from './failure.ts'

export interface TransportOptions {
  /** Where the Worker is, like `https://foldex.example.workers.dev`. */
  readonly url: string
  readonly token?: string | undefined
  readonly fetch?: typeof fetch | undefined
  /** How often a call is tried again after its first failure; 3 by default. */
  readonly retries?: number | undefined
  /** How long one try may take, 60,000 ms by default. */
  readonly timeout_ms?: number | undefined
}

interface Sent {
  readonly method: string
  /** Path and query, beginning with a slash. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array<ArrayBuffer> | undefined
  readonly signal?: AbortSignal | undefined
}

export interface Received {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array<ArrayBuffer>
}

type Transport = (sent: Sent) => Promise<Received>

const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 30_000
const TRANSIENT: ReadonlySet<number> = new Set([429, 502, 503, 504])

/**
 * Sends a request until it is answered or its tries are used up. What may be sent twice is tried
 * again: every method but POST by itself, POST by its idempotency key, which stays the same over
 * all tries. Rejects with a `FoldexError`, or with the signal's reason.
 */
export function createTransport(options: TransportOptions): Transport {
  const base = options.url.replace(/\/$/, '')
  const retries = options.retries ?? 3
  return async (sent) => {
    const headers = headersOf(sent, options.token)
    for (let failures = 0; ; failures++) {
      const { received, error, retryable, wait } = await attempt(base, sent, headers, options)
      if (received !== null) return received
      const pause = wait ?? backoff(failures)
      if (!retryable || failures >= retries || pause > LONGEST_WAIT_MS) throw error
      await sleep(pause, sent.signal)
    }
  }
}

type Attempt =
  | {
      readonly received: Received
      readonly error: null
      readonly retryable: false
      readonly wait: null
    }
  | {
      readonly received: null
      readonly error: FoldexError
      readonly retryable: boolean
      readonly wait: number | null
    }

async function attempt(
  base: string,
  sent: Sent,
  headers: Readonly<Record<string, string>>,
  options: TransportOptions,
): Promise<Attempt> {
  const timeout = AbortSignal.timeout(options.timeout_ms ?? 60_000)
  const signal = sent.signal === undefined ? timeout : AbortSignal.any([sent.signal, timeout])
  const { method, body = null } = sent
  let received: Received
  try {
    const send = options.fetch ?? fetch
    const response = await send(base + sent.path, { method, headers, body, signal })
    // The body is read inside the try: a connection that breaks half way is tried again.
    const bytes = new Uint8Array(await response.arrayBuffer())
    received = { status: response.status, headers: response.headers, bytes }
  } catch (cause) {
    sent.signal?.throwIfAborted()
    const error = new FoldexError('unreachable', `${base} does not answer: ${reason(cause)}`, {
      cause,
    })
    return { received: null, error, retryable: true, wait: null }
  }
  const { status } = received
  if (status < 400) return { received, error: null, retryable: false, wait: null }
  const problem = problemOf(received)
  const wait = retryAfter(received.headers.get('retry-after'))
  const error = answerError(status, problem, wait === null ? null : wait / 1000)
  return { received: null, error, retryable: problem?.retryable ?? TRANSIENT.has(status), wait }
}

function headersOf(sent: Sent, token: string | undefined): Record<string, string> {
  return {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(sent.method === 'POST' ? { 'idempotency-key': crypto.randomUUID() } : {}),
    ...sent.headers,
  }
}

function problemOf({ headers, bytes }: Received): Problem | null {
  if (!(headers.get('content-type') ?? '').startsWith('application/problem+json')) return null
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return isOurs(value) ? value : null
  } catch {
    return null
  }
}

/** Others answer problems too, without a code and with errors of their own kind. */
const isOurs = (value: unknown): value is Problem => {
  if (!isObject(value)) return false
  const { code, title, errors = [] } = value
  return (
    typeof code === 'string' &&
    typeof title === 'string' &&
    isList(errors) &&
    errors.every(isObject)
  )
}

/** Milliseconds, from seconds or an HTTP date (RFC 9110 section 10.2.3). */
function retryAfter(field: string | null): number | null {
  if (field === null) return null
  if (/^[0-9]{1,6}$/.test(field)) return Number(field) * 1000
  const until = Date.parse(field)
  return Number.isNaN(until) ? null : Math.max(0, until - Date.now())
}

/** Full jitter, so that clients that failed together do not come back together. */
const backoff = (failures: number): number => Math.random() * FIRST_WAIT_MS * 2 ** (failures + 1)

function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}

/** Node and undici hide the telling part (`ECONNREFUSED`) in the cause. */
function reason(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  const below = cause.cause
  if (below instanceof Error && below.message !== '') return below.message
  const code = (below as { readonly code?: unknown } | undefined)?.code
  return typeof code === 'string' ? code : cause.message
}
