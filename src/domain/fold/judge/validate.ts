import type { CountTokens } from '../../tokens.ts'
import { sentencesCiteFindings } from '../checks/answer.ts'
import { findingsIndexed, gapsListed, noInventedIds } from '../checks/coverage.ts'
import { refsResolve } from '../checks/evidence.ts'
import { sectionOf, type Facts, type RefState } from '../checks/facts.ts'
import { indexIsFlat } from '../checks/flat-index.ts'
import { headerVerbatim } from '../checks/header.ts'
import { FENCED_HINT, preambleWarnings, sectionsInOrder } from '../checks/sections.ts'
import { answerWithinLimit, foldWithinLimit, sizesOf, type Sizes } from '../checks/size.ts'
import { declaredAndFired, triggersLogged, triggerWarnings } from '../checks/triggers.ts'
import {
  CHECKS,
  type Check,
  type CheckId,
  type Issue,
  type Verdict,
  type Warning,
} from '../checks/verdict.ts'
import { RULES_VERSION } from '../documents/contract.ts'
import { parseFindings } from '../documents/findings/findings-document.ts'
import { parseFold } from '../documents/fold-document.ts'
import { readIndex } from '../documents/index-lines.ts'
import { parseMission } from '../documents/mission-document.ts'
import { triggerName } from '../documents/triggers.ts'
import { splitSentences } from '../sentences/sentences.ts'
import { cannotFit, capacityOf } from './capacity.ts'
import { withRatio } from './ratio.ts'

/** The documents as text, the tokenizer, and what was looked up for them. */
export interface FoldInput {
  readonly mission_md: string
  readonly findings_md: string
  readonly fold_md: string
  readonly count: CountTokens
  /** Tokens of the Locate trajectory; without them the verdict has no fold_ratio. */
  readonly trajectory_tokens?: number
  /** Triggers that the mission recorded as fired, beside those in findings.md. */
  readonly recorded_triggers?: readonly string[]
  /** What became of each excerpt ref of findings.md; without them refs_resolve is not checked. */
  readonly resolved_refs?: ReadonlyMap<string, RefState>
}

/**
 * Judges a fold against its mission and findings: pure, synchronous, in time linear in the documents'
 * length (counting tokens aside). Never fails: what can't be read is an issue.
 */
export function validateFold(input: FoldInput): Verdict {
  const facts = factsOf(input)
  const sizes = sizesOf(facts.fold, facts.count)
  const checks = checksOf(facts, sizes)
  const accepted = checks.every(({ passed }) => passed)
  const verdict: Verdict = {
    accepted,
    rules_version: RULES_VERSION,
    checks,
    warnings: [...warningsOf(facts), ...(accepted ? [] : capacityWarnings(facts))],
    counts: {
      findings: facts.findings.findings.size,
      gaps: facts.findings.gaps.size,
      triggers: declaredAndFired(facts).length,
      sentences: facts.sentences.length,
    },
    tokens: { ...sizes, encoding: 'o200k_base' },
  }
  return withRatio(verdict, input.trajectory_tokens)
}

function factsOf(input: FoldInput): Facts {
  const findings = parseFindings(input.findings_md)
  const fold = parseFold(input.fold_md)
  return {
    mission: parseMission(input.mission_md),
    findings,
    fold,
    index: readIndex(sectionOf(fold, 3)?.lines ?? []),
    sentences: splitSentences(sectionOf(fold, 2)?.lines ?? []),
    fired: new Set([...findings.fired.keys(), ...(input.recorded_triggers ?? []).map(triggerName)]),
    resolved_refs: input.resolved_refs ?? null,
    count: input.count,
  }
}

const JUDGES: Readonly<Record<CheckId, (facts: Facts, sizes: Sizes) => Iterable<Issue>>> = {
  findings_indexed: findingsIndexed,
  gaps_listed: gapsListed,
  triggers_logged: triggersLogged,
  answer_within_200_tokens: answerWithinLimit,
  fold_within_2000_tokens: foldWithinLimit,
  sentences_cite_findings: sentencesCiteFindings,
  sections_in_order: sectionsInOrder,
  header_verbatim: headerVerbatim,
  index_is_flat: indexIsFlat,
  no_invented_ids: noInventedIds,
  refs_resolve: refsResolve,
}

function checksOf(facts: Facts, sizes: Sizes): readonly Check[] {
  const ids = Object.keys(CHECKS) as CheckId[]
  return ids
    .filter((id) => id !== 'refs_resolve' || facts.resolved_refs !== null)
    .map((id) => {
      const found = capped(JUDGES[id](facts, sizes))
      const issues =
        facts.fold.fenced === null ? found : found.map((one) => ({ ...one, hint: FENCED_HINT }))
      return { id, contract: CHECKS[id].contract, passed: issues.length === 0, issues }
    })
}

/** Issues of one check that a verdict names; the rest is a number, so that a verdict stays small. */
const MOST_ISSUES = 200

function capped(all: Iterable<Issue>): readonly Issue[] {
  const issues: Issue[] = []
  let more = 0
  for (const issue of all)
    if (issues.length < MOST_ISSUES) issues.push(issue)
    else more += 1
  const last = issues.at(-1)
  if (last === undefined || more === 0) return issues
  return [
    ...issues,
    {
      code: 'more_issues',
      message: `${more} more like these.`,
      line: last.line,
      column: last.column,
      hint: 'They show when the first are mended.',
    },
  ]
}

const warningsOf = (facts: Facts): readonly Warning[] => [
  ...triggerWarnings(facts),
  ...preambleWarnings(facts),
]

/** A fold that was accepted has shown that it fits. */
function capacityWarnings(facts: Facts): readonly Warning[] {
  const triggers = declaredAndFired(facts)
  const capacity = capacityOf(facts.mission, facts.findings, triggers, facts.count)
  return capacity.findings > capacity.fits ? [cannotFit(capacity)] : []
}
