import type { Find, RecordWrite } from '../mission/record.ts'
import type { Removal, Step } from '../mission/step.ts'
import { align, namesIn, NOTHING_ANSWERED, goesOn } from './answered.ts'
import type { Answered } from './answered.ts'
import { beginContext, isTaskDone } from './begin-context.ts'
import { NO_CALLS_MADE } from './calls.ts'
import { FIRST_CONTEXT } from './context-state.ts'
import type { ContextState, Conversation, HasContext } from './context-state.ts'
import type { ContextRecords } from './records.ts'

/** What a caller's transcript says of the conversation that it is of. */
export interface Speaker {
  readonly id: string
  /** The caller names it; else it is known by a digest of how it begins. */
  readonly named: boolean
  /** The names of its tool results, as `nameOf` gives them, joined. */
  readonly names: string
}

/** How many are kept; the one that was silent for the longest is dropped first. */
export const MOST_CONVERSATIONS = 32

/** The key of what the current conversation was answered last; the others' stand under their ids. */
export const CURRENT = ''

/**
 * The mission with this conversation's context as the current one; the one that was current is kept in
 * a record. A history that goes on is the same conversation, also where its beginning was trimmed or edited.
 */
export function enterConversation<S extends HasContext>(
  before: S,
  speaker: Speaker,
  at: string,
  find: Find<ContextRecords>,
): Step<S, ContextRecords> {
  const { conversation } = before.context
  if (conversation === speaker.id) return { state: before }
  if (conversation === null || isContinued(before, speaker, find))
    return { state: renamed(before, speaker.id), removed: rowsOf(conversation) }
  const [known] = find('conversation', [speaker.id])
  // After a completed task another beginning is the switch that was advised (seed step 7).
  if (known === undefined && isTaskDone(before.context)) return switched(before, speaker.id, at)
  const percent = before.context.reading?.percent ?? null
  const others = before.conversations.filter(({ id }) => id !== speaker.id && id !== conversation)
  const conversations = [
    { id: conversation, at: before.context.reading?.at ?? at, percent },
    ...others,
  ]
  const gone = conversations.splice(MOST_CONVERSATIONS - 1).map(({ id }) => id)
  const context: ContextState = {
    ...(known?.body ?? begun(before)),
    observed: before.context.observed,
    conversation: speaker.id,
  }
  const number = Math.max(before.contexts.begun, context.number)
  const records: RecordWrite<ContextRecords>[] = [
    { kind: 'conversation', key: conversation, at, body: before.context },
    { kind: 'answered', key: conversation, at, body: answeredIn(find, CURRENT) },
    { kind: 'answered', key: CURRENT, at, body: answeredIn(find, speaker.id) },
  ]
  const removed = gone.flatMap(rowsOf)
  return {
    state: { ...before, context, conversations, contexts: { ...before.contexts, begun: number } },
    records,
    removed,
  }
}

/** What stands under a conversation's id. */
const rowsOf = (key: string | null): readonly Removal[] =>
  key === null
    ? []
    : [
        { kind: 'conversation', key },
        { kind: 'answered', key },
      ]

/** What a conversation was answered last, as its record says. */
export const answeredIn = (find: Find<ContextRecords>, key: string): Answered =>
  find('answered', [key])[0]?.body ?? NOTHING_ANSWERED

/** The conversations of a mission, the one that was heard last in front. */
export function conversationsOf({ context, conversations }: HasContext): readonly Conversation[] {
  const { conversation, reading } = context
  if (conversation === null) return conversations
  const current = { id: conversation, at: reading?.at ?? null, percent: reading?.percent ?? null }
  return [current, ...conversations]
}

/** Whether an unnamed, unknown conversation is the current one under another digest: its history goes on. */
function isContinued(
  { conversations }: HasContext,
  speaker: Speaker,
  find: Find<ContextRecords>,
): boolean {
  if (speaker.named || conversations.some(({ id }) => id === speaker.id)) return false
  const names = namesIn(speaker.names)
  return goesOn(align(answeredIn(find, CURRENT), names, true), names)
}

/** The old conversation is over: what it was answered and what its calls cost says nothing of the new. */
function switched<S extends HasContext>(
  before: S,
  conversation: string,
  at: string,
): Step<S, ContextRecords> {
  const state = beginContext(before)
  return {
    state: { ...state, context: { ...state.context, conversation, calls: NO_CALLS_MADE } },
    records: [{ kind: 'answered', key: CURRENT, at, body: NOTHING_ANSWERED }],
    removed: rowsOf(before.context.conversation),
  }
}

const renamed = <S extends HasContext>(state: S, conversation: string): S => ({
  ...state,
  context: { ...state.context, conversation },
})

const begun = ({ context, contexts }: HasContext): ContextState => ({
  ...FIRST_CONTEXT,
  number: contexts.begun + 1,
  calibration: context.calibration,
})
