import { nextDueAt } from './due.ts'

/** An alarm that should have rung this long ago was lost: the next request sets it again. */
const LOST_ALARM_MS = 60_000
/** How soon the alarm of a mission that this Worker may not touch rings again. */
const KEPT_ALARM_MS = 60_000

/** The alarm rings for the earliest job, at once when that is past, and not at all for none. */
export async function setAlarm(storage: DurableObjectStorage, now: number): Promise<void> {
  const at = nextDueAt(storage.sql)
  if (at === null) await storage.deleteAlarm()
  else await storage.setAlarm(Math.max(at, now))
}

/** An alarm can be lost, or be set in the past and never ring: then a request sets it again. */
export async function watchAlarm(storage: DurableObjectStorage, now: number): Promise<void> {
  if (nextDueAt(storage.sql) === null) return
  const set = await storage.getAlarm()
  if (set === null || set < now - LOST_ALARM_MS) await setAlarm(storage, now)
}

/**
 * Keeps the alarm of a newer Worker's mission, with nothing done: one that throws is retried six
 * times and then lost, and an erasure or a time to live with it, for which nobody asks again. The
 * alarm is all that is written; whichever Worker sets a due time next sets it anew.
 */
export const keepAlarm = (storage: DurableObjectStorage, now: number): Promise<void> =>
  storage.setAlarm(now + KEPT_ALARM_MS)
