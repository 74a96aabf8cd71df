import { isoTime } from '../../src/domain/identifier.ts'
import type { MissionEvent, Occurrence } from '../../src/domain/ledger/event.ts'
import type { MissionSettings } from '../../src/domain/mission/settings.ts'
import type { Owner } from '../../src/ports.ts'
import { item } from './logs-contract.ts'

/** Far from the real time, so that an alarm set by this clock rings only when a test says so. */
export const NOW = Date.UTC(2100, 0, 1)

export const occurrence = (owner: Owner, event: MissionEvent, now = NOW): Occurrence => ({
  ...owner,
  at: isoTime(now),
  event,
})

export const configured = (owner: Owner, settings: MissionSettings = {}, now = NOW): Occurrence =>
  occurrence(owner, { type: 'configured', settings }, now)

export const erased = (owner: Owner, now = NOW): Occurrence =>
  occurrence(owner, { type: 'erased' }, now)

/** A host's report of how full the context is. */
export const hostReport = (
  used_percentage: number,
  more: Partial<MissionEvent & { type: 'context_reported' }> = {},
): MissionEvent => ({
  type: 'context_reported',
  report: { used_percentage },
  named: {},
  look: null,
  turn: null,
  cause: 'report',
  task_complete: false,
  ...more,
})

/** The same in a mission: becomes one record of kind `sample`. */
export const reported = (owner: Owner, percent: number, now = NOW): Occurrence =>
  occurrence(owner, hostReport(percent), now)

/** A masking run: becomes a record of kind `masking`, one of kind `mask`, and a row for D1. */
export const masked = (owner: Owner, id: string, items = 1, call_id = 'toolu_1'): Occurrence =>
  occurrence(owner, {
    type: 'masked',
    id,
    items: Array.from({ length: items }, (_, n) => item(n, { call_id })),
    masks: [
      {
        call_id,
        tool: 'read_file',
        ref: null,
        digest: null,
        form: 'text',
        is_error: false,
        occurrence: 0,
        placeholder: '[masked: read_file result]',
        bytes: 200,
        characters: 200,
        tokens: 60,
        saved_tokens: 50,
      },
    ],
    counted: { before: 100, after: 50 },
    call: { fingerprint: id, turn: 1, raw: 100, masked: 50, bound: 50, unchanged: 10 },
    maskable_tokens: null,
    prices: { input: 1, cache_read: 0.1, cache_write: 1.25 },
    unfinished: false,
    answer: { names: '', masked: [], gone: {} },
    named: { window_tokens: 1_000 },
    seen: { turns: 1, maskable: 0, extracts_due: [] },
  })
