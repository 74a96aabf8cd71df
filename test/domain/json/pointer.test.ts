import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatPointer, parsePointer, resolvePointer } from '../../../src/domain/json/pointer.ts'

describe('JSON pointers (RFC 6901)', () => {
  // The examples of section 5.
  const document = JSON.parse(
    '{"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\\\j":5,"k\\"l":6," ":7,"m~n":8}',
  ) as Record<string, unknown>

  test.each([
    ['', document],
    ['/foo', ['bar', 'baz']],
    ['/foo/0', 'bar'],
    ['/', 0],
    ['/a~1b', 1],
    ['/c%d', 2],
    ['/e^f', 3],
    ['/g|h', 4],
    ['/i\\j', 5],
    ['/k"l', 6],
    ['/ ', 7],
    ['/m~0n', 8],
  ])('%j names its value', (pointer, expected) => {
    expect(resolvePointer(document, pointer)).toEqual(expected)
  })

  test.each(['foo', '/a~2b', '/m~', '/foo/01', '/foo/-', '/foo/2', '/foo/length', '/toString'])(
    '%j names nothing',
    (pointer) => {
      expect(resolvePointer(document, pointer)).toBeUndefined()
    },
  )

  test('names an own key called __proto__, and only an own one', () => {
    expect(resolvePointer(JSON.parse('{"__proto__":{"a":1}}'), '/__proto__/a')).toBe(1)
    expect(resolvePointer({}, '/__proto__')).toBeUndefined()
  })

  test('parsing gives back what was formatted', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), (segments) => {
        expect(parsePointer(formatPointer(segments))).toEqual(segments)
      }),
    )
    expect(formatPointer(['messages', 3, 'a/b~c'])).toBe('/messages/3/a~1b~0c')
  })
})
