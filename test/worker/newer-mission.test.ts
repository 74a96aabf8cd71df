import { env, evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { beforeAll, describe, expect, test } from 'vitest'
import recorded from '../../src/cli/build/openapi/examples.json' with { type: 'json' }
import { examples as recordedExamples } from '../../src/cli/build/openapi/examples.ts'
import { contract } from '../../src/contract/contract.ts'
import type { OperationName } from '../../src/contract/contract.ts'
import type { Api } from '../support/api.ts'
import { freshOwner } from '../support/fresh.ts'
import { workerApi } from '../support/worker.ts'

const examples = recordedExamples.parse(recorded)
const UNAVAILABLE = { code: 'temporarily_unavailable', status: 503, retryable: true }

/** Operations that read only the Memex, and the hook that lets an agent go on in any case. */
const WITHOUT_MISSION: readonly OperationName[] = [
  'read_excerpt',
  'read_excerpts',
  'list_excerpts',
  'receive_claude_code_hook',
]
const routes = (Object.keys(contract) as OperationName[]).filter(
  (name) => contract[name].path.includes('{mission}') && !WITHOUT_MISSION.includes(name),
)

describe('a mission that a newer Worker wrote', () => {
  const { tenant, mission } = freshOwner()
  const stub = env.MISSIONS.getByName(`${tenant}/${mission}`)
  let api: Api

  const setVersion = (version: string) =>
    runInDurableObject(stub, (_, { storage }) => {
      storage.sql.exec(`UPDATE tables SET version = ${version}`)
    })

  beforeAll(async () => {
    api = await workerApi(tenant)
    await api.ok('put_mission', { mission, body: { model: 'claude-sonnet-4-5' } })
    await setVersion('version + 1')
    await evictDurableObject(stub)
  })

  test.each(routes)('is answered with 503 by %s', async (name) => {
    const { path, query, body } = examples[name]?.request ?? expect.fail('no example')
    expect(await api.refused(name, { ...path, mission, query, body })).toMatchObject(UNAVAILABLE)
  })

  test('is answered with 503 to a reader of its events', async () => {
    const headers = { upgrade: 'websocket', 'sec-websocket-protocol': 'foldex.v1' }
    expect(await api.refused('list_events', { mission, headers })).toMatchObject(UNAVAILABLE)
  })

  test('is unchanged once the newer Worker is back', async () => {
    await setVersion('version - 1')
    await evictDurableObject(stub)
    expect(await api.ok('get_mission', { mission })).toMatchObject({ model: 'claude-sonnet-4-5' })
  })
})
