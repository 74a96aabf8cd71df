import type { Contract } from '../../contract/contract.ts'
import type { AnswerBody } from '../../contract/operation.ts'
import { conversationsOf } from '../../domain/context/conversation.ts'
import { adviceFor } from '../../domain/ledger/situation.ts'
import type { MissionState } from '../../domain/ledger/state.ts'
import { scaleOf } from '../../domain/meter/scale.ts'
import type { Deps } from '../../ports.ts'
import { adviceAnswer, dueAnswer, readingAnswer } from './context-answer.ts'

/** The Mission of the API (DESIGN section 14). */
export function missionAnswer(
  deps: Pick<Deps, 'memex'>,
  state: MissionState,
): AnswerBody<Contract['get_mission']> {
  const { context, settings } = state
  return {
    id: state.mission,
    status: state.status,
    phase: state.phase,
    fold: state.fold,
    model: settings.model ?? null,
    window_tokens: scaleOf(settings).window_tokens,
    context: context.reading && { ...readingAnswer(context.reading), at: context.reading.at },
    conversations: conversationsOf(state).map((one) => ({ ...one })),
    advice: adviceAnswer(adviceFor(state)),
    extracts_due: dueAnswer(context.extracts_due),
    storage: deps.memex === null ? 'in_context' : 'memex',
    created_at: state.created_at,
  }
}
