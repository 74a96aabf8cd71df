import { placeOf, type Facts } from './facts.ts'
import type { Issue } from './verdict.ts'

/** Every finding with a record has an excerpt, and every ref is in the Memex with the bytes it names. */
export function* refsResolve({ findings, fold, index, resolved_refs }: Facts): Iterable<Issue> {
  if (resolved_refs === null) return
  for (const { id, line, refs, has_record } of findings.findings.values()) {
    const place = index.listed.get(id) ?? placeOf(fold, 3)
    if (has_record && refs.size === 0)
      yield {
        code: 'excerpt_missing',
        message: `${id} (findings.md line ${line}) names no excerpt.`,
        ...place,
        id,
        hint: 'Store the lines it was seen in, and name them as excerpt_ref.',
      }
    for (const ref of refs) yield* refIssue(ref, `${id} names`, { ...place, id }, resolved_refs)
  }
  const owned = new Set([...findings.findings.values()].flatMap(({ refs }) => [...refs]))
  for (const ref of findings.refs)
    if (!owned.has(ref)) yield* refIssue(ref, 'findings.md names', placeOf(fold, 3), resolved_refs)
}

function* refIssue(
  ref: string,
  named: string,
  place: Pick<Issue, 'line' | 'column' | 'id'>,
  resolved: NonNullable<Facts['resolved_refs']>,
): Iterable<Issue> {
  const state = resolved.get(ref) ?? 'missing'
  if (state === 'missing')
    yield {
      code: 'ref_missing',
      message: `${named} ${ref}, which is not in this mission's Memex.`,
      ...place,
      hint: 'Write the excerpt first; a ref is memex://excerpt/ and its 64 lower-case hex digits.',
    }
  if (state === 'corrupt')
    yield {
      code: 'ref_corrupt',
      message: `${named} ${ref}, whose stored bytes no longer hash to it.`,
      ...place,
      hint: 'The evidence is damaged: store the excerpt again from its source.',
    }
}
