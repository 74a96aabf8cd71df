import { evictDurableObject } from 'cloudflare:test'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { after, before } from '../../support/faults.ts'
import type { Fault } from '../../support/faults.ts'
import { missionBench } from '../../support/mission-bench.ts'
import { masked, reported } from '../../support/occurrences.ts'

const step = fc.constantFrom('mask', 'mask', 'report', 'ring', 'evict')
const fault = fc.constantFrom('fine', 'before', 'after')

const suffered: Record<string, Fault | undefined> = {
  before: before('D1_ERROR: D1 DB is overloaded.'),
  after: after('D1_ERROR: D1 DB is overloaded.'),
}

test('whatever happens to D1 and the object, D1 ends with the log that the mission has', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 15 }),
      fc.array(fault, { maxLength: 20 }),
      async (steps, faults) => {
        const bench = missionBench()
        const coming = faults.map((name) => suffered[name])
        bench.breakLogs((method) => (method === 'write' ? coming.shift() : undefined))
        let runs = 0
        for (const does of steps) {
          bench.wait(1_000)
          if (does === 'mask') await bench.missions.apply(masked(bench.owner, `run-${runs++}`, 2))
          else if (does === 'report') await bench.missions.apply(reported(bench.owner, 50))
          else if (does === 'ring') await bench.ring()
          else if ((await bench.missions.read(bench.owner)) !== null)
            await evictDurableObject(bench.stub())
        }
        for (let rings = 0; (await bench.missions.read(bench.owner)) !== null; rings++) {
          const at = await bench.alarmAt()
          if (at === null) break
          expect(rings).toBeLessThan(60)
          bench.wait(Math.max(0, at - bench.now()))
          await bench.ring()
        }
        const { items } = await bench.missions.page(bench.owner, 'masking', { limit: 100 })
        const inD1 = await bench.inD1('masking')
        expect(items).toHaveLength(runs)
        expect(new Set(inD1.map((row) => row['id']))).toEqual(new Set(items.map((r) => r.key)))
        expect(await bench.inD1('masking_items')).toHaveLength(runs * 2)
        const state = (await bench.missions.read(bench.owner))?.state
        const missions = await bench.inD1('missions')
        expect(missions.map((row) => row['version'])).toEqual(state ? [state.version] : [])
      },
    ),
    { numRuns: 60 },
  )
}, 240_000)
