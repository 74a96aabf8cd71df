import { describe, expect, it } from 'vitest'
import { parseFindings } from '../../../../src/domain/fold/documents/findings/findings-document.ts'
import { FINDINGS, foldWith, issuesOf, judge, withChange } from '../../../support/fold-case.ts'

const refs = [...parseFindings(FINDINGS).refs]
const [first = '', , third = ''] = refs
const all = new Map(refs.map((ref) => [ref, 'ok' as const]))

describe('refs_resolve', () => {
  it('accepts findings whose refs all resolve', () => {
    expect(refs).toHaveLength(3)
    expect(judge({ resolved_refs: all }).accepted).toBe(true)
  })

  it('names the finding whose ref is missing or corrupt, at its line in the index', () => {
    const missing = new Map([...all].filter(([ref]) => ref !== third))
    expect(issuesOf(judge({ resolved_refs: missing }), 'refs_resolve')).toEqual([
      'ref_missing 18:1 FINDING-021',
    ])
    const corrupt = judge({ resolved_refs: new Map([...all, [first, 'corrupt']]) })
    expect(corrupt.accepted).toBe(false)
    expect(issuesOf(corrupt, 'refs_resolve')).toEqual(['ref_corrupt 16:1 FINDING-017'])
    const unlisted = judge({
      resolved_refs: missing,
      fold_md: foldWith('FINDING-021 | M | lib/tasks/**  (ruled_out)', ''),
    })
    expect(issuesOf(unlisted, 'refs_resolve')).toEqual(['ref_missing 14:1 FINDING-021'])
  })

  it('wants an excerpt of every finding with a record, and of none that is only mentioned', () => {
    const findings_md = `${withChange(FINDINGS, `    excerpt_ref: ${third}\n`, '')}\nAs FINDING-9 says.\n`
    expect(issuesOf(judge({ resolved_refs: all, findings_md }), 'refs_resolve')).toEqual([
      'excerpt_missing 18:1 FINDING-021',
    ])
  })

  it('looks at refs outside every record too, and takes a short ref for missing', () => {
    const findings_md = `See memex://excerpt/7f31ab first.\n\n${FINDINGS}`
    expect(issuesOf(judge({ resolved_refs: all, findings_md }), 'refs_resolve')).toEqual([
      'ref_missing 14:1',
    ])
  })
})
