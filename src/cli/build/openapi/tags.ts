import { accessRows } from '../../../contract/rows/access.ts'
import { contextRows } from '../../../contract/rows/context.ts'
import { costRows } from '../../../contract/rows/cost.ts'
import { countingRows } from '../../../contract/rows/counting.ts'
import { eventRows } from '../../../contract/rows/events.ts'
import { artifactRows } from '../../../contract/rows/fold/artifacts.ts'
import { escalationRows } from '../../../contract/rows/fold/escalations.ts'
import { foldRows } from '../../../contract/rows/fold/fold.ts'
import { healthRows } from '../../../contract/rows/health.ts'
import { hookRows } from '../../../contract/rows/hooks.ts'
import { logRows } from '../../../contract/rows/logs.ts'
import { maskingRows } from '../../../contract/rows/masking/masking.ts'
import { observationRows } from '../../../contract/rows/masking/observations.ts'
import { memexRows } from '../../../contract/rows/memex.ts'
import { blockRows } from '../../../contract/rows/memory/blocks.ts'
import { memoryFileRows } from '../../../contract/rows/memory/memory-files.ts'
import { memoryRows } from '../../../contract/rows/memory/memory.ts'
import { missionRows } from '../../../contract/rows/missions.ts'

interface Tag {
  readonly name: string
  readonly description: string
  readonly rows: object
}

/** The chapters of the API reference. */
export const TAGS: readonly Tag[] = [
  {
    name: 'Service',
    description: 'Whether it is up, and what it is bound to.',
    rows: healthRows,
  },
  {
    name: 'Access',
    description: 'Bearer tokens: each can mint only narrower ones, and revoke those.',
    rows: accessRows,
  },
  {
    name: 'Missions',
    description: 'One bounded piece of agent work. A mission is opened by its first write.',
    rows: missionRows,
  },
  {
    name: 'Memex',
    description: 'Raw evidence under its SHA-256, byte for byte.',
    rows: memexRows,
  },
  {
    name: 'Masking',
    description:
      'Old tool outputs leave the context as placeholders whose refs lead back to every byte.',
    rows: { ...maskingRows, ...observationRows },
  },
  {
    name: 'Context',
    description: 'How full the context is, what to do next, and what the session costs.',
    rows: { ...contextRows, ...costRows, ...countingRows },
  },
  {
    name: 'Fold',
    description:
      'The trajectory folded into at most 2,000 tokens, and the proof that nothing was lost.',
    rows: { ...artifactRows, ...foldRows, ...escalationRows },
  },
  {
    name: 'Memory',
    description:
      'Working memory: extracts, summaries, breadcrumbs, blocks and delegations, read as files.',
    rows: { ...memoryRows, ...blockRows, ...memoryFileRows },
  },
  {
    name: 'Hooks',
    description: 'Platforms call at phase boundaries; each event has its effect once.',
    rows: hookRows,
  },
  {
    name: 'Events',
    description: 'What happens to a mission: listed, live over a WebSocket, and sent as webhooks.',
    rows: eventRows,
  },
  { name: 'Logs', description: 'What was masked and summarized, and when.', rows: logRows },
]

/** The chapter that an operation belongs to. */
export function tagOf(operation: string): string {
  const tag = TAGS.find(({ rows }) => Object.hasOwn(rows, operation))
  if (tag === undefined)
    throw new Error(`${operation} is in no chapter: add its rows to src/cli/build/openapi/tags.ts`)
  return tag.name
}
