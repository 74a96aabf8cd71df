import { describe, expect, it } from 'vitest'
import { applyEdits, editOf } from '../../src/client/edits.ts'

describe('applyEdits', () => {
  it("changes the caller's own objects in place and touches nothing else", () => {
    const kept = Object.freeze({ role: 'user', content: 'hi' })
    const block = { type: 'text', text: 'old', cache_control: { type: 'ephemeral' } }
    const request = { messages: [kept, { role: 'user', content: [block] }] }
    const edited = applyEdits(request, [{ pointer: '/messages/1/content/0/text', value: 'new' }])
    expect(edited).toBe(request)
    expect(block).toEqual({ type: 'text', text: 'new', cache_control: { type: 'ephemeral' } })
    expect(request.messages[0]).toBe(kept)
  })

  it('reads ~1 and ~0 in pointers, and values of any kind', () => {
    const request = { 'a/b': { 'm~n': 1 }, list: [null] }
    applyEdits(request, [
      { pointer: '/a~1b/m~0n', value: { deep: true } },
      { pointer: '/list/0', value: 'x' },
    ])
    expect(request).toEqual({ 'a/b': { 'm~n': { deep: true } }, list: ['x'] })
  })

  it('takes a bare list for its root', () => {
    expect(applyEdits([{ content: 'a' }], [{ pointer: '/0/content', value: 'b' }])).toEqual([
      { content: 'b' },
    ])
  })

  it('refuses a pointer to nothing before anything has changed', () => {
    const request = { messages: [{ content: 'a' }] }
    for (const pointer of [
      '/messages/1/content',
      '/messages/0/text',
      '/messages/-/content',
      '/messages/0/content/0',
      '/__proto__/x',
      '/constructor',
      '',
    ]) {
      const edits = [
        { pointer: '/messages/0/content', value: 'b' },
        { pointer, value: 'c' },
      ]
      expect(() => applyEdits(request, edits)).toThrow(RangeError)
      expect(request).toEqual({ messages: [{ content: 'a' }] })
    }
  })
})

describe('editOf', () => {
  it('sets the placeholder, or the value around it where the answer has one', () => {
    expect(editOf({ pointer: '/a', placeholder: '[x]' })).toEqual({ pointer: '/a', value: '[x]' })
    const value = { type: 'text', value: '[x]' }
    expect(editOf({ pointer: '/a', placeholder: '[x]', value })).toEqual({ pointer: '/a', value })
  })
})
