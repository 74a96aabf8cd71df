import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatPointer, parsePointer, resolvePointer } from '../../../src/domain/json/pointer.ts'

describe('JSON pointers (RFC 6901)', () => {
  // The examples of RFC 6901, section 5.
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
  ])('resolves %j to its value', (pointer, expected) => {
    expect(resolvePointer(document, pointer)).toEqual(expected)
  })

  test.each(['foo', '/a~2b', '/m~', '/foo/01', '/foo/-', '/foo/2', '/foo/length', '/toString'])(
    'resolves %j to nothing',
    (pointer) => {
      expect(resolvePointer(document, pointer)).toBeUndefined()
    },
  )

  test('resolves __proto__ only where the object has a key of that name', () => {
    expect(resolvePointer(JSON.parse('{"__proto__":{"a":1}}'), '/__proto__/a')).toBe(1)
    expect(resolvePointer({}, '/__proto__')).toBeUndefined()
  })

  test('parses a formatted pointer back into its segments', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), (segments) => {
        expect(parsePointer(formatPointer(segments))).toEqual(segments)
      }),
    )
    expect(formatPointer(['messages', 3, 'a/b~c'])).toBe('/messages/3/a~1b~0c')
  })
})
