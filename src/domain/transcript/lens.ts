import type { Failure } from '../failure.ts'
import type { JsonObject } from '../json/value.ts'
import type { Result } from '../result.ts'

export type FormatName =
  | 'anthropic_messages'
  | 'openai_chat'
  | 'openai_responses'
  | 'ai_sdk'
  | 'ai_sdk_ui'
  | 'langchain'
  | 'gemini'
  | 'swe_agent'

/** What a provider needs to know of an image to price it; never how long its base64 is. */
export interface ImageShape {
  readonly width?: number
  readonly height?: number
  readonly detail?: string
}

/** One thing to count. `result` is the pointer of the tool result it is part of. */
export type Piece =
  | { readonly pointer: string; readonly text: string; readonly result?: string }
  | { readonly pointer: string; readonly image: ImageShape; readonly result?: string }

/**
 * The value that `as json` stores and restores. Where the format wants a structure there, the
 * placeholder stands inside it: `before`, the placeholder as a JSON string, `after`.
 */
export interface Whole {
  readonly pointer: string
  readonly before: string
  readonly after: string
  /** Any JSON may stand there; else a text or a list of blocks. */
  readonly json: boolean
}

/** One tool output inside a transcript. Pointers are relative to the request root (RFC 6901). */
export interface ToolResult {
  /** The text itself where there is just one text, else the whole value. */
  readonly pointer: string
  readonly text: string | null
  readonly whole: Whole
  /** The provider's id of the call; '' where the format gives none. Ids repeat in real data. */
  readonly call_id: string
  /** How many results with this call id came before. */
  readonly occurrence: number
  /** The tool as the call, or else the result, names it; null where neither does. */
  readonly tool: string | null
  /** How many assistant turns there were so far. */
  readonly turn: number
  readonly is_error: boolean
  /** The transcript has the call that this answers. */
  readonly has_call: boolean
  /** False while the tool still runs (a preliminary output). */
  readonly final: boolean
  /** False where the provider would refuse a placeholder here. */
  readonly supported: boolean
  /** The model has not spoken since. */
  readonly fresh: boolean
  /** Fresh, and its call named an excerpt: what was masked is read back. */
  readonly reads_back: boolean
}

/** A tool call, with its place, and whether the transcript has an answer to it. */
export interface ToolCall {
  readonly pointer: string
  readonly call_id: string
  readonly tool: string | null
  readonly input: unknown
  readonly turn: number
  readonly answered: boolean
}

export interface Reading {
  readonly results: readonly ToolResult[]
  readonly calls: readonly ToolCall[]
  readonly pieces: readonly Piece[]
  readonly turns: number
}

/** How a whole request of one format (or of several, message by message) is looked at. */
export interface Lens {
  /** The format of most messages. */
  readonly name: FormatName
  /** All formats in the list, `name` among them. */
  readonly formats: readonly FormatName[]
  /** Everything in one walk; `transcript_invalid` with the pointers of wrong types. */
  read(request: unknown): Result<Reading, Failure>
  /** What to count, in transcript order; the parts that can't be read are left out. */
  pieces(request: unknown): Iterable<Piece>
}

/** `own`: nobody else writes such a message; `plain`: several formats do; `foreign`: not ours. */
export type Claim = 'own' | 'plain' | 'foreign'

/** The one shape of every format module: it reads a message and tells a sink what is in it. */
export interface Format {
  readonly name: FormatName
  claim(message: JsonObject): Claim
  readMessage(message: JsonObject, at: string, sink: Sink): void
}

/** Where a format module tells what it sees, in transcript order. */
export interface Sink {
  /** The assistant says or calls something: a turn begins, unless one is under way. */
  speaks(): void
  /** Somebody else says something: the turn is over. */
  listens(): void
  call(call: SeenCall): void
  /** The last call, while it has no answer. */
  open(): SeenCall | null
  result(result: SeenResult): void
  piece(piece: Piece): void
  invalid(pointer: string, detail: string): void
}

export interface SeenCall {
  readonly pointer: string
  readonly call_id: string
  /** Another id by which an answer may name it. */
  readonly alias?: string
  readonly tool: string | null
  readonly input: unknown
}

export interface SeenResult {
  readonly call_id: string
  readonly tool?: string | null
  readonly content: Content
  readonly is_error?: boolean
  readonly final?: boolean
  readonly supported?: boolean
}

/** The replaceable value of a tool result: what it is, and what in it costs tokens. */
export interface Content {
  readonly pointer: string
  readonly text: string | null
  readonly whole: Whole
  readonly pieces: readonly Piece[]
}
