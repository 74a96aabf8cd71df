/** What is kept of a call id: how many outputs it has had, and the turn of the last. */
export interface ObservedCall {
  readonly outputs: number
  readonly turn: number
}

/** What is kept of one output, so that a repeated observation hears what the first one heard. */
export interface Heard {
  readonly ordinal: number
  readonly edits: readonly ObservedEdit[]
}

/** Names one output of a session. */
export const heardKey = (call_id: string, turn: number): string => JSON.stringify([call_id, turn])

/** One change for the caller's own messages. */
export interface ObservedEdit {
  readonly call_id: string
  readonly turn: number
  readonly placeholder: string
  readonly ref: string | null
}
