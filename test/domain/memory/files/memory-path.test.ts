import { describe, expect, it } from 'vitest'
import { parseMemoryPath } from '../../../../src/domain/memory/files/memory-path.ts'

describe('parseMemoryPath', () => {
  it('parses the path of every file of the tree', () => {
    expect(parseMemoryPath('mission.md')).toEqual({ file: 'document', name: 'mission.md' })
    expect(parseMemoryPath('fold.md')).toEqual({ file: 'document', name: 'fold.md' })
    expect(parseMemoryPath('masking-log.md')).toEqual({ file: 'log', log: 'masking' })
    expect(parseMemoryPath('summarization-log.md')).toEqual({ file: 'log', log: 'summary' })
    expect(parseMemoryPath('2026-11-30.md')).toEqual({ file: 'day', day: '2026-11-30' })
    const path = 'extracts/task-123-turn-5-2.md'
    expect(parseMemoryPath(path)).toEqual({ file: 'extract', path })
  })

  it.each([
    '',
    '.',
    '..',
    '/mission.md',
    '../mission.md',
    'extracts',
    'extracts/',
    'extracts/../mission.md',
    'extracts/a/../../b-turn-1.md',
    'extracts/-turn-1.md',
    'extracts/a-turn-01.md',
    'extracts/a-turn-1-0.md',
    'extracts/a-turn-1-2-3.md',
    'extracts/a-turn-.md',
    'extracts/a.md',
    'extracts/é-turn-1.md',
    'extracts/a-turn-1.md\n',
    `extracts/${'a'.repeat(200)}-turn-1.md`,
    '2026-13-01.md',
    '2026-02-30.md',
    '2026-11-30.md.md',
    'Mission.md',
    'notes.md',
    'constructor',
  ])('refuses the path %j', (path) => {
    expect(parseMemoryPath(path)).toBeNull()
  })
})
