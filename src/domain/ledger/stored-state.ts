import type { MissionState } from './state.ts'

type Json = Readonly<Record<string, unknown>>

/**
 * Step n brings a stored state from schema n to n + 1; schema 0 is a state from before schemas. Whoever
 * changes the shape of the state appends a step, and leaves the older ones alone: they use no constant
 * of the features, which would change them.
 */
const STEPS: readonly ((state: Json) => Json)[] = [withEveryPart, withCurrentContext]

/** The schema of the states that this Worker writes. */
export const STATE_SCHEMA = STEPS.length

/** A state as it was stored in a schema, no newer than this Worker's, in the shape of today. */
export const bringUpState = (schema: number, body: unknown): MissionState =>
  STEPS.slice(schema).reduce((state, step) => step(state), body as Json) as unknown as MissionState

/** A mission that was stored before it had a memory, hooks or a count has them empty. */
function withEveryPart(state: Json): Json {
  const filled = filledFrom(EMPTY_PARTS, state)
  const { accepted } = filled['folding'] as Json
  if (!isObject(accepted)) return filled
  const folding = { ...(filled['folding'] as Json), accepted: { reported: [], ...accepted } }
  return { ...filled, folding }
}

/** The current context was held by meter, masking and memory; calls were of the mission. */
function withCurrentContext({ masking, memory, meter, ...rest }: Json): Json {
  const { observed, pinned, regret, retained, session } = masking as Json
  const { completed, context, last_breadcrumb, today, ...inContext } = memory as Json
  const { last, totals } = session as Json
  const { fingerprint, calls: count, raw, masked, bound, raw_line, masked_line } = totals as Json
  const cost = { calls: count, raw, masked, bound, raw_line, masked_line }
  const { after = 0, before = 0, transcript = fingerprint } = (regret ?? {}) as Json
  const { tasks, with_breadcrumb } = completed as Json
  const sums = { calls: count, last, spent: { raw, masked } }
  const calls = {
    recent: transcript === null ? [] : [transcript],
    before: { ...sums, regret: before },
    after: { ...sums, regret: after },
    unfinished: false,
  }
  return {
    ...rest,
    context: {
      ...(meter as Json),
      ...inContext,
      number: context,
      conversation: null,
      calls,
      observed,
    },
    contexts: { begun: context, completed: tasks, with_breadcrumb },
    conversations: [],
    masking: { pinned, retained: (retained as string[]).map(namedResult), cost },
    memory: { last_breadcrumb, today },
  }
}

/** A result was named `turn/call`, and is a JSON list now. */
function namedResult(key: string): string {
  const slash = key.indexOf('/')
  return JSON.stringify([Number(key.slice(0, slash)), key.slice(slash + 1)])
}

/** What is absent, at any depth, is as it is in `empty`. */
function filledFrom(empty: Json, stored: Json): Json {
  const filled: Record<string, unknown> = { ...stored }
  for (const [key, value] of Object.entries(empty)) {
    const own = stored[key]
    if (own === undefined) filled[key] = value
    else if (isObject(value) && isObject(own)) filled[key] = filledFrom(value, own)
  }
  return filled
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const EMPTY_LINE = { calls: 0, sum: 0, moment: 0 }

const EMPTY_PARTS = {
  meter: {
    reading: null,
    calibration: null,
    turns: 0,
    maskable: 0,
    after_masking: false,
    task_done: false,
    extracts_due: [],
  },
  masking: {
    pinned: [],
    retained: [],
    observed: {
      count: 0,
      turn: 0,
      turn_start: 0,
      turn_position: 0,
      next: 0,
      edge: 0,
      maskable: 0,
      maskable_tokens: 0,
      first_position: null,
      counted: 0,
      calibration: null,
      regret: 0,
      saved: 0,
      read_at: '',
    },
    regret: null,
    session: {
      totals: {
        calls: 0,
        raw: 0,
        masked: 0,
        bound: 0,
        fingerprint: null,
        last_raw: 0,
        raw_line: EMPTY_LINE,
        masked_line: EMPTY_LINE,
      },
      last: { raw: 0, masked: 0 },
    },
  },
  folding: {
    artifacts: {},
    locate_tokens: null,
    accepted: null,
    proved_at: null,
    round: 0,
    halted_by: [],
    depth: 0,
    tool_calls: 0,
  },
  hooks: { parked: [], disabled: [], artifacts_at: {}, reports: [] },
  memory: {
    context: 1,
    summarised: [],
    condensed: 'no',
    unread: { turns: 0, masked: false },
    breadcrumb: false,
    task_done: false,
    last_breadcrumb: null,
    today: null,
    completed: { tasks: 0, with_breadcrumb: 0 },
  },
}
