import * as z from 'zod'
import { isoTime } from '../../identifier.ts'
import { platformEvent } from './platform-event.ts'
import type { PlatformEvent } from './platform-event.ts'

const time = z.iso.datetime({ offset: true, local: true })

/** The webhook of a LangGraph run: the run, how it ended, and the whole state of its graph. */
export const langGraphRun = z.looseObject({
  run_id: z.string().min(1).max(128),
  status: z.string().min(1).max(64),
  run_ended_at: time.nullish(),
  webhook_sent_at: time.nullish(),
  values: z.looseObject({ messages: z.array(z.unknown()).optional() }).nullish(),
})
type LangGraphRun = z.infer<typeof langGraphRun>

/** The end of a run is a boundary; its messages are the context. `now`: unix ms. */
export function normaliseLangGraph(run: LangGraphRun, now: number): PlatformEvent {
  const ended = run.run_ended_at ?? run.webhook_sent_at
  const messages = run.values?.messages ?? []
  return platformEvent(`run.${run.status}`, isoTime(ended ? utcMs(ended) : now), {
    context: messages.length === 0 ? null : { request: { messages } },
    boundary: true,
  })
}

/**
 * What tells one run's webhook from another's: it is sent again with another `webhook_sent_at`, so
 * its bytes can't.
 */
export const langGraphReceiptId = (run: LangGraphRun): string =>
  `langgraph/${run.run_id}/${run.status}/${run.run_ended_at ?? ''}`

// Python's isoformat may leave out the offset; LangGraph's times are UTC.
const utcMs = (text: string): number =>
  Date.parse(/(Z|[+-]\d{2}:?\d{2})$/.test(text) ? text : `${text}Z`)
