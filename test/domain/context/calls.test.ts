import { describe, expect, it } from 'vitest'
import {
  fingerprintOf,
  NO_CALLS_MADE,
  repeats,
  spentAfter,
  sumsBefore,
  withCall,
} from '../../../src/domain/context/calls.ts'
import type { CallsState } from '../../../src/domain/context/calls.ts'

const prices = { input: 1, cache_read: 0.1, cache_write: 1.25 }

/** The calls after some that send so many tokens each, with nothing masked. */
const called = (...sizes: readonly number[]): CallsState =>
  sizes.reduce(
    (calls, raw, index) =>
      withCall(calls, `state ${index}`, { raw, masked: raw, unchanged: null }, index, prices),
    NO_CALLS_MADE,
  )

describe('the calls of a conversation', () => {
  it('write what is new and read what the last call sent', () => {
    expect(called(1_000).after.spent.raw).toBe(1_250)
    expect(called(1_000, 3_000).after.spent.raw).toBe(1_250 + 100 + 2_500)
  })

  it('find nothing in the cache when a smaller prompt begins a new context', () => {
    expect(called(9_000, 1_000).after.spent.raw).toBe(11_250 + 1_250)
  })

  it('pay for the cache that a mask breaks, and no more than what the cache held', () => {
    const before = called(2_000)
    const masked = spentAfter(before.after, { raw: 2_100, masked: 600, unchanged: 50 }, prices)
    expect(masked.masked).toBe(2_500 + 0.1 * 50 + 1.25 * 550)
    const fresh = spentAfter(before.after, { raw: 2_500, masked: 2_400, unchanged: 2_300 }, prices)
    expect(fresh.masked).toBe(2_500 + 0.1 * 2_000 + 1.25 * 400)
  })

  it('count a retried call in the place of the first', () => {
    const once = called(1_000, 3_000)
    const size = { raw: 3_000, masked: 3_000, unchanged: null }
    expect(withCall(once, 'state 1', size, 1, prices)).toEqual(once)
    expect(sumsBefore(once, 'state 1')).toEqual(called(1_000).after)
  })

  it('keep what a mask broke of the cache when its call is retried with the mask made', () => {
    const before = called(2_000)
    const size = { raw: 2_100, masked: 600, unchanged: 50 }
    const once = withCall(before, 'masked', size, 0, prices)
    for (const unchanged of [null, 300])
      expect(withCall(once, 'masked', { ...size, unchanged }, 0, prices)).toEqual(once)
    expect(withCall(once, 'masked', { ...size, unchanged: 20 }, 0, prices).after.spent.masked).toBe(
      spentAfter(before.after, { ...size, unchanged: 20 }, prices).masked,
    )
  })

  it('are not changed by a state of long ago that comes again', () => {
    const calls = called(1_000, 3_000, 4_000)
    expect(repeats(calls, 'state 0')).toBe('older')
    const size = { raw: 1_000, masked: 1_000, unchanged: null }
    expect(withCall(calls, 'state 0', size, 9, prices)).toBe(calls)
  })

  it('know a retry by its turns, results and raw size, in whichever form it is sent', () => {
    expect(fingerprintOf(3, 2, 500)).toBe(fingerprintOf(3, 2, 500))
    expect(fingerprintOf(3, 2, 500)).not.toBe(fingerprintOf(3, 2, 501))
  })

  it('keep a state of the same size however many there were', () => {
    const size = (count: number): number =>
      JSON.stringify(called(...Array.from({ length: count }, (_, n) => 1_000 * (n + 1)))).length
    expect(size(2_000)).toBeLessThan(size(40) + 120)
  })
})
