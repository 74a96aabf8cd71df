import { env } from 'cloudflare:workers'
import { createR2Memex } from '../../src/adapters/r2/r2-memex.ts'
import { createApp } from '../../src/http/app.ts'
import { createDeps } from '../../src/index.ts'
import type { Deps, Report } from '../../src/ports.ts'
import { createApi } from './api.ts'
import type { Api } from './api.ts'
import { faulty } from './faults.ts'
import type { Plan } from './faults.ts'
import { impatient } from './impatient.ts'
import type { missionBench } from './mission-bench.ts'
import { rootToken } from './tokens.ts'
import { signer } from './worker.ts'

/**
 * The HTTP face of a bench's mission, on the bench's clock. Its own R2 goes wrong as planned; the
 * mission's object has the stores that the bench gives it.
 */
export async function faceOf(
  bench: ReturnType<typeof missionBench>,
  r2: Plan = () => undefined,
  more: Partial<Deps> = {},
): Promise<{ readonly api: Api; readonly bucket: R2Bucket; readonly reports: Report[] }> {
  const reports: Report[] = []
  const bucket = faulty(env.MEMEX, r2)
  const { LOGS, TEST_MISSIONS: MISSIONS, SIGNING_KEYS, MEMEX } = env
  const deps: Deps = {
    ...createDeps({ MEMEX, LOGS, MISSIONS, SIGNING_KEYS }),
    memex: createR2Memex(bucket, impatient()),
    excerptCache: null,
    now: bench.now,
    report: (entry) => void reports.push(entry),
    ...more,
  }
  const app = createApp(deps)
  const token = await rootToken(signer, bench.owner.tenant, {}, bench.now())
  return { api: createApi((request) => app.fetch(request), token), bucket, reports }
}
