import { failureOfSurprise } from '../contract/surprise.ts'
import type { Failure } from '../domain/failure.ts'
import { err } from '../domain/result.ts'
import type { Result } from '../domain/result.ts'
import type { Deps } from '../ports.ts'

/** Runs what may throw: a surprise is reported and heard as the problem that HTTP would answer. */
export async function guarded<T>(
  deps: Pick<Deps, 'report'>,
  operation: string,
  run: () => Promise<Result<T, Failure>>,
): Promise<Result<T, Failure>> {
  try {
    return await run()
  } catch (error) {
    const entry = { event: 'unexpected_error', operation, error: String(error) }
    deps.report({ level: 'error', ...entry })
    return err(failureOfSurprise(error))
  }
}
