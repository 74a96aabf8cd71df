import type { Contract } from '../../contract/contract.ts'
import { done } from '../../contract/operation.ts'
import type { Operation } from '../../contract/operation.ts'
import { validateFold } from '../../domain/fold/judge/validate.ts'
import { ok } from '../../domain/result.ts'
import type { Deps } from '../../ports.ts'

/** The fold linter: documents in, verdict out, nothing kept. */
export const checkFold: Operation<Contract['check_fold'], Pick<Deps, 'loadTokens'>> = async (
  deps,
  { body },
) => {
  const { trajectory_tokens, ...documents } = body
  const verdict = validateFold({
    ...documents,
    count: await deps.loadTokens(),
    ...(trajectory_tokens === undefined ? {} : { trajectory_tokens }),
  })
  return ok(done(verdict))
}
