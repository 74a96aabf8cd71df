import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createMinHeap } from '../../../src/domain/tokens/min-heap.ts'

it('gives back what was pushed, lowest first, however pushes and pops are mixed', () => {
  const step = fc.option(fc.integer({ min: 0, max: 2 ** 44 }), { nil: undefined })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.nat(4), (steps, capacity) => {
      const heap = createMinHeap(capacity)
      const model: number[] = []
      for (const entry of steps) {
        if (entry === undefined) expect(heap.pop()).toBe(model.shift())
        else {
          heap.push(entry)
          model.push(entry)
          model.sort((one, other) => one - other)
        }
      }
      while (model.length > 0) expect(heap.pop()).toBe(model.shift())
      expect(heap.pop()).toBeUndefined()
    }),
  )
})
