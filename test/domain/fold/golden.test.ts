import { expect, it } from 'vitest'
import { GOLDEN, verdictsDigest } from '../../support/fold-golden.ts'

it('gives the same verdict bytes as ever for the same documents', async () => {
  expect(await verdictsDigest()).toBe(GOLDEN)
})
