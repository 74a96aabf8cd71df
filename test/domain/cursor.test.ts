import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cursor, formatCursor, parseCursor } from '../../src/domain/cursor.ts'

const key = fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.integer()), { maxLength: 8 })

test('a cursor gives back the key that it was made of', () => {
  fc.assert(
    fc.property(key, (parts) => {
      expect(parseCursor(formatCursor(parts))).toEqual(parts)
    }),
  )
})

test('a cursor is safe in a query', () => {
  fc.assert(
    fc.property(key, (parts) => {
      expect(formatCursor(parts)).toMatch(/^[A-Za-z0-9_-]*$/)
    }),
  )
})

test('no text is taken for a cursor that was not made as one', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const parsed = parseCursor(text)
      if (parsed !== null) expect(formatCursor(parsed)).toBe(text)
    }),
  )
})

test.each([
  ['', 'nothing'],
  ['WzFd=', 'padding'],
  ['Wz Fd', 'white space'],
  ['WyAxXQ', 'other spelling of the same JSON'],
  ['e30', 'an object'],
  ['W251bGxd', 'null inside'],
  ['W1tdXQ', 'a list inside'],
  ['WzFlNDAwXQ', 'a number out of range'],
])('%j is no cursor: %s', (text) => {
  expect(parseCursor(text)).toBeNull()
  expect(cursor.safeParse(text).success).toBe(false)
})

test('a cursor of an earlier page passes the schema of the contract', () => {
  expect(cursor.parse(formatCursor(['2026-11-30T12:00:00.000Z', 'm-1']))).toMatch(/^Wy/)
})
