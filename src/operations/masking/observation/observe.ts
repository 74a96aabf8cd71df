import type { Contract } from '../../../contract/contract.ts'
import { done } from '../../../contract/operation.ts'
import type { Operation } from '../../../contract/operation.ts'
import { failure } from '../../../domain/failure.ts'
import { isoTime } from '../../../domain/identifier.ts'
import { adviceFor } from '../../../domain/ledger/situation.ts'
import { parseUsage } from '../../../domain/meter/usage.ts'
import { err, ok } from '../../../domain/result.ts'
import { resultKey } from '../../../domain/transcript/calls.ts'
import type { Deps } from '../../../ports.ts'
import { removeIfErased } from '../../memex/remove-if-erased.ts'
import { adviceAnswer, dueAnswer, tooLong } from '../../missions/context-answer.ts'
import { namedSpeaker } from '../../transcript/read-transcript.ts'
import { takeOutput } from './take-output.ts'

type Row = Contract['observe']
type ObserveDeps = Pick<
  Deps,
  'missions' | 'memex' | 'loadTokens' | 'loadSecrets' | 'now' | 'newId' | 'report'
>

/**
 * Takes one tool output in: stored first where it costs more than its placeholder, counted once,
 * then told to the mission, which answers what is due. One put and one call of the object.
 */
export const observe: Operation<Row, ObserveDeps> = async (deps, call) => {
  const { caller, params, body } = call
  if (deps.missions === null) return err(failure('storage_not_configured'))
  const usage = body.usage === undefined ? null : parseUsage(body.usage)
  if (usage?.ok === false) return usage
  const owner = { tenant: caller.tenant, mission: params.mission }
  const at = isoTime(deps.now())
  const taken = await takeOutput(deps, owner, body, call.source, at)
  const { output, input_tokens, warnings } = taken
  const applied = await deps.missions.applyAndRead(
    {
      ...owner,
      at,
      event: {
        type: 'observed',
        id: deps.newId(),
        output,
        input_tokens,
        usage: usage?.value ?? null,
      },
      speaker: namedSpeaker(body.conversation),
    },
    [{ kind: 'reply', keys: [resultKey(body.turn, body.call_id)] }],
  )
  await removeIfErased(deps, owner, taken.created, applied)
  if (!applied.ok) return applied
  const { state, found } = applied.value
  const edits = found[0]?.body.edits ?? []
  const all = [...warnings, ...tooLong(deps, state.context.turns)]
  return ok(
    done({
      ...(output.ref === null ? {} : { ref: output.ref }),
      bytes: output.bytes,
      tokens: output.tokens,
      advice: adviceAnswer(adviceFor(state)),
      extracts_due: dueAnswer(state.context.extracts_due),
      edits: edits.map((edit) => ({ ...edit })),
      ...(all.length === 0 ? {} : { warnings: all }),
    }),
  )
}
