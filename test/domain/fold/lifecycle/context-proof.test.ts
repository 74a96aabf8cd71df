import { describe, expect, it } from 'vitest'
import { holdsOnlyFold } from '../../../../src/domain/fold/lifecycle/context-proof.ts'
import type { Piece, Reading } from '../../../../src/domain/transcript/lens.ts'

const FOLD = '# FOLD\n\nIt is so [FINDING-001].\n'

const text = (pointer: string, said: string): Piece => ({ pointer, text: said })
const result = (pointer: string, said = 'raw'): Piece => ({ pointer, text: said, result: pointer })
const fold = text('/f', `Here it is:\n\n${FOLD}\nGo on.`)

const holds = (
  pieces: readonly Piece[],
  known: { masked?: readonly string[]; older?: readonly string[] } = {},
): boolean => {
  const reading: Reading = { pieces, results: [], calls: [], turns: 0 }
  const { masked = [], older = [] } = known
  return holdsOnlyFold(reading, FOLD, { masked: new Set(masked), older: new Set(older) })
}

describe('holdsOnlyFold', () => {
  it('asks for the fold itself', () => {
    expect(holds([])).toBe(false)
    expect(holds([text('/1', '# FOLD')])).toBe(false)
    expect(holds([text('/1', 'Hello.'), fold])).toBe(true)
    expect(holds([result('/r', FOLD)])).toBe(true)
  })

  it('takes no result before it that the mission did not mask', () => {
    expect(holds([result('/r'), fold])).toBe(false)
    expect(holds([result('/r', '[masked: grep result]'), fold])).toBe(false)
    expect(holds([{ pointer: '/r', image: {}, result: '/r' }, fold])).toBe(false)
    expect(holds([result('/r'), fold], { masked: ['/r'] })).toBe(true)
  })

  it('takes a result behind it unless that is older than it', () => {
    expect(holds([fold, result('/r')])).toBe(true)
    expect(holds([fold, result('/r')], { older: ['/r'] })).toBe(false)
    expect(holds([fold, result('/r')], { older: ['/r'], masked: ['/r'] })).toBe(true)
  })
})
