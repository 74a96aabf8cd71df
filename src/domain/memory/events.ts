import type { HasContext } from '../context/context-state.ts'
import type { ContextRecords } from '../context/records.ts'
import type { Failure } from '../failure.ts'
import type { HasFold } from '../fold/lifecycle/folding.ts'
import type { Core } from '../mission/core.ts'
import type { Find } from '../mission/record.ts'
import type { MissionSettings } from '../mission/settings.ts'
import type { Step } from '../mission/step.ts'
import type { Result } from '../result.ts'
import { ok } from '../result.ts'
import type { BlockSize } from './entries/block.ts'
import type { Breadcrumb } from './entries/breadcrumb.ts'
import type { Extract } from './entries/extract.ts'
import type { Packet } from './entries/packet.ts'
import { keepExtract } from './keep-extract.ts'
import { leaveBreadcrumb } from './leave-breadcrumb.ts'
import type { HasMemory } from './memory-state.ts'
import { openChild, recordDelegation } from './open-child.ts'
import type { MemoryRecords } from './records.ts'
import { writeSummary } from './write-summary.ts'
import type { Summary } from './write-summary.ts'

/** What happens to a mission's memory. Texts were judged before; what needs the state is judged here. */
export type MemoryEvent =
  | {
      readonly type: 'extracted'
      readonly extract: Omit<Extract, 'at'>
      /** What naming the file in a placeholder costs, in tokens. */
      readonly tokens: number
    }
  | { readonly type: 'summarized'; readonly summary: Summary }
  | { readonly type: 'breadcrumb_left'; readonly breadcrumb: Breadcrumb }
  | { readonly type: 'block_set'; readonly block: BlockSize & { readonly text: string } }
  | { readonly type: 'delegated'; readonly child: string; readonly packet: Packet }
  /** To the child: it begins at 0 % with its own settings, as deep as its parent is. */
  | {
      readonly type: 'delegation_received'
      readonly settings: MissionSettings
      readonly depth: number
    }

export function reduceMemory<S extends Core & HasContext & HasFold & HasMemory>(
  state: S,
  event: MemoryEvent,
  at: string,
  find: Find<ContextRecords>,
): Result<Step<S, ContextRecords & MemoryRecords>, Failure> {
  switch (event.type) {
    case 'extracted':
      return keepExtract(state, event, at, find)
    case 'summarized':
      return writeSummary(state, event.summary, at)
    case 'breadcrumb_left':
      return ok(leaveBreadcrumb(state, event.breadcrumb, at))
    case 'block_set': {
      const { block } = event
      return ok({ state, records: [{ kind: 'block', key: block.label, at, body: block }] })
    }
    case 'delegated':
      return recordDelegation(state, event, at)
    case 'delegation_received':
      return openChild(state, event, at)
  }
}
