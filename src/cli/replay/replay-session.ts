import { isDeepStrictEqual } from 'node:util'
import { applyEdits, editOf } from '../../client/edits.ts'
import type { Foldex } from '../../client/foldex.ts'
import type { Input } from '../../client/operation.ts'
import { isObject } from '../../domain/json/value.ts'
import type { JsonObject } from '../../domain/json/value.ts'
import { parseUsage } from '../../domain/meter/usage.ts'
import { prices as priceTable } from '../../domain/mission/prices.ts'
import { allPages } from '../terminal/pages.ts'
import { createLedger, NOTHING_SPENT, spend } from './ledger.ts'
import type { Spent } from './ledger.ts'
import type { Measure } from './measure.ts'
import type { Session } from './session.ts'

export interface ReplaySettings {
  readonly policy: NonNullable<Input<'mask'>['body']['policy']>
  readonly window_tokens: number | undefined
  readonly signal: AbortSignal
}

/** What one session came to. Tokens are o200k_base; costs are relative to an input token. */
export interface Replayed {
  readonly name: string
  readonly mission: string
  readonly turns: number
  readonly results: number
  readonly masked: number
  readonly raw: Spent
  readonly sent: Spent
  readonly memex_bytes: number
  readonly restored_equal: boolean
}

/**
 * Replays a session as its agent would have lived it: before each call of the model the transcript
 * so far is masked, and the edits go into the agent's own copy. In the end all is unmasked again.
 */
export async function replaySession(
  foldex: Foldex,
  session: Session,
  mission: string,
  settings: ReplaySettings,
  measure: Measure,
  progress: (masked: number) => void,
): Promise<Replayed> {
  const { calls, messages, withMessages } = session
  const { policy, signal } = settings
  const prices = priceTable.parse({})
  const whole = createLedger(measure.frame)
  const kept = createLedger(measure.frame)
  const own: JsonObject[] = []
  const original = withMessages([...messages])
  let raw = NOTHING_SPENT
  let sent = NOTHING_SPENT
  let masked = 0

  for (const end of calls) {
    const arrived = messages.slice(own.length, end)
    own.push(...structuredClone(arrived))
    const tokens = arrived.map(measure.tokensOf)
    whole.append(tokens)
    kept.append(tokens)
    const body = { request: withMessages(own), policy, return: 'edits' as const }
    const { edits = [] } = await foldex.call('mask', { mission, body }, { signal })
    for (const edit of edits) {
      const { index, place } = locate(session, edit.pointer)
      const unchanged = measure.tokensBefore(own[index] ?? {}, place)
      applyEdits(own, [{ pointer: `/${index}${place}`, value: editOf(edit).value }])
      kept.change(index, measure.tokensOf(own[index] ?? {}), unchanged)
    }
    masked += edits.length
    // The recorded usage is that of the whole transcript: true until the first output is masked.
    if (masked === 0) await reportUsage(foldex, session, mission, end, body.request, signal)
    raw = spend(raw, whole.send(), prices)
    sent = spend(sent, kept.send(), prices)
    progress(masked)
  }

  own.push(...structuredClone(messages.slice(own.length)))
  const body = { request: withMessages(own) }
  const { request } = await foldex.call('unmask', { mission, body }, { signal })
  return {
    name: session.name,
    mission,
    turns: calls.length,
    results: session.results,
    masked,
    raw,
    sent,
    memex_bytes: await memexBytes(foldex, mission, signal),
    restored_equal: isDeepStrictEqual(request, original),
  }
}

/** Tells the mission what the provider counted of a call, as its agent would: it calibrates the meter. */
async function reportUsage(
  foldex: Foldex,
  { usage }: Session,
  mission: string,
  end: number,
  request: Input<'mask'>['body']['request'],
  signal: AbortSignal,
): Promise<void> {
  const counted = usage.get(end)
  if (!isObject(counted) || !parseUsage(counted).ok) return
  await foldex.call('report_context', { mission, body: { request, usage: counted } }, { signal })
}

/** `/messages/12/content/0/text` is message 12, and `/content/0/text` in it. */
function locate(session: Session, pointer: string): { index: number; place: string } {
  const [, index = '', ...rest] = pointer.slice(session.pointer.length).split('/')
  return { index: Number(index), place: rest.map((step) => `/${step}`).join('') }
}

async function memexBytes(foldex: Foldex, mission: string, signal: AbortSignal): Promise<number> {
  const excerpts = await allPages((query) =>
    foldex.call('list_excerpts', { mission, query }, { signal }),
  )
  return excerpts.reduce((bytes, { size }) => bytes + size, 0)
}
