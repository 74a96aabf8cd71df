import type { TurnRange } from '../context/eligible.ts'
import type { BlockSize } from './entries/block.ts'
import type { Breadcrumb } from './entries/breadcrumb.ts'
import type { Extract } from './entries/extract.ts'
import type { Packet } from './entries/packet.ts'

/** The records that this folder owns. */
export interface MemoryRecords {
  readonly extract: Extract
  readonly summary: SummaryEntry
  readonly breadcrumb: Breadcrumb & { readonly at: string }
  readonly day: { readonly breadcrumbs: number }
  readonly block: BlockSize & { readonly text: string }
  readonly delegation: Delegation
}

/** A summary as it was logged: `line` is made of the numbers beside it. */
export interface SummaryEntry {
  readonly id: string
  readonly at: string
  readonly line: string
  readonly turns: TurnRange
  readonly saved_tokens: number
  readonly percent: number
  readonly tokens: number
  readonly text: string
  /** Which context of the mission the turns are of, from 1. */
  readonly context: number
}

interface Delegation {
  readonly child: string
  readonly packet: Packet
  readonly at: string
}
