import { describe, expect, it } from 'vitest'
import { addCall, growthOf, NO_CALLS } from '../../../src/domain/meter/growth.ts'

const growth = (calls: number, tokens: (call: number) => number) => {
  let line = NO_CALLS
  for (let call = 1; call <= calls; call++) line = addCall(line, tokens(call))
  return growthOf(line)
}

describe('the growth of a session', () => {
  it('is quadratic where each call sends all that came before', () => {
    expect(growth(200, (call) => 1_000 * call)).toBe('quadratic')
    expect(growth(10, (call) => 20_000 + 30_000 * call)).toBe('quadratic')
  })

  it('is linear where the calls stay alike, or go up and down', () => {
    expect(growth(200, () => 50_000)).toBe('linear')
    expect(growth(200, (call) => 60_000 + 1_000 * (call % 20))).toBe('linear')
    expect(growth(200, (call) => 100_000 - 100 * call)).toBe('linear')
  })

  it('is linear while a rise is small beside the fixed part', () => {
    expect(growth(100, (call) => 100_000 + 500 * call)).toBe('linear')
  })

  it('is flat while there are too few calls to judge', () => {
    expect(growth(9, (call) => 1_000 * call)).toBe('flat')
    expect(growth(0, () => 0)).toBe('flat')
    expect(growth(50, () => 0)).toBe('flat')
  })
})
