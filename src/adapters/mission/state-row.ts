import type { MissionState } from '../../domain/ledger/state.ts'
import { bringUpState, STATE_SCHEMA } from '../../domain/ledger/stored-state.ts'
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
    .exec<{ schema: number; body: string; calls: string }>(
      'SELECT schema, body, calls FROM mission_state WHERE id = 1',
    )
    .toArray()
  if (row === undefined) return null
  return {
    state: bringUpState(row.schema, JSON.parse(row.body)),
    calls: JSON.parse(row.calls) as readonly string[],
  }
}

export function saveState(sql: SqlStorage, state: MissionState, calls: readonly string[]): void {
  sql.exec(
    `INSERT INTO mission_state (id, schema, body, calls) VALUES (1, ?, ?, ?)
     ON CONFLICT (id)
     DO UPDATE SET schema = excluded.schema, body = excluded.body, calls = excluded.calls`,
    STATE_SCHEMA,
    bodyText('the state of the mission', state),
    JSON.stringify(calls.slice(-REMEMBERED_CALLS)),
  )
}
