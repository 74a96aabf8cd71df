import type { ExtractDue } from '../context-state.ts'

/** What a look at a transcript says of the mission, beside its tokens. */
export interface Seen {
  readonly turns: number
  readonly maskable: number
  readonly extracts_due: readonly ExtractDue[]
}

/** One tool output as a look at a transcript finds it: what any policy judges it by. */
export interface OutputSeen {
  readonly call_id: string
  readonly tool: string
  readonly turn: number
  /** The UTF-8 of all its texts. */
  readonly bytes: number
  /** It holds an image, whose source is long whatever its texts are. */
  readonly pictured: boolean
  readonly tokens: number
  /** How many outputs came after it. */
  readonly later: number
  /** The model has not spoken since. */
  readonly fresh: boolean
  readonly reads_back: boolean
  /** A mask may replace it, if the policy lets it. */
  readonly open: boolean
}

/** The turns of a transcript, and those of its outputs that can matter to a mask or an extract. */
export interface Look {
  readonly turns: number
  readonly outputs: readonly OutputSeen[]
}
