import { describe, expect, it } from 'vitest'
import {
  BLOCK_CAPS,
  BLOCK_LABELS,
  measureBlock,
} from '../../../../src/domain/memory/entries/block.ts'

const FAMILY = '👨‍👩‍👧‍👦'

describe('measureBlock', () => {
  it.each(BLOCK_LABELS)(
    'takes the block %s up to its cap and refuses one character more',
    (label) => {
      const cap = BLOCK_CAPS[label]
      if (cap === null) {
        expect(measureBlock(label, 'x'.repeat(50_000))).toMatchObject({ ok: true })
        return
      }
      expect(measureBlock(label, 'x'.repeat(cap))).toEqual({
        ok: true,
        value: { label, characters: cap, cap },
      })
      expect(measureBlock(label, 'x'.repeat(cap + 1))).toMatchObject({
        ok: false,
        error: { code: 'block_over_cap', members: { characters: cap + 1, cap } },
      })
    },
  )

  it('counts a family emoji as one character, as a person does', () => {
    expect(measureBlock('reference', FAMILY.repeat(200))).toMatchObject({
      ok: true,
      value: { characters: 200 },
    })
    expect(measureBlock('reference', FAMILY.repeat(201))).toMatchObject({ ok: false })
  })

  it.each([
    ['tag characters', '\u{e0041}'.repeat(29_000)],
    ['accents', '\u0301'.repeat(199_000)],
  ])('counts %s on one letter against the cap', (_, hidden) => {
    expect(measureBlock('reference', `x${hidden}`)).toMatchObject({
      ok: false,
      error: { code: 'block_over_cap' },
    })
  })
})
