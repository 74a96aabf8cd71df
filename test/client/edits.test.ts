import { describe, expect, it } from 'vitest'
import { applyEdits, editOf } from '../../src/client/edits.ts'

describe('applyEdits', () => {
  it("changes the caller's own messages in place and touches nothing else", () => {
    const kept = Object.freeze({ role: 'user', content: 'hi' })
    const block = { type: 'text', text: 'old', cache_control: { type: 'ephemeral' } }
    const message = { role: 'user', content: [block, block] }
    const request = { messages: [kept, message] }
    const edited = applyEdits(request, [{ pointer: '/messages/1/content/0/text', value: 'new' }])
    expect(edited).toBe(request)
    expect(request.messages).toEqual([kept, message])
    expect(request.messages[0]).toBe(kept)
    expect(request.messages[1]).toBe(message)
    expect(message.content[0]).toEqual({ ...block, text: 'new' })
    expect(message.content[1]).toBe(block)
  })

  it('does not change an object that the caller uses elsewhere too', () => {
    const output = Object.freeze([{ type: 'text', text: 'what the tool said' }])
    const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: output })
    const first = { role: 'user', content: [result('c1'), result('c2')] }
    const messages = [first, { role: 'user', content: [result('c3')] }]
    applyEdits({ messages }, [
      { pointer: '/messages/0/content/0/content/0/text', value: '[1]' },
      { pointer: '/messages/0/content/1/content/0/text', value: '[2]' },
    ])
    expect(first.content.map(({ content }) => content)).toEqual([
      [{ type: 'text', text: '[1]' }],
      [{ type: 'text', text: '[2]' }],
    ])
    expect(messages[1]?.content[0]?.content).toBe(output)
    expect(output).toEqual([{ type: 'text', text: 'what the tool said' }])
  })

  it('reads ~1 and ~0 in pointers, and values of any kind', () => {
    const request = { 'a/b': { 'm~n': 1 }, list: [null] }
    applyEdits(request, [
      { pointer: '/a~1b/m~0n', value: { deep: true } },
      { pointer: '/list/0', value: 'x' },
    ])
    expect(request).toEqual({ 'a/b': { 'm~n': { deep: true } }, list: ['x'] })
  })

  it('edits a bare list of messages', () => {
    expect(applyEdits([{ content: 'a' }], [{ pointer: '/0/content', value: 'b' }])).toEqual([
      { content: 'b' },
    ])
  })

  it('refuses a pointer to nothing, and then changes nothing', () => {
    const request = { messages: [{ content: 'a' }] }
    for (const pointer of [
      '/messages/1/content',
      '/messages/0/text',
      '/messages/-/content',
      '/messages/0/content/0',
      '/__proto__/x',
      '/constructor',
      '/messages/length',
      'messages/0/content',
      '',
    ]) {
      const edits = [
        { pointer: '/messages/0/content', value: 'b' },
        { pointer, value: 'c' },
      ]
      expect(() => applyEdits(request, edits)).toThrow(/points at nothing in the request; nothing/)
      expect(request).toEqual({ messages: [{ content: 'a' }] })
    }
  })

  it('refuses a frozen message, and then changes nothing', () => {
    const request = { messages: [{ content: 'a' }, Object.freeze({ content: 'b' })] }
    const edits = [0, 1].map((index) => ({ pointer: `/messages/${index}/content`, value: 'x' }))
    expect(() => applyEdits(request, edits)).toThrow(/^\/messages\/1\/content can't be written/)
    expect(request).toEqual({ messages: [{ content: 'a' }, { content: 'b' }] })
  })

  it('refuses a message that changed since it was sent, and then changes nothing', () => {
    const tool = (id: string, content: string) => ({ role: 'tool', tool_call_id: id, content })
    const messages = [tool('a', 'same'), tool('b', 'same'), tool('c', 'other')]
    const sent = JSON.stringify(messages)
    const edits = [{ pointer: '/0/content', value: 'x' }]
    expect(applyEdits(structuredClone(messages), edits, sent)[0]).toEqual(tool('a', 'x'))
    messages.shift()
    const after = structuredClone(messages)
    expect(() => applyEdits(messages, edits, sent)).toThrow('/0 has changed since it was sent')
    expect(messages).toEqual(after)
  })
})

describe('editOf', () => {
  it('sets the placeholder, or the value around it where the answer has one', () => {
    expect(editOf({ pointer: '/a', placeholder: '[x]' })).toEqual({ pointer: '/a', value: '[x]' })
    const value = { type: 'text', value: '[x]' }
    expect(editOf({ pointer: '/a', placeholder: '[x]', value })).toEqual({ pointer: '/a', value })
  })
})
