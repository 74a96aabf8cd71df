import { describe, expect, it } from 'vitest'
import { createLedger, NOTHING_SPENT, spend } from '../../../src/cli/replay/ledger.ts'

const prices = { input: 1, cache_read: 0.1, cache_write: 1.25 }

describe('createLedger', () => {
  it('finds in the cache all that an append-only transcript sent before', () => {
    const ledger = createLedger(100)
    ledger.append([10])
    expect(ledger.send()).toEqual({ tokens: 110, cached: 0 })
    ledger.append([20, 30])
    expect(ledger.send()).toEqual({ tokens: 160, cached: 110 })
  })

  it('loses the cache once, from the first changed place on', () => {
    const ledger = createLedger(5)
    ledger.append([10, 40, 20])
    ledger.send()
    ledger.append([7])
    ledger.change(2, 12, 4)
    ledger.change(1, 15, 3)
    expect(ledger.send()).toEqual({ tokens: 5 + 10 + 15 + 12 + 7, cached: 5 + 10 + 3 })
    expect(ledger.send()).toEqual({ tokens: 49, cached: 49 })
  })

  it('does not count as cached what was appended since the last call', () => {
    const ledger = createLedger(0)
    ledger.append([10])
    ledger.send()
    ledger.append([50])
    ledger.change(1, 20, 0)
    expect(ledger.send()).toEqual({ tokens: 30, cached: 10 })
  })
})

describe('spend', () => {
  it('reads the cached prefix, writes the rest, and prices all as input without a cache', () => {
    const spent = spend(NOTHING_SPENT, { tokens: 1000, cached: 800 }, prices)
    expect(spent).toEqual({ tokens: 1000, uncached: 1000, cached: 80 + 250 })
    expect(spend(spent, { tokens: 10, cached: 0 }, prices)).toEqual({
      tokens: 1010,
      uncached: 1010,
      cached: 342.5,
    })
  })
})
