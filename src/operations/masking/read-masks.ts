import { extractedKeys } from '../../domain/masking/extract-paths.ts'
import type { ToolResult } from '../../domain/transcript/lens.ts'
import { candidateKeys } from '../../domain/masking/recognise.ts'
import type { MaskRecord } from '../../domain/masking/recognise.ts'
import type { Deps, Owner, View } from '../../ports.ts'
import { foundRecords } from '../found-records.ts'

/** A mission with what it knows of a transcript's placeholders and extracts; null without one. */
export async function maskedView(
  deps: Pick<Deps, 'missions'>,
  owner: Owner,
  results: readonly ToolResult[],
): Promise<View | null> {
  if (deps.missions === null) return null
  return deps.missions.read(owner, [
    { kind: 'masked', keys: candidateKeys(results) },
    { kind: 'extracted', keys: extractedKeys(results) },
  ])
}

/** The records of what was masked here, as the mission's object found them. */
export const recordsOf = (view: View | null): readonly MaskRecord[] =>
  foundRecords(view, 'masked').flatMap(({ body }) => body)
