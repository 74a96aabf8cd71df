import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatPointer, resolvePointer } from '../../../src/domain/json/pointer.ts'
import { jsonDepthExceeds, locate, sourceAt, splice } from '../../../src/domain/json/source.ts'

/** Every pointer of a value, its own among them. */
function pointersOf(value: unknown, at = ''): string[] {
  if (typeof value !== 'object' || value === null) return [at]
  return [
    at,
    ...Object.entries(value).flatMap(([key, member]) =>
      pointersOf(member, at + formatPointer([key])),
    ),
  ]
}

describe('finding values in JSON source', () => {
  test('gives the source of a value as it is spelled', () => {
    const source = ' { "a" : [ 1.0 , 12345678901234567890,\n 1e400 ] , "b":{"c":"\\u0041\\"]}"} } '
    expect(sourceAt(source, '/a/0')).toBe('1.0')
    expect(sourceAt(source, '/a/1')).toBe('12345678901234567890')
    expect(sourceAt(source, '/a/2')).toBe('1e400')
    expect(sourceAt(source, '/b/c')).toBe('"\\u0041\\"]}"')
    expect(sourceAt(source, '/a')).toBe('[ 1.0 , 12345678901234567890,\n 1e400 ]')
    expect(sourceAt(source, '')).toBe(source.trim())
    expect(sourceAt(source, '/a/3')).toBeNull()
    expect(sourceAt(source, '/a/0/x')).toBeNull()
  })

  test('takes the last of duplicate keys, as JSON.parse does, and forgets the earlier ones', () => {
    const source = '{"a":{"x":1,"y":2},"b":0,"a":{"x":3},"b":[7],"b":8}'
    expect(sourceAt(source, '/a/x')).toBe('3')
    expect(sourceAt(source, '/a/y')).toBeNull()
    expect(sourceAt(source, '/b')).toBe('8')
    expect(sourceAt(source, '/b/0')).toBeNull()
    const both = locate(source, ['/a/y', '/a/x', '/b/0', '/b'])
    expect([...both.keys()].toSorted()).toEqual(['/a/x', '/b'])
  })

  test('decodes keys, and knows __proto__', () => {
    expect(sourceAt('{"\\u0061\\n":1}', '/a\n')).toBe('1')
    expect(sourceAt('{"__proto__":{"constructor":[2]}}', '/__proto__/constructor/0')).toBe('2')
    expect(sourceAt('{"a/b":{"~":3}}', '/a~1b/~0')).toBe('3')
    expect(sourceAt('{"0":{"1":4}}', '/0/1')).toBe('4')
  })

  test('skips strings that end in backslashes or hold brackets and quotes', () => {
    expect(sourceAt('["\\\\",{"k":"]}\\\\\\""},5]', '/2')).toBe('5')
  })

  test('finds every value of any JSON, however it is spaced', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 1, 3), (value, indent) => {
        const source = JSON.stringify(value, null, indent)
        const parsed: unknown = JSON.parse(source)
        const spans = locate(source, pointersOf(parsed))
        for (const pointer of pointersOf(parsed)) {
          const span = spans.get(pointer)
          expect(span).toBeDefined()
          expect(JSON.parse(source.slice(span?.start, span?.end))).toEqual(
            resolvePointer(parsed, pointer),
          )
        }
      }),
    )
  })

  test('is linear in repeated keys with many wanted pointers below', () => {
    const pointers = Array.from({ length: 20_000 }, (_, index) => `/m/${index}`)
    const list = `[${pointers.map((_, index) => index).join(',')}]`
    const source = `{${'"m":0,'.repeat(200_000)}"m":${list}}`
    expect(locate(source, pointers).size).toBe(20_000)
  })
})

describe('splicing', () => {
  test('replaces spans and nothing else, whatever the replacement holds', () => {
    const source = '{"a":1.0,"b":"x","c":1e400}'
    const spans = locate(source, ['/a', '/c'])
    const edits = [
      { span: spans.get('/c')!, text: '"$& $` $\' $1 $$"' },
      { span: spans.get('/a')!, text: '2' },
    ]
    expect(splice(source, edits)).toBe('{"a":2,"b":"x","c":"$& $` $\' $1 $$"}')
    expect(splice(source, [])).toBe(source)
  })

  test('refuses edits that overlap', () => {
    const spans = locate('[[1]]', ['/0', '/0/0'])
    const edits = [...spans.values()].map((span) => ({ span, text: '0' }))
    expect(() => splice('[[1]]', edits)).toThrow('overlapping')
  })
})

describe('depth', () => {
  test('counts objects and arrays, not brackets in strings', () => {
    expect(jsonDepthExceeds(`${'['.repeat(64)}${']'.repeat(64)}`, 64)).toBe(false)
    expect(jsonDepthExceeds(`${'[{"a":'.repeat(32)}[${'}]'.repeat(32)}`, 64)).toBe(true)
    expect(jsonDepthExceeds(JSON.stringify(['['.repeat(100), '\\"['.repeat(100)]), 2)).toBe(false)
    expect(jsonDepthExceeds('[],'.repeat(1000), 1)).toBe(false)
  })

  test('answers for text that is not JSON', () => {
    expect(jsonDepthExceeds('"never closed [[[[', 2)).toBe(false)
    expect(jsonDepthExceeds('['.repeat(1_000_000), 64)).toBe(true)
    expect(jsonDepthExceeds(']]]]}', 0)).toBe(false)
  })
})
