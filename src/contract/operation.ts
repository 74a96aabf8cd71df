import type * as z from 'zod'
import type { Claims } from '../domain/access/claims.ts'
import type { Scope } from '../domain/access/scope.ts'
import type { Bytes } from '../domain/bytes.ts'
import type { Failure, FailureCode } from '../domain/failure.ts'
import type { Result } from '../domain/result.ts'
import { paramNames, PARAMS } from './params.ts'

/** How an operation can succeed; `http` gives each its status. */
export type Outcome = 'ok' | 'created' | 'accepted' | 'empty'

/** What a body or an answer is made of: JSON of a schema, or bytes with a media type of their own. */
export type Content = z.ZodType | 'bytes' | 'markdown' | 'tar'

/** One row of the contract: every face is derived from these. */
export interface OperationRow {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE'
  /** Parameters stand in braces; `params.ts` knows the syntax of each by its name. */
  readonly path: `/${string}`
  readonly summary: string
  /** The right that the token must hold; `any` for every valid token, `none` for no token at all. */
  readonly scope: Scope | 'any' | 'none'
  /** Another right that reaches a part of it; the operation knows which part. */
  readonly alsoScope?: Scope
  readonly query?: z.ZodObject
  /** Request headers that the operation reads, in lower case, and what each is. */
  readonly reads?: Readonly<Record<string, string>>
  /** A schema reads JSON; `bytes` takes the body as it is. */
  readonly body?: Exclude<Content, 'markdown' | 'tar'>
  readonly maxBytes?: number
  /** What a body over `maxBytes` is called. */
  readonly tooLarge?: FailureCode
  readonly answers: Content
  /** What an answer says in header fields of its own: their names, and what each is. */
  readonly headers?: Readonly<Record<string, string>>
  readonly outcomes: readonly Outcome[]
  /**
   * A success holds what no receipt may keep (a transcript, a token): a replay under its
   * `Idempotency-Key` makes the answer again, and no change.
   */
  readonly madeAgain?: boolean
  /** What the operation itself can refuse, beside what every route can (`COMMON_PROBLEMS`). */
  readonly problems: readonly FailureCode[]
  /** What a token hears that does not reach the mission: the same as if nothing were there. */
  readonly unreachable?: FailureCode
}

/** Problems that every route with a token can answer. */
const TOKEN_PROBLEMS: readonly FailureCode[] = [
  'unauthorized',
  'invalid_token',
  'token_expired',
  'token_revoked',
  'insufficient_scope',
  'signing_keys_missing',
]

/** Problems that every route with a JSON body can answer. */
const JSON_PROBLEMS: readonly FailureCode[] = [
  'unsupported_media_type',
  'unsupported_content_encoding',
  'body_too_large',
  'malformed_json',
  'too_deep',
]

/** Problems that every route with an `Idempotency-Key` can answer. */
const KEY_PROBLEMS: readonly FailureCode[] = ['idempotency_key_reused', 'request_in_progress']

/**
 * Whether a request may bear an `Idempotency-Key`: what changes a mission and is no PUT. A read is
 * the same each time, and hooks are told apart by what they say themselves.
 */
export const takesKey = ({ method, path, scope }: OperationRow): boolean =>
  method === 'POST' &&
  path.includes('{mission}') &&
  !scope.endsWith(':read') &&
  scope !== 'hooks:ingest'

/** All that a route may answer beside its outcomes: its row's own problems, and what it has in common. */
export function problemsOf(row: OperationRow): readonly FailureCode[] {
  const { scope, body, path } = row
  const names = paramNames(path)
  return [
    ...new Set<FailureCode>([
      ...row.problems,
      ...(scope === 'none' ? [] : TOKEN_PROBLEMS),
      ...names.flatMap((name) => PARAMS[name]?.failure ?? []),
      ...(names.includes('mission') ? [unreachable(row)] : []),
      ...(body === undefined || body === 'bytes' ? [] : JSON_PROBLEMS),
      ...(takesKey(row) ? KEY_PROBLEMS : []),
      'invalid_input',
      'temporarily_unavailable',
      'internal',
    ]),
  ]
}

/** What a token hears that does not reach the mission. */
export const unreachable = (row: OperationRow): FailureCode =>
  row.unreachable ?? 'mission_not_found'

type ParamsOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [Key in Name]: string } & ParamsOf<Rest>
  : unknown

type BodyOf<Row extends OperationRow> = Row['body'] extends z.ZodType
  ? z.output<Row['body']>
  : Row['body'] extends 'bytes'
    ? Bytes
    : undefined

/** A call of an operation, parsed and authorised: all that it may know of the request. */
export interface Call<Row extends OperationRow> {
  readonly caller: Claims
  readonly params: ParamsOf<Row['path']>
  readonly query: Row['query'] extends z.ZodObject ? z.output<Row['query']> : Record<string, never>
  readonly body: BodyOf<Row>
  /** The headers that the row reads; null where one was not sent. */
  readonly headers?: Readonly<Record<string, string | null>>
  /** The JSON body as it was written, for edits that keep the spelling of what they don't touch. */
  readonly source: string
}

export interface Answer<Body> {
  readonly outcome: Outcome
  readonly body: Body
  /** Header fields of this answer alone, for instance `Prompt-Sha256`. */
  readonly headers?: Readonly<Record<string, string>>
}

/** What an operation answers, as its schema takes it; nothing where it may answer nothing. */
export type AnswerBody<Row extends OperationRow> =
  | ContentBody<Row['answers']>
  | ('empty' extends Row['outcomes'][number] ? undefined : never)

type ContentBody<Of extends Content> = Of extends z.ZodType
  ? z.input<Of>
  : Of extends 'tar'
    ? ReadableStream<Bytes>
    : Bytes

/** What a file in `operations/` exports for its row. */
export type Operation<Row extends OperationRow, Deps> = (
  deps: Deps,
  call: Call<Row>,
) => Promise<Result<Answer<AnswerBody<Row>>, Failure>>

export const done = <Body>(body: Body, outcome: Outcome = 'ok'): Answer<Body> => ({ outcome, body })
