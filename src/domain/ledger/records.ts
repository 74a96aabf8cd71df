import type { ContextRecords } from '../context/records.ts'
import type { FoldRecords } from '../fold/lifecycle/records.ts'
import type { HooksRecords } from '../hooks/records.ts'
import type { ObservationRecords } from '../masking/observation/records.ts'
import type { MaskingRecords } from '../masking/records.ts'
import type { MemoryRecords } from '../memory/records.ts'
import type { StoredRecord } from '../mission/record.ts'
import type { Step } from '../mission/step.ts'
import type { MissionState } from './state.ts'

/** All that a mission remembers one by one: the body of each kind. */
export type MissionRecords = ContextRecords &
  MaskingRecords &
  ObservationRecords &
  FoldRecords &
  MemoryRecords &
  HooksRecords

export type RecordKind = keyof MissionRecords

/** A record of a mission as it was stored; of one kind, or of any. */
export type MissionRecord<Kind extends RecordKind = RecordKind> = StoredRecord<MissionRecords, Kind>

/** A step of a whole mission. */
export type MissionStep = Step<MissionState, MissionRecords>
