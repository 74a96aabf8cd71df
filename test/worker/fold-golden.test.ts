import { expect, it } from 'vitest'
import { GOLDEN, verdictsDigest } from '../support/fold-golden.ts'

it('gives the same verdict bytes in workerd as in Node', async () => {
  expect(await verdictsDigest()).toBe(GOLDEN)
})
