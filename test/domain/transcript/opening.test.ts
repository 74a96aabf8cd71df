import { describe, expect, it } from 'vitest'
import { openingOf } from '../../../src/domain/transcript/opening.ts'

const user = (content: unknown) => ({ role: 'user', content })
const assistant = { role: 'assistant', content: 'I look.' }

describe('the opening of a conversation', () => {
  it('is the same for every call of it', () => {
    const first = openingOf({ system: 'Be brief.', messages: [user('Find it.')] })
    const later = { system: 'Be brief.', messages: [user('Find it.'), assistant, user('Go on.')] }
    expect(openingOf(later)).toBe(first)
  })

  it('is another for other instructions or another first question', () => {
    const openings = [
      openingOf({ system: 'Be brief.', messages: [user('Find it.')] }),
      openingOf({ system: 'Be long.', messages: [user('Find it.')] }),
      openingOf({ system: 'Be brief.', messages: [user('Lose it.')] }),
      openingOf({ messages: [{ role: 'system', content: 'Be brief.' }, user('Find it.')] }),
      openingOf({ contents: [{ role: 'user', parts: [{ text: 'Find it.' }] }] }),
    ]
    expect(new Set(openings).size).toBe(openings.length)
  })

  it('does not change with what clients move from call to call', () => {
    const marked = { type: 'text', text: 'Find it.', cache_control: { type: 'ephemeral' } }
    expect(openingOf({ messages: [user([marked])] })).toBe(
      openingOf({ messages: [user([{ type: 'text', text: 'Find it.' }])] }),
    )
  })

  it('does not change with a mark that stands by itself', () => {
    const text = { text: 'Find it.' }
    const mark = { cachePoint: { type: 'default' } }
    const marked = { system: [text, mark], messages: [user([text, mark])] }
    expect(openingOf(marked)).toBe(openingOf({ system: [text], messages: [user([text])] }))
  })

  it('is the first message where no user speaks, and nothing where there is no message', () => {
    expect(openingOf([assistant, { role: 'tool', content: 'x' }])).toBe(openingOf([assistant]))
    expect(openingOf({ prompt: 'x' })).toBeNull()
  })
})
