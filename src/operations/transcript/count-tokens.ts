import type { Contract } from '../../contract/contract.ts'
import { done } from '../../contract/operation.ts'
import type { Call, Operation } from '../../contract/operation.ts'
import type { Failure } from '../../domain/failure.ts'
import { roundPercent } from '../../domain/log/line.ts'
import { windowTokens } from '../../domain/meter/window.ts'
import { ok } from '../../domain/result.ts'
import type { Result } from '../../domain/result.ts'
import type { Deps } from '../../ports.ts'
import { modelOf, readTranscript } from './read-transcript.ts'

type Row = Contract['count_tokens']

/** The o200k_base tokens of a request or a text, uncalibrated, and the percent of its window. */
export const countTokens: Operation<Row, Pick<Deps, 'loadTokens'>> = async (deps, { body }) => {
  const counted = await count(deps, body)
  if (!counted.ok) return counted
  const { tokens } = counted.value
  const window = windowTokens({
    model: body.model ?? modelOf(body.request),
    window_tokens: body.window_tokens,
  })
  return ok(
    done({
      ...counted.value,
      encoding: 'o200k_base',
      window_tokens: window.ok ? window.value : null,
      percent: window.ok ? roundPercent((100 * tokens) / window.value) : null,
    }),
  )
}

async function count(
  deps: Pick<Deps, 'loadTokens'>,
  { request, text, format }: Call<Row>['body'],
): Promise<Result<{ tokens: number; format: string | null }, Failure>> {
  if (text !== undefined) return ok({ tokens: (await deps.loadTokens())(text), format: null })
  const transcript = await readTranscript(deps, request, format)
  if (!transcript.ok) return transcript
  const { counted, lens } = transcript.value
  return ok({ tokens: counted.tokens, format: lens.name })
}
