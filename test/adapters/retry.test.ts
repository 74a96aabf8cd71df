import { expect, test } from 'vitest'
import { DeadlineError, retry, within } from '../../src/adapters/retry.ts'
import { impatient } from '../support/impatient.ts'

const failing = (times: number) => {
  let calls = 0
  return {
    calls: () => calls,
    work: () => {
      calls += 1
      return calls <= times ? Promise.reject(new Error(`no ${calls}`)) : Promise.resolve('yes')
    },
  }
}

test('work that goes well is done once and waits for nothing', async () => {
  const patience = impatient()
  const { calls, work } = failing(0)
  expect(await retry(patience, () => true, work)).toBe('yes')
  expect(calls()).toBe(1)
  expect(patience.waits).toEqual([])
})

test('work that fails twice is done three times, with jitter between', async () => {
  const patience = { ...impatient(), random: () => 0.999 }
  expect(await retry(patience, () => true, failing(2).work)).toBe('yes')
  expect(patience.waits.map(Math.round)).toEqual([200, 400])
})

test('the third failure is thrown as it came', async () => {
  const { calls, work } = failing(9)
  await expect(retry(impatient(), () => true, work)).rejects.toThrow('no 3')
  expect(calls()).toBe(3)
})

test('an error that does not pass by itself is thrown at once', async () => {
  const { calls, work } = failing(9)
  await expect(retry(impatient(), () => false, work)).rejects.toThrow('no 1')
  expect(calls()).toBe(1)
})

test('no try begins when five seconds are gone', async () => {
  let now = 0
  const { calls, work } = failing(9)
  const slow = () => {
    now += 5_000
    return work()
  }
  const patience = { ...impatient(), now: () => now }
  await expect(retry(patience, () => true, slow)).rejects.toThrow('no 1')
  expect(calls()).toBe(1)
})

test('work that never answers is given up', async () => {
  const never = new Promise<never>(() => undefined)
  await expect(within(5, never)).rejects.toBeInstanceOf(DeadlineError)
})

test('work in time gives its answer or its own error', async () => {
  expect(await within(60_000, Promise.resolve(1))).toBe(1)
  await expect(within(60_000, Promise.reject(new Error('own')))).rejects.toThrow('own')
})
