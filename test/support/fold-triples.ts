import fc from 'fast-check'

export interface TripleFinding {
  readonly id: string
  readonly tier: string
  readonly anchors: readonly string[]
  readonly layout: number
}

/** What a generated mission is about; its three documents are written from it. */
export interface Triple {
  readonly findings: readonly TripleFinding[]
  readonly gaps: readonly string[]
  /** Fired and declared, declared only, fired only. */
  readonly fired: readonly string[]
  readonly quiet: readonly string[]
  readonly undeclared: readonly string[]
  /** How many sentences the answer has: each cites one finding of its own. */
  readonly sentences: number
  readonly style: number
}

/** Ids of one kind, padded or not; some share a prefix. */
const ids = (kind: string, minLength: number, maxLength: number) =>
  fc
    .uniqueArray(fc.integer({ min: 1, max: 1200 }), { minLength, maxLength })
    .chain((numbers) =>
      fc
        .constantFrom(0, 2, 3, 4)
        .map((width) => numbers.map((number) => `${kind}-${String(number).padStart(width, '0')}`)),
    )

const word = fc.stringMatching(/^[a-z]{1,9}$/)

export const triples: fc.Arbitrary<Triple> = fc
  .record({
    ids: ids('FINDING', 1, 8),
    tiers: fc.array(fc.constantFrom('H', 'M', 'L'), { minLength: 8, maxLength: 8 }),
    layouts: fc.array(fc.nat(4), { minLength: 8, maxLength: 8 }),
    files: fc.uniqueArray(word, { minLength: 24, maxLength: 24 }),
    lines: fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 24, maxLength: 24 }),
    counts: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 8, maxLength: 8 }),
    gaps: ids('GAP', 0, 4),
    triggers: ids('ET', 0, 6),
    kinds: fc.array(fc.nat(2), { minLength: 6, maxLength: 6 }),
    sentences: fc.integer({ min: 1, max: 8 }),
    style: fc.nat(3),
  })
  .map(
    ({
      ids: findingIds,
      tiers,
      layouts,
      files,
      lines,
      counts,
      gaps,
      triggers,
      kinds,
      sentences,
      style,
    }) => ({
      findings: findingIds.map((id, index) => ({
        id,
        tier: tiers[index] ?? 'M',
        layout: layouts[index] ?? 0,
        anchors: files
          .slice(index * 3, index * 3 + (counts[index] ?? 1))
          .map(
            (file, part) =>
              `app/${file}.rb:${lines[index * 3 + part]}-${(lines[index * 3 + part] ?? 0) + 9}`,
          ),
      })),
      gaps,
      fired: triggers.filter((_, index) => kinds[index] === 0),
      quiet: triggers.filter((_, index) => kinds[index] === 1),
      undeclared: triggers.filter((_, index) => kinds[index] === 2),
      sentences: Math.min(sentences, findingIds.length),
      style,
    }),
  )

export const missionOf = ({ fired, quiet }: Triple): string => `# MISSION BRIEF

**MISSION-ID:** \`m-1\`

## DECISION_TARGET

Which jobs write,
and when?

## SCOPE

### Include

\`\`\`
app/**
\`\`\`

## ESCALATION_TRIGGERS

${[...fired, ...quiet].map((id) => `- \`${id}\` — a pattern`).join('\n')}
`

export const findingsOf = (triple: Triple): string =>
  [
    '# FINDINGS',
    ...triple.findings.map(findingText),
    ...triple.gaps.map((id) => `## ${id}\n\n\`\`\`yaml\nid: ${id}\nsub_question: DT-1\n\`\`\``),
    '## Escalation log',
    ...[...triple.fired, ...triple.undeclared].map(
      (id) => `- trigger: ${id}\n  fired_at: 2026-11-30T09:12:00Z`,
    ),
  ].join('\n\n')

function findingText({ id, tier, anchors, layout }: TripleFinding): string {
  const evidence = (indent: string) =>
    anchors
      .map((anchor) => anchor.split(':'))
      .map(([path, lines]) => `${indent}- path: ${path}\n${indent}  lines: ${lines}`)
      .join('\n')
  switch (layout) {
    case 0:
      return `## ${id}\n\n\`\`\`yaml\nid: ${id}\nclaim: |\n  It writes.\nevidence:\n${evidence('  ')}\nconfidence: ${tier}\n\`\`\``
    case 1:
      return `\`\`\`yaml\n${id}:\n  claim: "It writes."\n  evidence:\n${evidence('    ')}\n  confidence: ${tier}\n\`\`\``
    case 2:
      return `\`\`\`yaml\n- id: ${id}\n  evidence:\n${evidence('  ')}\n  confidence: ${tier}\n\`\`\``
    case 3:
      return `- **${id}** (${tier}): it writes in ${anchors.map((anchor) => `\`${anchor}\``).join(', ')}`
    default:
      return `**${id} (${tier}):** it writes. Evidence: ${anchors.join(' and ')}.`
  }
}

/** A fold of the triple as lines, each with what it is about; no line is about two ids. */
export interface FoldLine {
  readonly text: string
  readonly about: string
  readonly kind: 'heading' | 'field' | 'sentence' | 'index' | 'gap' | 'trigger' | 'blank'
  readonly section: number
}

export function foldLines(triple: Triple): readonly FoldLine[] {
  const marker = triple.style % 2 === 0 ? '' : '- '
  const hashes = triple.style < 2 ? '##' : '###'
  const heading = (section: number, title: string): FoldLine[] => [
    { kind: 'blank', about: '', section, text: '' },
    { kind: 'heading', about: title, section, text: `${hashes} ${section}. ${title}` },
    { kind: 'blank', about: '', section, text: '' },
  ]
  const field = (about: string, value: string): FoldLine => ({
    kind: 'field',
    about,
    section: 1,
    text: `${about}: ${value}`,
  })
  return [
    ...heading(1, 'Mission header'),
    field('MISSION-ID', 'm-1'),
    field('DECISION_TARGET', 'Which jobs write, and when?'),
    field('SCOPE', 'app/**'),
    field('STATUS', 'completed'),
    ...heading(2, 'Decision-ready answer'),
    ...triple.findings.slice(0, triple.sentences).map(({ id }, index): FoldLine => ({
      kind: 'sentence',
      about: id,
      section: 2,
      text:
        index % 2 === 0
          ? `Job ${index} writes v1.${index} of it [${id}].`
          : `Job#run? is so. [${id}]`,
    })),
    ...heading(3, 'Findings index'),
    ...triple.findings.flatMap(({ id, tier, anchors }) =>
      anchors.map((anchor): FoldLine => ({
        kind: 'index',
        about: id,
        section: 3,
        text: `${marker}${id} | ${tier} | ${anchor}`,
      })),
    ),
    ...heading(4, 'Open questions / gaps'),
    ...triple.gaps.map((id): FoldLine => ({
      kind: 'gap',
      about: id,
      section: 4,
      text: `${marker}${id}: open`,
    })),
    ...heading(5, 'Escalation log'),
    ...triple.fired.map((id): FoldLine => ({
      kind: 'trigger',
      about: id,
      section: 5,
      text: `${marker}${id} | 2026-11-30T09:12:00Z | annotated`,
    })),
  ]
}

export const textOf = (lines: readonly FoldLine[]): string =>
  lines.map(({ text }) => text).join('\n')
