import { accessRows } from './access.ts'
import { artifactRows } from './artifacts.ts'
import { blockRows } from './blocks.ts'
import { contextRows } from './context.ts'
import { costRows } from './cost.ts'
import { countingRows } from './counting.ts'
import { escalationRows } from './escalations.ts'
import { eventRows } from './events.ts'
import { foldRows } from './fold.ts'
import { healthRows } from './health.ts'
import { hookRows } from './hooks.ts'
import { logRows } from './logs.ts'
import { maskingRows } from './masking.ts'
import { memexRows } from './memex.ts'
import { memoryFileRows } from './memory-files.ts'
import { memoryRows } from './memory.ts'
import { missionRows } from './missions.ts'
import { observationRows } from './observations.ts'

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
