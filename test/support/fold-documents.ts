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
