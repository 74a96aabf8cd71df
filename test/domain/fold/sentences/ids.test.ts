import { describe, expect, it } from 'vitest'
import { idAt, idsIn } from '../../../../src/domain/fold/sentences/ids.ts'

const ids = (text: string): string =>
  idsIn(text)
    .map(({ id }) => id)
    .join(' ')

describe('idsIn', () => {
  it.each([
    ['FINDING-1 FINDING-10', 'FINDING-1 FINDING-10'],
    ['FINDING-002, FINDING-0025', 'FINDING-002 FINDING-0025'],
    ['[FINDING-017]. (GAP-003) `ET-1` "FINDING-2"', 'FINDING-017 GAP-003 ET-1 FINDING-2'],
    ['**FINDING-01 (H):** _GAP-1_ __GAP-2__', 'FINDING-01 GAP-1 GAP-2'],
    ['id: FINDING-001\tFINDING-017:', 'FINDING-001 FINDING-017'],
    ['見つかったFINDING-017が、GAP-1。', 'FINDING-017 GAP-1'],
    ['⚠️FINDING-1 🔥GAP-2', 'FINDING-1 GAP-2'],
    ['FINDING-12345678901234567890', 'FINDING-12345678901234567890'],
    ['see FINDING-1.', 'FINDING-1'],
    ['-FINDING-1', 'FINDING-1'],
  ])('reads %j as %j', (text, expected) => {
    expect(ids(text)).toBe(expected)
  })

  it.each([
    'FINDING-XXX FINDING-<NNN> GAP-nnn FINDING-{N} ET-<n> FINDING-00X FINDING-',
    'finding-001 Finding-001 FINDING001 FINDING_001 FINDING 001',
    'QA-FINDING-001 MY_FINDING-001 XFINDING-001 BUDGET-1 STOPGAP-1',
    'FINDING-001a FINDING-001_b FINDING-001-draft FINDING-001é éFINDING-001',
    'FINDING-０01 FINDING-00１ FINDING-٠١',
    'FІNDING-001 FINDING‑001 FINDING–001 GАP-001',
    'FIND\u200bING-001 FINDING-\u200b001 FINDING-00\u200b1 FINDING-001\u200d \ufeffFINDING-1',
    'FINDING-001\u00ad FINDING-001\ufe0f FINDING-001\u0301',
  ])('finds no id in %j', (text) => {
    expect(ids(text)).toBe('')
  })

  it('reads the ends of lists and ranges that share a prefix', () => {
    expect(ids('confirmed via FINDING-017/018/019')).toBe('FINDING-017 FINDING-018 FINDING-019')
    expect(ids('FINDING-001..003 GAP-1–4 GAP-5-7')).toBe(
      'FINDING-001 FINDING-003 GAP-1 GAP-4 GAP-5 GAP-7',
    )
    expect(ids('FINDING-001..FINDING-003')).toBe('FINDING-001 FINDING-003')
    expect(ids('FINDING-017/18 FINDING-1/x FINDING-001...')).toBe(
      'FINDING-017 FINDING-1 FINDING-001',
    )
  })

  it('says where each mention stands', () => {
    expect(idsIn('a GAP-01/02')).toEqual([
      { kind: 'GAP', id: 'GAP-01', start: 2, end: 8 },
      { kind: 'GAP', id: 'GAP-02', start: 9, end: 11 },
    ])
  })
})

describe('idAt', () => {
  it('reads an id only where it starts exactly', () => {
    expect(idAt('x FINDING-7 y', 2)?.id).toBe('FINDING-7')
    expect(idAt('x FINDING-7 y', 1)).toBeNull()
    expect(idAt('FINDING-70', 0)?.end).toBe(10)
    expect(idAt('FINDING-7x', 0)).toBeNull()
  })
})
