import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readSessions } from '../../../src/cli/replay/session.ts'
import { emptyFolder } from '../foldex.ts'

const messages = [
  { role: 'user', content: 'go' },
  { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'ls', input: {} }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'a\nb' }] },
  { role: 'assistant', content: 'done' },
]

function file(value: unknown, name = 'session.json'): string {
  const path = join(emptyFolder(), name)
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value))
  return path
}

describe('readSessions', () => {
  it('reads a provider request: each assistant message is a call of what stands before it', () => {
    const [session] = readSessions(file({ model: 'm', max_tokens: 9, messages }))
    expect(session).toMatchObject({ model: 'm', pointer: '/messages', calls: [1, 3] })
    expect(session?.withMessages([])).toEqual({ model: 'm', max_tokens: 9, messages: [] })
    expect(session?.lens.name).toBe('anthropic_messages')
  })

  it('reads a bare list, and a list of sessions', () => {
    const [bare] = readSessions(file(messages))
    expect(bare).toMatchObject({ model: null, pointer: '', calls: [1, 3] })
    expect(bare?.withMessages([])).toEqual([])
    const many = readSessions(file([{ messages }, { task_id: 2, messages }]))
    expect(many.map(({ name }) => name)).toEqual(['session.json#1', 'session.json#2'])
  })

  it('does not take the greeting of an assistant for a call', () => {
    const [session] = readSessions(file([{ role: 'assistant', content: 'hello' }, ...messages]))
    expect(session?.calls).toEqual([2, 4])
  })

  it('finds what the provider counted in the usage file beside it', () => {
    const path = file({ messages })
    const usage = [{ message: 1, model: 'm', input_tokens: 7, output_tokens: 1 }]
    writeFileSync(path.replace('.json', '.usage.json'), JSON.stringify(usage))
    expect(readSessions(path)[0]?.usage).toEqual(
      new Map([[1, { input_tokens: 7, output_tokens: 1 }]]),
    )
    expect(readSessions(file({ messages }))[0]?.usage.size).toBe(0)
  })

  it('says in one line why a file is no session', () => {
    expect(() => readSessions('missing.json')).toThrow("can't read missing.json")
    expect(() => readSessions(file('{'))).toThrow(/is not JSON$/)
    expect(() => readSessions(file({ a: 1 }))).toThrow(
      /^session\.json is no session .*the keys "a"/,
    )
    expect(() => readSessions(file({ messages: [{ role: 'user', content: 5 }] }))).toThrow(
      /^session\.json is no session/,
    )
  })
})
