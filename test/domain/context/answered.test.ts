import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  align,
  answeredOf,
  firstChange,
  nameOf,
  namesIn,
  NOTHING_ANSWERED,
} from '../../../src/domain/context/answered.ts'

const name = (id: string) => nameOf({ call_id: id, tool: 'grep' }, 100)
const names = (ids: string) => ids.split('').map(name)
/** What was answered for results named by single letters; capitals were masked. */
const answered = (ids: string) =>
  answeredOf(
    names(ids.toLowerCase()),
    ids.split('').map((id) => id !== id.toLowerCase()),
    {},
  )

describe('the alignment of a transcript with the last answer', () => {
  it.each([
    ['goes on', 'ABc', 'abcd', { dropped: 0, common: 3, left: 0 }],
    ['is the same', 'ABc', 'abc', { dropped: 0, common: 3, left: 0 }],
    ['lost its oldest results', 'ABcd', 'cde', { dropped: 2, common: 2, left: 0 }],
    ['was rewound', 'ABcd', 'ab', { dropped: 0, common: 2, left: 2 }],
    ['branches', 'ABcd', 'abxy', { dropped: 0, common: 2, left: 2 }],
    ['is another one', 'ABcd', 'xyz', { dropped: 0, common: 0, left: 4 }],
    ['has no result', 'ABcd', '', { dropped: 0, common: 0, left: 4 }],
    ['repeats itself', 'aaab', 'aabc', { dropped: 1, common: 3, left: 0 }],
  ])('finds that a history %s', (_, last, now, expected) => {
    expect(align(answered(last), names(now))).toMatchObject(expected)
  })

  it('says which common results were sent masked', () => {
    expect(align(answered('AbCd'), names('bcd')).masked).toEqual([false, true, false])
  })

  it('remembers a mask that left while an equal result stays, as long as one stays', () => {
    const first = align(answered('Aab'), names('ab'))
    expect(first.gone).toEqual({ [name('a')]: 1 })
    const later = align(answeredOf(names('ab'), [false, false], first.gone), names('abc'))
    expect(later.gone).toEqual(first.gone)
    expect(align(answeredOf(names('ab'), [false, false], first.gone), names('bc')).gone).toEqual({})
  })

  it('finds any history that only lost its beginning and grew', () => {
    const ids = fc.uniqueArray(fc.nat(999).map(String), { minLength: 1, maxLength: 30 })
    fc.assert(
      fc.property(ids, fc.nat(29), fc.nat(10), (old, cut, more) => {
        const all = old.map(name)
        const before = answeredOf(all, [], {})
        const dropped = cut % all.length
        const grown = Array.from({ length: more }, (_, n) => name(`new ${n}`))
        expect(align(before, [...all.slice(dropped), ...grown])).toMatchObject({
          dropped,
          common: all.length - dropped,
          left: 0,
        })
      }),
    )
  })

  it('takes time in proportion to the results, also where they repeat themselves', () => {
    const hostile = Array.from({ length: 20_000 }, (_, n) => (n % 100 === 99 ? 'b' : 'a')).join('')
    const before = answered(hostile)
    expect(align(before, names(hostile.slice(7))).left).toBe(0)
  })
})

describe('the first change of an answer', () => {
  const changeOf = (last: string, now: string) => {
    const before = answered(last)
    const sent = now.split('').map((id) => id !== id.toLowerCase())
    return firstChange(align(before, names(now.toLowerCase())), sent, before)
  }

  it.each([
    ['nothing, where only new results came', 'ABc', 'ABcd', null],
    ['a result that is masked now', 'ABcd', 'ABCd', 2],
    ['a result that is not masked any more', 'ABcd', 'aBcd', 0],
    ['the place where a branch begins', 'ABcd', 'ABx', 2],
    ['the beginning, where the oldest results are gone', 'ABcd', 'Bcd', 0],
    ['nothing, where the history was rewound', 'ABcd', 'AB', null],
    ['nothing, where a new result came masked', 'ABc', 'ABcD', null],
  ])('is %s', (_, last, now, expected) => {
    expect(changeOf(last, now)).toBe(expected)
  })

  it('is the first mask where nothing was answered before', () => {
    const change = (now: readonly boolean[]) =>
      firstChange(align(NOTHING_ANSWERED, names('abc')), now, NOTHING_ANSWERED)
    expect(change([false, true, false])).toBe(1)
    expect(change([false, false, false])).toBeNull()
  })
})

describe('the name of a result', () => {
  it('is the same raw and masked, and another for another call, tool or length', () => {
    const all = [
      nameOf({ call_id: 'a', tool: 'grep' }, 5),
      nameOf({ call_id: 'b', tool: 'grep' }, 5),
      nameOf({ call_id: 'a', tool: null }, 5),
      nameOf({ call_id: 'a', tool: 'grep' }, 6),
    ]
    expect(new Set(all).size).toBe(4)
    expect(namesIn(all.join(''))).toEqual(all)
  })
})
