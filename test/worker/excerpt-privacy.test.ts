import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { createApi } from '../support/api.ts'
import { eventually } from '../support/eventually.ts'
import { freshOwner } from '../support/fresh.ts'
import { fetchWorker, workerApi } from '../support/worker.ts'

const RANDOM = '5'.repeat(64)

describe('excerpts of others', () => {
  test('an excerpt of another mission is answered like one that does not exist', async () => {
    const [ours, theirs] = [freshOwner(), freshOwner()]
    const admin = await workerApi(ours.tenant)
    const api = await workerApi(ours.tenant, { mission: ours.mission })
    const { sha256: digest } = await admin.ok('write_excerpt', { ...theirs, body: 'theirs' })
    await (await workerApi(theirs.tenant)).ok('write_excerpt', { ...theirs, body: 'theirs' })
    const answers = await Promise.all(
      [
        { mission: theirs.mission, sha256: digest },
        { mission: theirs.mission, sha256: RANDOM },
        { mission: ours.mission, sha256: RANDOM },
      ].map(async (sent) => (await api.send('read_excerpt', sent)).text()),
    )
    expect(new Set(answers).size).toBe(1)
    expect(JSON.parse(answers[0] ?? '')).toMatchObject({ status: 404, code: 'excerpt_not_found' })
  })

  test('excerpts are never deduplicated: the same bytes are new in another mission', async () => {
    const { tenant, mission } = freshOwner()
    const api = await workerApi(tenant)
    for (const name of [mission, `${mission}.2`])
      expect((await api.send('write_excerpt', { mission: name, body: 'same' })).status).toBe(201)
  })

  test('the cache that an owner filled serves neither another tenant nor a request without a token', async () => {
    const [a, b] = [freshOwner(), freshOwner()]
    const owner = await workerApi(a.tenant)
    const { sha256: digest } = await owner.ok('write_excerpt', { ...a, body: 'cached' })
    const sent = { mission: a.mission, sha256: digest }
    const key = `https://memex.invalid/${a.tenant}/${a.mission}/${digest}`
    await eventually(async () => {
      await owner.ok('read_excerpt', sent)
      expect(await (await caches.open('memex')).match(key)).toBeDefined()
    })
    expect((await (await workerApi(b.tenant)).send('read_excerpt', sent)).status).toBe(404)
    expect((await createApi(fetchWorker).send('read_excerpt', sent)).status).toBe(401)
    const reader = await workerApi(a.tenant, { scope: ['memex:read'] })
    expect((await reader.send('read_excerpt', sent)).status).toBe(200)
  })

  test('the excerpts of an erased mission are removed, and a late write is refused', async () => {
    const { tenant, mission } = freshOwner()
    const api = await workerApi(tenant)
    const { sha256: unread } = await api.ok('write_excerpt', { mission, body: 'unread' })
    await api.ok('delete_mission', { mission })
    await eventually(async () => {
      const { objects } = await env.MEMEX.list({ prefix: `${tenant}/${mission}/` })
      expect(objects).toEqual([])
    })
    const gone = await api.refused('read_excerpt', { mission, sha256: unread })
    expect(gone).toMatchObject({ code: 'excerpt_not_found' })
    const late = await api.refused('write_excerpt', { mission, body: 'unread' })
    expect(late).toMatchObject({ code: 'mission_erased' })
    expect((await env.MEMEX.list({ prefix: `${tenant}/${mission}/` })).objects).toEqual([])
  })
})
