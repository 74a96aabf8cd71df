import type { MissionRecord, RecordKind } from '../domain/ledger/records.ts'
import { isOf } from '../domain/mission/record.ts'
import type { View } from '../ports.ts'

/** The records of one kind among all that were found. */
export const foundRecords = <Kind extends RecordKind>(
  view: View | null,
  kind: Kind,
): readonly MissionRecord<Kind>[] => (view?.found ?? []).filter((record) => isOf(kind, record))
