import { env } from 'cloudflare:test'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createR2Memex } from '../../../src/adapters/r2/r2-memex.ts'
import type { Bytes } from '../../../src/domain/bytes.ts'
import { utf8 } from '../../../src/domain/bytes.ts'
import { sha256 } from '../../../src/domain/digest.ts'
import type { Memex, Owner } from '../../../src/ports.ts'
import { after, before, faulty } from '../../support/faults.ts'
import type { Fault } from '../../support/faults.ts'
import { freshOwner } from '../../support/fresh.ts'
import { impatient } from '../../support/impatient.ts'

type Command = 'put' | 'get' | 'head' | 'remove' | 'list' | 'erase'

const META = { kind: 'excerpt', stored_at: '2026-11-30T12:00:00.000Z' } as const
const TEXTS = await Promise.all(
  ['', 'a', 'b', 'a\u0000b'].map(async (text) => ({
    digest: await sha256(utf8(text)),
    bytes: utf8(text),
  })),
)

const command = fc.record({
  does: fc.constantFrom<Command>('put', 'put', 'put', 'get', 'head', 'remove', 'list', 'erase'),
  text: fc.nat({ max: TEXTS.length - 1 }),
  // How the calls to R2 for this command go: fine, or failing before or after they take effect.
  faults: fc.array(fc.constantFrom('fine', 'fine', 'before', 'after'), { maxLength: 6 }),
})

const FAULTS: Record<string, Fault | undefined> = {
  before: before('Network connection lost.'),
  after: after('We encountered an internal error. (10001)'),
}

test('a Memex on a failing R2 behaves like a map, or fails with an error', async () => {
  let failed = 0
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 1, maxLength: 20 }), async (commands) => {
      const owner = freshOwner()
      const model = new Map<string, Bytes>()
      for (const { does, text, faults } of commands) {
        const coming = faults.map((name) => FAULTS[name])
        const memex = createR2Memex(
          faulty(env.MEMEX, () => coming.shift()),
          impatient(),
        )
        try {
          await follow(memex, owner, model, does, text)
        } catch (error) {
          if (!/lost|10001/.test(String(error))) throw error
          failed += 1
          // A failed command may have taken effect or not; nothing else may differ from the model.
          await settle(owner, model, does, text)
        }
      }
      const stored = await createR2Memex(env.MEMEX).list(owner, { limit: 100 })
      expect(stored.items.map((item) => item.sha256)).toEqual([...model.keys()].toSorted())
    }),
    { numRuns: 150 },
  )
  expect(failed).toBeGreaterThan(0)
}, 120_000)

async function follow(
  memex: Memex,
  owner: Owner,
  model: Map<string, Bytes>,
  does: Command,
  text: number,
): Promise<void> {
  const { digest, bytes } = TEXTS[text]!
  if (does === 'put') {
    const answer = await memex.put(owner, digest, bytes, META)
    if (model.has(digest)) expect(answer).toBe('exists')
    model.set(digest, bytes)
  } else if (does === 'get') {
    const found = await memex.get(owner, digest)
    expect(found?.bytes).toEqual(model.get(digest))
  } else if (does === 'head') {
    const found = await memex.head(owner, digest)
    expect(found?.size).toBe(model.get(digest)?.length)
  } else if (does === 'remove') {
    await memex.remove(owner, digest)
    model.delete(digest)
  } else if (does === 'list') {
    const listed = await memex.list(owner, { limit: 100 })
    expect(listed.items.map((item) => item.sha256)).toEqual([...model.keys()].toSorted())
  } else {
    expect(await memex.erase(owner)).toBe(true)
    model.clear()
  }
}

async function settle(
  owner: Owner,
  model: Map<string, Bytes>,
  does: Command,
  text: number,
): Promise<void> {
  const { digest, bytes } = TEXTS[text]!
  const { items } = await createR2Memex(env.MEMEX).list(owner, { limit: 100 })
  const stored = new Set<string>(items.map((item) => item.sha256))
  if (does === 'put' && stored.has(digest)) model.set(digest, bytes)
  if (does === 'remove' && !stored.has(digest)) model.delete(digest)
  if (does === 'erase' && stored.size === 0) model.clear()
}
