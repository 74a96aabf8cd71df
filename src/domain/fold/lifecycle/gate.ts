import type { FoldingState, HasFold } from './folding.ts'

interface GateItem {
  readonly id: string
  readonly holds: boolean
  readonly evidence: string
}

interface ExitGate {
  readonly holds: boolean
  readonly items: readonly GateItem[]
}

/** What must hold before a mission leaves abstract: all six, or the phase does not advance (seed). */
export function exitGate(state: HasFold): ExitGate {
  const { folding } = state
  const items = [cleanContext, fiveSections, validated, evidenceThere, onlyFold, ratioKnown].map(
    (item) => item(folding),
  )
  return { holds: items.every((item) => item.holds), items }
}

const cleanContext = ({ accepted }: FoldingState): GateItem => ({
  id: 'clean_context_fold',
  holds: accepted !== null,
  evidence:
    accepted === null ? 'no accepted fold' : `made from the prompt ${accepted.prompt_sha256}`,
})

const fiveSections = ({ accepted }: FoldingState): GateItem => ({
  id: 'five_sections',
  holds: accepted?.sections ?? false,
  evidence: accepted === null ? 'no accepted fold' : 'the check sections_in_order passed',
})

const validated = ({ accepted }: FoldingState): GateItem => ({
  id: 'validation_passed',
  holds: accepted !== null,
  evidence:
    accepted === null
      ? 'no accepted fold'
      : `all checks of rules_version ${accepted.rules_version} passed`,
})

// A fold is accepted only where refs_resolve passed: every finding that needs an excerpt has it.
const evidenceThere = ({ accepted }: FoldingState): GateItem => ({
  id: 'memex_populated',
  holds: accepted !== null,
  evidence:
    accepted === null
      ? 'no accepted fold'
      : accepted.refs === 0
        ? 'no finding of findings.md has evidence of its own to keep'
        : `${accepted.refs} excerpt refs of findings.md resolve and hash to themselves`,
})

const onlyFold = ({ proved_at }: FoldingState): GateItem => ({
  id: 'context_holds_only_fold',
  holds: proved_at !== null,
  evidence:
    proved_at === null
      ? 'no context report shows the fold without older, unmasked tool results'
      : `shown by the context report of ${proved_at}`,
})

const ratioKnown = ({ accepted }: FoldingState): GateItem => ({
  id: 'fold_ratio_recorded',
  holds: accepted !== null && accepted.fold_ratio !== null,
  evidence:
    accepted === null || accepted.fold_ratio === null
      ? 'no fold_ratio: submit the accepted fold again with trajectory_tokens, the size of the Locate trajectory'
      : `fold_ratio ${accepted.fold_ratio}`,
})
