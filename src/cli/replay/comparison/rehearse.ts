import { fingerprintOf } from '../../../domain/context/calls.ts'
import { reduceContext } from '../../../domain/context/events.ts'
import { openedState } from '../../../domain/ledger/state.ts'
import type { MissionState } from '../../../domain/ledger/state.ts'
import { reduceMasking } from '../../../domain/masking/events.ts'
import { sessionCall } from '../../../domain/masking/masked-event.ts'
import { rawTokens } from '../../../domain/masking/masks/mask-again.ts'
import type { MaskRecord } from '../../../domain/masking/masks/mask-record.ts'
import { maskRecord } from '../../../domain/masking/plan/decision.ts'
import { createMasker, jsonSources } from '../../../domain/masking/plan/masker.ts'
import type { JsonSources, Masker } from '../../../domain/masking/plan/masker.ts'
import { planMask } from '../../../domain/masking/plan/plan.ts'
import { maskRecords } from '../../../domain/masking/plan/settle.ts'
import type { Plan } from '../../../domain/masking/plan/settle.ts'
import { policyOf } from '../../../domain/masking/policy.ts'
import { growthRatio } from '../../../domain/meter/calibration.ts'
import { readMeter } from '../../../domain/meter/meter.ts'
import { scaleOf } from '../../../domain/meter/scale.ts'
import { parseUsage } from '../../../domain/meter/usage.ts'
import type { MissionSettings } from '../../../domain/mission/settings.ts'
import type { CountTokens } from '../../../domain/tokens.ts'
import { countPieces } from '../../../domain/transcript/count.ts'
import type { CountedRequest } from '../../../domain/transcript/count.ts'
import type { Reading } from '../../../domain/transcript/lens.ts'
import type { Session } from '../session.ts'

/** A tool result, by its pointer, and the tokens of its placeholder. */
export interface NewMask {
  readonly pointer: string
  readonly tokens: number
}

/**
 * What a mission with these settings would mask before each call of a session whose agent sends its
 * raw history: the domain's own lenses, planner and reducers, with nothing stored.
 */
export async function rehearse(
  session: Session,
  settings: MissionSettings,
  count: CountTokens,
): Promise<readonly (readonly NewMask[])[]> {
  const mission = createMission(settings, sourcesOf(session), rememberCounts(count))
  const masks: (readonly NewMask[])[] = []
  let masked = 0
  for (const end of session.calls) {
    const reading = readingOf(session, end)
    masks.push(await mission.mask(reading))
    masked += masks.at(-1)?.length ?? 0
    // The recorded usage is that of the whole transcript: true until the first output is masked.
    if (masked === 0) mission.report(reading, session.usage.get(end))
  }
  return masks
}

/** A caller's clock has no part in what is masked. */
const NOW = '2000-01-01T00:00:00.000Z'

function createMission(settings: MissionSettings, sources: JsonSources, count: CountTokens) {
  const policy = policyOf(settings)
  const scale = scaleOf(settings)
  const masker = rememberMasks(createMasker('memex', policy.unstorable === 'placeholder', count))
  const again = new Map<string, MaskRecord>()
  const sent = new Map<string, number>()
  let state = openedState('replay', 'replay', settings, NOW)
  return {
    async mask({ pieces, results, turns }: Reading): Promise<readonly NewMask[]> {
      const counted = countPieces(pieces, count, sent)
      const raw = rawTokens(counted, [again])
      const call = { fingerprint: fingerprintOf(turns, results.length, raw), raw }
      const { calibration, calls } = state.context
      const reading = readMeter({ counted: counted.tokens }, { ...scale, calibration })
      const plan = await planMask({
        results,
        policy,
        counted,
        count,
        meter: {
          percent: reading.ok ? reading.value.percent : null,
          window_tokens: scale.window_tokens,
        },
        ratio: growthRatio(calibration),
        recognised: new Map(),
        again,
        storage: 'memex',
        sources,
        calls: { ...call, state: calls },
        masker,
      })
      state = afterMask(state, plan, counted, turns, call)
      return keep(plan)
    },
    report({ pieces, turns }: Reading, usage: unknown): void {
      const parsed = parseUsage(usage)
      if (!parsed.ok) return
      const report = { usage: parsed.value, counted: countPieces(pieces, count).tokens }
      const event = { report, named: {}, look: null, turn: turns, cause: 'report' }
      const step = reduceContext(
        state,
        { type: 'context_reported', ...event, task_complete: false },
        NOW,
      )
      if (step.ok) state = step.value.state
    },
  }

  function keep(plan: Plan): readonly NewMask[] {
    return plan.decisions.flatMap((decision) => {
      const record = maskRecord(decision, 0)
      if (record === null) return []
      const tokens = record.tokens - record.saved_tokens
      again.set(decision.pointer, record)
      sent.set(decision.pointer, tokens)
      return [{ pointer: decision.pointer, tokens }]
    })
  }
}

/** The mission after a call that sends what the plan makes of the transcript. */
const afterMask = (
  state: MissionState,
  plan: Plan,
  counted: CountedRequest,
  turns: number,
  call: { readonly fingerprint: string; readonly raw: number },
): MissionState =>
  reduceMasking(
    state,
    {
      type: 'masked',
      id: call.fingerprint,
      items: [],
      masks: maskRecords(plan, new Map()),
      counted: { before: counted.tokens, after: counted.tokens - plan.saved_tokens },
      call: sessionCall(plan, counted, turns, call),
      maskable_tokens: plan.break_even?.maskable_tokens ?? null,
      prices: policyOf(state.settings).prices,
      unfinished: plan.postponed > 0,
      answer: { names: '', masked: [], gone: {} },
      named: {},
      seen: { turns, maskable: 0, extracts_due: [] },
    },
    NOW,
    () => [],
  ).state

function readingOf({ lens, messages, withMessages }: Session, end: number): Reading {
  const reading = lens.read(withMessages(messages.slice(0, end)))
  if (!reading.ok) throw new Error('a part of a session can be read as the whole of it can')
  return reading.value
}

/** The JSON of results that are not plain text; their pointers are the same in every call. */
function sourcesOf(session: Session): JsonSources {
  const { messages, withMessages } = session
  const { results } = readingOf(session, messages.length)
  return jsonSources(JSON.stringify(withMessages([...messages])), '', results)
}

/** Every call sends again what the last one sent: each text is counted once. */
function rememberCounts(count: CountTokens): CountTokens {
  const counts = new Map<string, number>()
  return (text) => {
    const known = counts.get(text) ?? count(text)
    counts.set(text, known)
    return known
  }
}

/** Hashes each result once, however many calls leave it as it is. */
function rememberMasks(masker: Masker): Masker {
  const masks = new Map<string, ReturnType<Masker['mask']>>()
  return {
    mask(result, ...rest) {
      const mask = masks.get(result.pointer) ?? masker.mask(result, ...rest)
      masks.set(result.pointer, mask)
      return mask
    },
  }
}
