import { failure } from '../../failure.ts'
import type { Failure } from '../../failure.ts'
import { err, ok } from '../../result.ts'
import type { Result } from '../../result.ts'
import { countCharacters } from '../text/characters.ts'

export const BLOCK_LABELS = ['system', 'task_state', 'working', 'reference'] as const
type BlockLabel = (typeof BLOCK_LABELS)[number]

/** The hard cap of each block in characters (seed step 11); working memory is only monitored. */
export const BLOCK_CAPS: Readonly<Record<BlockLabel, number | null>> = {
  system: 1000,
  task_state: 500,
  working: null,
  reference: 200,
}

export interface BlockSize {
  readonly label: BlockLabel
  readonly characters: number
  readonly cap: number | null
}

/** How long a block is; one over its cap is `block_over_cap` and never cut. */
export function measureBlock(label: BlockLabel, text: string): Result<BlockSize, Failure> {
  const cap = BLOCK_CAPS[label]
  const characters = countCharacters(text)
  if (cap === null || characters <= cap) return ok({ label, characters, cap })
  const detail = `${characters} characters, ${characters - cap} over the ${cap} of ${label}`
  return err(
    failure('block_over_cap', {
      detail,
      errors: [{ pointer: '/text', detail }],
      members: { characters, cap },
    }),
  )
}
