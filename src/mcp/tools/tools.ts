import { memexRead, memexWrite } from './memex-tools.ts'
import { contextReport, foldSubmit, maskPlan } from './mission-tools.ts'
import type { Tool } from './tool.ts'
import { viewFile } from './view-file.ts'

/** The tools, those of the fold subagent first (seed, allowed-tools). */
export const TOOLS: readonly Tool[] = [
  memexRead,
  viewFile,
  memexWrite,
  contextReport,
  maskPlan,
  foldSubmit,
]
