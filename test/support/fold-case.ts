import { validateFold, type FoldInput } from '../../src/domain/fold/validate.ts'
import type { CheckId, Issue, Verdict } from '../../src/domain/fold/verdict.ts'
import { count } from './count-tokens.ts'

/** A mission of ours: who pays out refunds, told in the book's form. */
export const MISSION = `# MISSION BRIEF

**MISSION-ID:** \`20261130-001\`
**Created:** \`2026-11-30T08:00:00Z\`

## GOAL

Map all code paths that pay out refunds.

## DECISION_TARGET

Which jobs write to \`refunds\`, and is each write
guarded by a limit check?

### Sub-questions

- \`DT-1\` — Which jobs write?
- \`DT-2\` — Which writes are guarded?

## SCOPE

### Include (path globs)

\`\`\`
app/jobs/**
app/models/refund*.rb
\`\`\`

### Exclude (path globs)

\`\`\`
vendor/**
\`\`\`

## BUDGET

| Field | Value |
|-------|-------|
| \`max_tool_calls\` | 60 |

## STOP_CONDITIONS

- \`SC-1\` — All sub-questions are answered.

## ESCALATION_TRIGGERS

- \`ET-1\` — a write to \`ledger_entries\`
- \`ET-2\` — a change of a payout limit
`

export const FINDINGS = `# FINDINGS

**MISSION-ID:** \`20261130-001\`

## FINDING-017

\`\`\`yaml
id: FINDING-017
claim: |
  PayRefund#perform is the sole writer to refunds; the limit is checked by
  RefundLimit#allow?.
evidence:
  - path: app/jobs/pay_refund.rb
    lines: 42-78
    excerpt_ref: memex://excerpt/aaaa000000000000000000000000000000000000000000000000000000000000
  - path: app/models/refund_limit.rb
    lines: 12-40
    excerpt_ref: memex://excerpt/bbbb000000000000000000000000000000000000000000000000000000000000
confidence: H
supports_decision: DT-1
\`\`\`

## FINDING-021

\`\`\`yaml
id: FINDING-021
claim: No console task pays refunds.
evidence:
  - path: lib/tasks/refunds.rake
    lines: 1-30
    excerpt_ref: memex://excerpt/cccc000000000000000000000000000000000000000000000000000000000000
ruled_out:
  - "No writer of refunds in lib/tasks/** (symbol probe exhaustive)."
confidence: M
supports_decision: DT-2
\`\`\`

## GAP-003

\`\`\`yaml
id: GAP-003
sub_question: DT-2 — Is the limit checked again on retry?
strikes:
  - probe: graph_query("callers_of: RefundLimit#allow?")
    result: empty
working_hypothesis: It is not.
escalate_to: human
\`\`\`

## Escalation log

\`\`\`yaml
- trigger: ET-1
  fired_at: 2026-11-30T09:12:00Z
  on_probe: search_symbol("LedgerEntry")
  on_path: app/jobs/pay_refund.rb:61
  action_taken: annotate
\`\`\`
`

/** The seed's RecordVote example on this case, completed to the five sections. */
export const FOLD = `## 1. Mission header

MISSION-ID: 20261130-001
DECISION_TARGET: Which jobs write to \`refunds\`, and is each write guarded by a limit check?
SCOPE: app/jobs/**, app/models/refund*.rb
STATUS: partial

## 2. Decision-ready answer

PayRefund#perform is the sole writer to \`refunds\` [FINDING-017].
It delegates the limit to \`RefundLimit#allow?\`
[FINDING-017]. No console task pays refunds [FINDING-021, GAP-003].

## 3. Findings index

FINDING-017 | H | app/jobs/pay_refund.rb:42-78
FINDING-017 | H | app/models/refund_limit.rb:12-40
FINDING-021 | M | lib/tasks/**  (ruled_out)

## 4. Open questions / gaps

GAP-003 — open: whether a retry checks the limit again needs a run.

## 5. Escalation log

ET-1 | 2026-11-30T09:12:00Z | annotated: the ledger write is in the same transaction.
`

/** Judges the case with some of its documents changed. */
export const judge = (changes: Partial<FoldInput> = {}): Verdict =>
  validateFold({ mission_md: MISSION, findings_md: FINDINGS, fold_md: FOLD, count, ...changes })

/** A document with one passage replaced; the passage must stand in it exactly once. */
export function withChange(document: string, passage: string, replacement: string): string {
  if (document.split(passage).length !== 2) throw new Error(`not once in the document: ${passage}`)
  return document.replace(passage, () => replacement)
}

export const foldWith = (passage: string, replacement: string): string =>
  withChange(FOLD, passage, replacement)

/** The issues of one check as `code line:column id`. */
export const issuesOf = (verdict: Verdict, check: CheckId): readonly string[] =>
  verdict.checks.find(({ id }) => id === check)?.issues.map(shown) ?? []

/** All issues as `check: code line:column id`. */
export const allIssues = (verdict: Verdict): readonly string[] =>
  verdict.checks.flatMap(({ id, issues }) => issues.map((issue) => `${id}: ${shown(issue)}`))

const shown = ({ code, line, column, id }: Issue): string =>
  `${code} ${line}:${column}${id === undefined ? '' : ` ${id}`}`
