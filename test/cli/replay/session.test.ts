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
  it('reads a provider request, with each assistant message as a call that sent what stands before it', async () => {
    const [session] = await readSessions(file({ model: 'm', max_tokens: 9, messages }))
    expect(session).toMatchObject({ model: 'm', pointer: '/messages', calls: [1, 3] })
    expect(session?.withMessages([])).toEqual({ model: 'm', max_tokens: 9, messages: [] })
    expect(session?.lens.name).toBe('anthropic_messages')
  })

  it('reads a bare list, and a list of sessions', async () => {
    const [bare] = await readSessions(file(messages))
    expect(bare).toMatchObject({ model: null, pointer: '', calls: [1, 3] })
    expect(bare?.withMessages([])).toEqual([])
    const many = await readSessions(file([{ messages }, { task_id: 2, messages }]))
    expect(many.map(({ name }) => name)).toEqual(['session.json#1', 'session.json#2'])
  })

  it('does not count the greeting of an assistant as a call', async () => {
    const [session] = await readSessions(
      file([{ role: 'assistant', content: 'hello' }, ...messages]),
    )
    expect(session?.calls).toEqual([2, 4])
  })

  it('reads what the provider counted from the usage file beside it', async () => {
    const path = file({ messages })
    const usage = [{ message: 1, model: 'm', input_tokens: 7, output_tokens: 1 }]
    writeFileSync(path.replace('.json', '.usage.json'), JSON.stringify(usage))
    expect((await readSessions(path))[0]?.usage).toEqual(
      new Map([[1, { input_tokens: 7, output_tokens: 1 }]]),
    )
    expect((await readSessions(file({ messages })))[0]?.usage.size).toBe(0)
    const bare = file(messages, 'without-extension')
    expect((await readSessions(bare))[0]?.usage.size).toBe(0)
  })

  it('leaves out what the provider counted of a compacted transcript, marked or plain to see', async () => {
    const counted = async (...rows: readonly object[]) => {
      const path = file({ messages })
      const usage = rows.map((row, index) => ({ message: index, output_tokens: 1, ...row }))
      writeFileSync(path.replace('.json', '.usage.json'), JSON.stringify(usage))
      return [...((await readSessions(path))[0]?.usage.keys() ?? [])]
    }
    const rows = [900, 1_000, 970, 1_200].map((input_tokens) => ({ input_tokens }))
    expect(await counted(...rows)).toEqual([0, 1, 2, 3])
    expect(await counted(...rows, { input_tokens: 1_100, compaction: true }, ...rows)).toEqual([
      0, 1, 2, 3,
    ])
    expect(await counted(...rows, { input_tokens: 300 }, { input_tokens: 400 })).toEqual([
      0, 1, 2, 3,
    ])
    expect(await counted(...rows, { input_tokens: 0 }, { input_tokens: 1_300 })).toHaveLength(6)
  })

  it('says in one line why a file is no session', async () => {
    await expect(readSessions('missing.json')).rejects.toThrow("can't read missing.json")
    await expect(readSessions(file('{'))).rejects.toThrow(/is not JSON$/)
    await expect(readSessions(file({ a: 1 }))).rejects.toThrow(
      /^session\.json is no session .*the keys "a"/,
    )
    await expect(readSessions(file({ messages: [{ role: 'user', content: 5 }] }))).rejects.toThrow(
      /^session\.json is no session/,
    )
  })
})
