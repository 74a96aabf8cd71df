import type { CountTokens } from '../../tokens.ts'
import { LONGEST_TOKEN_BYTES } from '../../tokens/longest-token.ts'
import type { Warning } from '../checks/verdict.ts'
import { FOLD_LIMIT_TOKENS, SECTION_NUMBERS, SECTION_TITLES } from '../documents/contract.ts'
import type { Finding, FindingsDocument } from '../documents/findings/finding.ts'
import { parseFindings } from '../documents/findings/findings-document.ts'
import { parseMission } from '../documents/mission-document.ts'
import type { MissionDocument } from '../documents/mission-document.ts'

/** How many of a mission's findings the shortest possible fold can index. */
interface Capacity {
  readonly findings: number
  readonly fits: number
}

/**
 * Builds the shortest fold that the contract allows, in its order: header, an answer of a few words,
 * each gap and trigger in one line, then index lines until 2,000 tokens are used. An index line costs
 * 21 to 24 tokens, so about 75 findings fit (performance.md section 5). At most 2,000 lines are counted,
 * whatever the documents' size.
 */
export function capacityOf(
  mission: MissionDocument,
  findings: FindingsDocument,
  triggers: readonly string[],
  count: CountTokens,
): Capacity {
  let left = FOLD_LIMIT_TOKENS
  const spend = (text: string): boolean => {
    left -= text.length > LONGEST_TOKEN_BYTES * Math.max(left, 0) ? Infinity : count(text)
    return left >= 0
  }
  const frame = SECTION_NUMBERS.map((number) => `## ${number}. ${SECTION_TITLES[number]}\n`)
  const fixed = [...frame, ...headerLines(mission), 'It is so [FINDING-001].\n']
  let fits = 0
  if (fixed.every(spend) && spendEach(findings.gaps.keys(), (id) => `${id}: open\n`, spend))
    if (spendEach(triggers, (id) => `${id} | 2026-11-30T09:12:00Z | halt\n`, spend))
      fits = fitting(findings.findings.values(), spend)
  return { findings: findings.findings.size, fits }
}

/** The capacity of documents as text, with the declared triggers that findings.md logs. */
export function foldCapacity(
  documents: { readonly mission_md: string; readonly findings_md: string },
  count: CountTokens,
): Capacity {
  const findings = parseFindings(documents.findings_md)
  const mission = parseMission(documents.mission_md)
  const triggers = [...findings.fired.keys()].filter((trigger) => mission.triggers.has(trigger))
  return capacityOf(mission, findings, triggers, count)
}

/** The warning of a mission that no wording of its fold can save. */
export const cannotFit = ({ findings, fits }: Capacity): Warning => ({
  code: 'fold_cannot_fit',
  message: `${findings} findings, but ${FOLD_LIMIT_TOKENS.toLocaleString('en')} tokens can index ${fits} of them at most: the mission was under-scoped.`,
  fits,
})

function spendEach(
  ids: Iterable<string>,
  lineOf: (id: string) => string,
  spend: (text: string) => boolean,
): boolean {
  for (const id of ids) if (!spend(lineOf(id))) return false
  return true
}

const headerLines = ({ id, target, scope, scope_text }: MissionDocument): readonly string[] => [
  `MISSION-ID: ${id ?? ''}\n`,
  `DECISION_TARGET: ${target?.question ?? ''}\n`,
  `SCOPE: ${scope.include.size > 0 ? [...scope.include].join(', ') : (scope_text ?? '')}\n`,
  'STATUS: partial\n',
]

function fitting(findings: Iterable<Finding>, spend: (text: string) => boolean): number {
  const standing = new Set<string>()
  let fits = 0
  for (const finding of findings) {
    if (!indexLines(finding, standing).every(spend)) return fits
    fits += 1
  }
  return fits
}

/** One line for each anchor that stands nowhere yet, one at least; a negative result needs no more. */
function indexLines(finding: Finding, standing: Set<string>): readonly string[] {
  const { id, tiers, anchors, ruled_out, ruled_out_paths } = finding
  const [tier = 'M'] = tiers
  const [first = 'none'] = anchors.size > 0 ? anchors : ruled_out_paths
  const fresh = ruled_out ? [] : [...anchors].filter((anchor) => !standing.has(anchor))
  for (const anchor of fresh) standing.add(anchor)
  return (fresh.length > 0 ? fresh : [first]).map((anchor) => `${id} | ${tier} | ${anchor}\n`)
}
