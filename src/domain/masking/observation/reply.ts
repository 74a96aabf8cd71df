/** What is kept of a call id: how many outputs it has had, and the turn of the last. */
export interface ObservedCall {
  readonly outputs: number
  readonly turn: number
}

/** What an observation was answered, so that a repeated one is answered the same. */
export interface Reply {
  readonly ordinal: number
  readonly edits: readonly ObservedEdit[]
}

/** One change for the caller's own messages. */
export interface ObservedEdit {
  readonly call_id: string
  readonly turn: number
  readonly placeholder: string
  readonly ref: string | null
}
