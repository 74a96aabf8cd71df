import { describe, expect, it } from 'vitest'
import { createMeasure } from '../../../src/cli/replay/measure.ts'
import { sessionOf } from '../../../src/cli/replay/session.ts'

const words = (text: string): number => text.split(/\s+/).filter((word) => word !== '').length

const result = (id: string, text: string) => ({
  type: 'tool_result',
  tool_use_id: id,
  content: [{ type: 'text', text }],
})
const user = {
  role: 'user',
  content: [{ type: 'text', text: 'one two' }, result('a', 'three four five'), result('b', 'six')],
}
const request = { model: 'm', system: 'you are an agent', messages: [user] }

describe('createMeasure', () => {
  const measure = createMeasure(sessionOf(request, 'test', new Map()), words)

  it('counts what stands before the messages separately from each message', () => {
    expect(measure.frame).toBe(4)
    expect(measure.tokensOf(user)).toBe(6)
  })

  it('knows how much of a message stands before an edited place, its text or the value around it', () => {
    expect(measure.tokensBefore(user, '/content/1/content/0/text')).toBe(2)
    expect(measure.tokensBefore(user, '/content/2/content')).toBe(5)
    expect(measure.tokensBefore(user, '/content/0/text')).toBe(0)
  })
})
