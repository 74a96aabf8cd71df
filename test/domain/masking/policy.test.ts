import { describe, expect, test } from 'vitest'
import { resolvePolicy } from '../../../src/domain/masking/policy.ts'
import { policyInput } from '../../../src/domain/mission/policy.ts'

describe('the masking policy', () => {
  test('is the seed by default: from 70 percent to below 60, 2 KB and more, the last 3 stay', () => {
    expect(resolvePolicy()).toEqual({
      trigger: { type: 'percent', value: 70 },
      target_percent: 60,
      keep: 3,
      max_loss: 0.1,
      min_bytes: 2048,
      clear_at_least_tokens: 0,
      exclude_tools: [],
      pinned: [],
      unstorable: 'keep',
      alpha: 0.2,
      prices: { input: 1, cache_read: 0.1, cache_write: 1.25 },
    })
  })

  test('masks results of any size with always and break_even, unless told otherwise', () => {
    expect(resolvePolicy({ trigger: { type: 'always' } }).min_bytes).toBe(0)
    expect(resolvePolicy({ trigger: { type: 'break_even' } }).min_bytes).toBe(0)
    expect(resolvePolicy({ trigger: { type: 'always' }, min_bytes: 9 }).min_bytes).toBe(9)
  })

  test('the call goes before the mission, key by key', () => {
    const mission = { keep: 10, exclude_tools: ['a'], trigger: { type: 'always' as const } }
    const policy = resolvePolicy(mission, undefined, { keep: 0 })
    expect(policy).toMatchObject({ keep: 0, exclude_tools: ['a'], trigger: { type: 'always' } })
  })

  test('a trigger below the target lowers the target', () => {
    expect(resolvePolicy({ trigger: { type: 'percent', value: 50 } }).target_percent).toBe(50)
    expect(resolvePolicy({ trigger: { type: 'percent', value: 80 } }).target_percent).toBe(60)
  })

  test.each([
    { kep: 3 },
    { keep: -1 },
    { keep: 1.5 },
    { trigger: { type: 'sometimes' } },
    { trigger: { type: 'always', value: 3 } },
    { trigger: { type: 'percent', value: 0 } },
    { unstorable: 'drop' },
    { max_loss: -0.1 },
    { max_loss: 11 },
    { exclude_tools: [''] },
    { prices: { cached: 1 } },
    JSON.parse('{"__proto__":{"keep":1}}'),
  ])('refuses %j', (input) => {
    expect(policyInput.safeParse(input).success).toBe(false)
  })
})
