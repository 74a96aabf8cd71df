import { accessRows } from './rows/access.ts'
import { contextRows } from './rows/context.ts'
import { costRows } from './rows/cost.ts'
import { countingRows } from './rows/counting.ts'
import { eventRows } from './rows/events.ts'
import { artifactRows } from './rows/fold/artifacts.ts'
import { escalationRows } from './rows/fold/escalations.ts'
import { foldRows } from './rows/fold/fold.ts'
import { healthRows } from './rows/health.ts'
import { hookRows } from './rows/hooks.ts'
import { logRows } from './rows/logs.ts'
import { maskingRows } from './rows/masking/masking.ts'
import { observationRows } from './rows/masking/observations.ts'
import { memexRows } from './rows/memex.ts'
import { blockRows } from './rows/memory/blocks.ts'
import { memoryFileRows } from './rows/memory/memory-files.ts'
import { memoryRows } from './rows/memory/memory.ts'
import { missionRows } from './rows/missions.ts'

/** The one contract: routes, OpenAPI, MCP tools, client and CLI are all derived from this table. */
export const contract = {
  ...healthRows,
  ...accessRows,
  ...missionRows,
  ...memexRows,
  ...maskingRows,
  ...observationRows,
  ...contextRows,
  ...costRows,
  ...countingRows,
  ...artifactRows,
  ...foldRows,
  ...escalationRows,
  ...memoryRows,
  ...blockRows,
  ...memoryFileRows,
  ...logRows,
  ...eventRows,
  ...hookRows,
} as const

export type Contract = typeof contract
export type OperationName = keyof Contract
