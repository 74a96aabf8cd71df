import { earlier } from '../context/calls.ts'
import type { PlannedCall } from '../context/calls.ts'
import type { Seen } from '../context/report/look.ts'
import { LOGGED_DECISIONS } from '../log/row.ts'
import type { LoggedDecision, MaskingItem } from '../log/row.ts'
import type { CountedRequest } from '../transcript/count.ts'
import type { Reading } from '../transcript/lens.ts'
import { PLACEHOLDER_TOKENS } from './masks/placeholder.ts'
import { isMasked } from './plan/decision.ts'
import type { Decision, DecisionReason } from './plan/decision.ts'
import type { Plan } from './plan/settle.ts'
import { extractsDue, lookAt } from './seen.ts'
import type { SessionCall } from './session-cost.ts'

/** The log holds what is masked or refused for the first time; the rest is in the answer. */
export const maskingItems = (
  plan: Plan,
  refused: ReadonlyMap<string, unknown>,
): readonly MaskingItem[] =>
  plan.decisions.flatMap(({ decision, mask, ...rest }) => {
    const known = decision !== 'masked' && refused.has(rest.pointer)
    if (!isLogged(decision) || known) return []
    const { bytes, call_id, pointer, saved_tokens, tokens, tool, turn } = rest
    const ref = decision === 'masked' ? (mask?.ref ?? null) : null
    return [{ pointer, call_id, tool, turn, decision, ref, bytes, tokens, saved_tokens }]
  })

/** What this request costs as it is sent, and what it would under the two other policies. */
export function sessionCall(
  plan: Plan,
  counted: CountedRequest,
  turn: number,
  state: Omit<PlannedCall, 'state'>,
): SessionCall {
  const masked = counted.tokens - plan.saved_tokens
  const waiting = plan.decisions
    .filter(waits)
    .reduce(
      (sum, one) => sum + Math.max(0, one.mask?.saved_tokens ?? one.tokens - PLACEHOLDER_TOKENS),
      0,
    )
  const first = plan.decisions.find(({ decision }) => decision === 'masked')
  const anew = first === undefined ? null : (counted.before_result.get(first.pointer) ?? 0)
  const unchanged = earlier(anew, state.unchanged ?? null)
  return { ...state, turn, masked, bound: masked - waiting, unchanged }
}

/** What the context holds after a mask: how much of it could still be masked, and what wants an extract. */
export function seenAfter(
  plan: Plan,
  reading: Reading,
  counted: CountedRequest,
  window_tokens: number | null,
): Seen {
  const masked = new Set(plan.decisions.filter(isMasked).map(({ pointer }) => pointer))
  // What this policy holds back, the next mask would hold back too.
  const held = plan.held === 'not_due' || plan.held === 'under_clear_at_least'
  const results = reading.results.filter(({ pointer }) => !masked.has(pointer))
  return {
    turns: reading.turns,
    maskable: held ? 0 : plan.decisions.filter(waits).length,
    extracts_due: extractsDue(lookAt({ ...reading, results }, counted).outputs, window_tokens),
  }
}

const waits = ({ decision }: Decision): boolean =>
  decision === 'target_reached' || decision === 'postponed'

const isLogged = (decision: DecisionReason): decision is LoggedDecision =>
  LOGGED_DECISIONS.some((logged) => logged === decision)
