import { expect, it } from 'vitest'
import { inParallel } from '../../src/operations/in-parallel.ts'

it('gives results in the order of the items, with six under way at a time', async () => {
  let under_way = 0
  let most = 0
  const items = Array.from({ length: 20 }, (_, index) => index)
  const doubled = await inParallel(items, async (item) => {
    most = Math.max(most, ++under_way)
    await new Promise((resolve) => setTimeout(resolve, (20 - item) % 3))
    under_way -= 1
    return 2 * item
  })
  expect(doubled).toEqual(items.map((item) => 2 * item))
  expect(most).toBe(6)
})

it('throws a failure once nothing is under way any more', async () => {
  const slow = Promise.withResolvers<void>()
  let landed = 0
  const all = inParallel(['fails', 'slow'], async (item) => {
    if (item === 'fails') throw new Error('no')
    await slow.promise
    landed += 1
  })
  setTimeout(slow.resolve, 5)
  await expect(all).rejects.toThrow('no')
  expect(landed).toBe(1)
})
