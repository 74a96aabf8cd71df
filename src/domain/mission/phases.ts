export const PHASES = [
  'assess',
  'traverse',
  'locate',
  'abstract',
  'synthesize',
  'completed',
] as const

export type Phase = (typeof PHASES)[number]

export type Status = 'active' | 'halted' | 'completed' | 'erased'
