import { globRoot, partsOf } from '../documents/anchors.ts'
import type { Finding } from '../documents/findings/finding.ts'
import type { IndexEntry, IndexFault } from '../documents/index-lines.ts'
import { isNothing } from '../documents/nothing.ts'
import type { Facts } from './facts.ts'
import type { Issue } from './verdict.ts'

/**
 * Section 3 has lines of its grammar only; tiers and anchors are those of findings.md, and none of the
 * anchors is lost. An anchor that findings share may stand at one of them. A `(ruled_out)` line may name
 * a glob that the finding's negative results name, and stands for its anchors below that.
 */
export function* indexIsFlat({ findings, index }: Facts): Iterable<Issue> {
  const faulty = new Set<string | null>()
  for (const fault of index.faults) {
    faulty.add(fault.id)
    yield faultIssue(fault)
  }
  const standing = new Set<string>()
  const searched = new Map<string, string[]>()
  for (const entry of index.entries) {
    const finding = findings.findings.get(entry.id)
    if (finding === undefined) continue
    if (finding.tiers.size > 0 && !finding.tiers.has(entry.tier)) yield tierIssue(entry, finding)
    const parts = partsOf(entry.anchor)
    if (parts.every((part) => finding.anchors.has(part) || finding.asides.has(part))) {
      for (const part of parts) standing.add(part)
      if (entry.ruled_out && finding.ruled_out === false) yield markIssue(entry, finding)
    } else if (isSearched(entry, finding, searched)) continue
    else yield anchorIssue(entry, finding)
  }
  for (const [id, place] of index.listed) {
    // Its anchor may stand in the line that could not be read.
    if (faulty.has(id)) continue
    for (const anchor of findings.findings.get(id)?.anchors ?? []) {
      if (standing.has(anchor) || (searched.get(id) ?? []).some((path) => covers(path, anchor)))
        continue
      yield {
        code: 'anchor_missing',
        message: `${anchor}, evidence of ${id}, is not in the findings index.`,
        ...place,
        id,
        hint: `Give it a line: "${id} | tier | ${anchor}".`,
      }
    }
  }
}

/** More globs than that for one finding are not compared with its anchors: the check stays linear. */
const MOST_SEARCHED = 16

/** Whether an anchor that is no evidence may stand: for a negative result, or where there is none. */
function isSearched(entry: IndexEntry, finding: Finding, searched: Map<string, string[]>): boolean {
  const { anchors, ruled_out, ruled_out_paths } = finding
  const { anchor } = entry
  if (anchors.size === 0 && (anchor === '' || isNothing(anchor))) return true
  if (!ruled_out_paths.has(anchor)) return false
  if (!entry.ruled_out) return anchors.size === 0
  const paths = searched.get(entry.id) ?? []
  if (ruled_out === true && paths.length < MOST_SEARCHED) searched.set(entry.id, [...paths, anchor])
  return true
}

/** `app/flows/**` covers `app/flows/a.rb:1-9`; `app/a.rb` covers `app/a.rb:1-9`; `**` covers nothing. */
function covers(path: string, anchor: string): boolean {
  const root = globRoot(path)
  return root === null ? anchor.startsWith(`${path}:`) : root !== '' && anchor.startsWith(root)
}

const FAULTS: Readonly<Record<IndexFault['code'], readonly [message: string, hint: string]>> = {
  line_malformed: [
    'This line is no entry of the index.',
    'An entry is "FINDING-001 | H | path:lines", one a line, with "(ruled_out)" behind it or not.',
  ],
  tier_invalid: ['The tier is none of H, M and L.', 'Copy the confidence of the finding.'],
  claim_text: [
    'Text stands behind the anchor.',
    'The index has ids, tiers and anchors only: claims are in findings.md. A path with blanks stands in backticks.',
  ],
  line_nested: ['This entry stands below another.', 'The index is a flat list.'],
}

function faultIssue({ code, id, line, column }: IndexFault): Issue {
  const [message, hint] = FAULTS[code]
  return { code, message, line, column, ...(id === null ? {} : { id }), hint }
}

const tierIssue = ({ id, line, tier, tier_column }: IndexEntry, { tiers }: Finding): Issue => ({
  code: 'tier_differs',
  message: `${id} is ${[...tiers].join(' or ')} in findings.md, not ${tier}.`,
  line,
  column: tier_column,
  id,
  hint: 'Copy the confidence of the finding.',
})

const markIssue = ({ id, line, anchor_column }: IndexEntry, finding: Finding): Issue => ({
  code: 'mark_unfounded',
  message: `${id} rules nothing out in findings.md (line ${finding.line}).`,
  line,
  column: anchor_column,
  id,
  hint: 'Take "(ruled_out)" off.',
})

const anchorIssue = (
  { id, line, anchor, anchor_column, ruled_out }: IndexEntry,
  finding: Finding,
): Issue => ({
  code: 'anchor_unknown',
  message: `${anchor === '' ? 'No anchor' : anchor.slice(0, 120)} is not evidence of ${id} (findings.md line ${finding.line}).`,
  line,
  column: anchor_column,
  id,
  hint: ruled_out
    ? 'Copy path and lines from its evidence, or a path that its ruled_out names.'
    : 'Copy path and lines from its evidence.',
})
