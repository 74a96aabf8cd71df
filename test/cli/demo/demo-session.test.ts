import { describe, expect, it } from 'vitest'
import { demoSession, LEAST_TURNS } from '../../../src/cli/demo/demo-session.ts'
import { readProject } from '../../../src/cli/demo/project-files.ts'
import { listFiles, readFile, search } from '../../../src/cli/demo/tools.ts'
import { ROOT } from '../foldex.ts'

describe('demoSession', () => {
  const session = demoSession(readProject(ROOT))

  it('has at least 150 turns and 500 KB', () => {
    const turns = session.messages.filter(({ role }) => role === 'assistant').length
    expect(turns).toBeGreaterThanOrEqual(LEAST_TURNS)
    expect(JSON.stringify(session).length).toBeGreaterThanOrEqual(500_000)
  })

  it('is byte for byte the same for the same files', () => {
    expect(JSON.stringify(demoSession(readProject(ROOT)))).toBe(JSON.stringify(session))
  })

  it('has a result for every call, with errors and parallel calls among them', () => {
    const blocks = session.messages.flatMap(({ content }) =>
      Array.isArray(content) ? (content as Record<string, unknown>[]) : [],
    )
    const calls = blocks.filter(({ type }) => type === 'tool_use').map(({ id }) => id)
    const results = blocks.filter(({ type }) => type === 'tool_result')
    expect(results.map(({ tool_use_id }) => tool_use_id)).toEqual(calls)
    expect(new Set(calls).size).toBe(calls.length)
    expect(results.some(({ is_error }) => is_error === true)).toBe(true)
  })
})

describe('the tools', () => {
  const files = new Map([
    ['README.md', '# Ünï\n'],
    ['src/a.ts', 'export const a = 1\nconst b = a\n'],
    ['src/b.ts', 'import { a } from "./a.ts"\n'],
  ])

  it('print what ls, cat -n and grep -rn print', () => {
    expect(listFiles(files, '.').text).toContain('       8 README.md')
    expect(listFiles(files, 'src').text.split('\n')).toHaveLength(2)
    expect(readFile(files, 'src/a.ts').text).toBe('     1\texport const a = 1\n     2\tconst b = a')
    expect(search(files, 'a.ts').text).toBe('src/b.ts:1:import { a } from "./a.ts"')
    expect(search(files, 'nowhere').text).toBe('No matches.')
  })

  it('answer an error for a path that does not exist', () => {
    const failed = { text: 'ENOENT: no such file or directory: docs', is_error: true }
    expect(listFiles(files, 'docs')).toEqual(failed)
    expect(readFile(files, 'docs')).toEqual(failed)
  })
})
