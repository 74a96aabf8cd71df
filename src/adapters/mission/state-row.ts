import type { MissionState } from '../../domain/ledger/state.ts'
import { bodyText } from './row-size.ts'

/** How many calls are remembered, so that one whose answer was lost is not applied again. */
const REMEMBERED_CALLS = 16

export interface StateRow {
  readonly state: MissionState
  /** The ids of the latest calls that changed the state, oldest first. */
  readonly calls: readonly string[]
}

export function loadState(sql: SqlStorage): StateRow | null {
  const [row] = sql
    .exec<{ body: string; calls: string }>('SELECT body, calls FROM state WHERE id = 1')
    .toArray()
  if (row === undefined) return null
  return {
    state: JSON.parse(row.body) as MissionState,
    calls: JSON.parse(row.calls) as readonly string[],
  }
}

export function saveState(sql: SqlStorage, state: MissionState, calls: readonly string[]): void {
  sql.exec(
    `INSERT INTO state (id, body, calls) VALUES (1, ?, ?)
     ON CONFLICT (id) DO UPDATE SET body = excluded.body, calls = excluded.calls`,
    bodyText('the state of the mission', state),
    JSON.stringify(calls.slice(-REMEMBERED_CALLS)),
  )
}
