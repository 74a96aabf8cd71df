import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { createApp } from '../../src/http/app.ts'
import { createDeps } from '../../src/index.ts'
import { createApi } from '../support/api.ts'
import { eventually } from '../support/eventually.ts'
import { freshOwner } from '../support/fresh.ts'
import { rootToken } from '../support/tokens.ts'
import { openaiTurn, request } from '../support/transcripts.ts'
import { signer } from '../support/worker.ts'

const RESULTS = 8000

// Without R2, so that the test is about the size of the log and not about 8,000 puts.
test(`a call that masks ${RESULTS} results logs each of them, in the mission and in D1`, async () => {
  const { tenant, mission } = freshOwner()
  const { LOGS, MISSIONS, SIGNING_KEYS } = env
  const app = createApp(createDeps({ LOGS, MISSIONS, SIGNING_KEYS }))
  const api = createApi((sent) => app.fetch(sent), await rootToken(signer, tenant))
  const turns = Array.from({ length: RESULTS }, (_, n) =>
    openaiTurn({ id: `call_${n}`.padEnd(64, 'x'), content: 'line after line '.repeat(10) }),
  )
  const policy = '{"trigger":{"type":"always"},"keep":0}'
  const body = `{"request":${request(...turns)},"policy":${policy}}`
  const { masked, log_entry } = await api.ok('mask', { mission, body })
  expect(masked).toBe(RESULTS)
  expect(log_entry?.items).toHaveLength(RESULTS)
  const [entry] = (await api.ok('mission_log', { mission, log: 'masking' })).items
  expect(entry).toEqual(log_entry)
  await eventually(async () => {
    const [row] = (await api.ok('masking_log')).items
    expect(row?.items).toHaveLength(RESULTS)
  })
})
