import type { HasContext } from '../context/context-state.ts'
import { extractedCallKey } from '../context/extract-index.ts'
import type { Extracted } from '../context/extract-index.ts'
import type { ContextRecords } from '../context/records.ts'
import type { Failure } from '../failure.ts'
import { failure } from '../failure.ts'
import type { Find } from '../mission/record.ts'
import type { Step } from '../mission/step.ts'
import { err, ok } from '../result.ts'
import type { Result } from '../result.ts'
import { resultKey } from '../transcript/calls.ts'
import { extractPath } from './entries/extract.ts'
import type { Extract } from './entries/extract.ts'
import type { MemoryRecords } from './records.ts'

export const extractedTurnKey = (task: string, turn: number): string => JSON.stringify([task, turn])

/** How many parallel calls one turn can have extracts of. */
const MOST_CALLS = 1000

/** Keeps an extract under the next free path of its turn; the same call again replaces its own. */
export function keepExtract<S extends HasContext>(
  state: S,
  event: { readonly extract: Omit<Extract, 'at'>; readonly tokens: number },
  at: string,
  find: Find<ContextRecords>,
): Result<Step<S, ContextRecords & MemoryRecords>, Failure> {
  const { call_id, task, tool, turn } = event.extract
  const turnKey = extractedTurnKey(task, turn)
  const known = find('extracted', [turnKey])[0]?.body
  const calls = known !== undefined && 'calls' in known ? known.calls : []
  const place = calls.includes(call_id) ? calls.indexOf(call_id) + 1 : calls.length + 1
  if (place > MOST_CALLS)
    return err(failure('invalid_input', { detail: `at most ${MOST_CALLS} extracts a turn` }))
  const path = extractPath(task, turn, place)
  const body: Extract = { ...event.extract, at }
  // A place behind the first adds a dash and a number to the path: two tokens.
  const tokens = event.tokens + (place === 1 ? 0 : 2)
  const named: Extracted = { tool, path: `memory/${path}`, tokens }
  const { context } = state
  const extracts_due = context.extracts_due.filter(
    (due) => due.turn !== turn || due.call_id !== call_id,
  )
  return ok({
    state: { ...state, context: { ...context, extracts_due } },
    records: [
      { kind: 'extract', key: path, at, body },
      { kind: 'extracted', key: resultKey(turn, call_id), at, body: named },
      { kind: 'extracted', key: extractedCallKey(call_id), at, body: named },
      {
        kind: 'extracted',
        key: turnKey,
        at,
        body: { calls: place > calls.length ? [...calls, call_id] : calls },
      },
    ],
  })
}
