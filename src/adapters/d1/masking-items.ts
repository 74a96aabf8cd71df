import type { MaskingItem } from '../../domain/log/row.ts'

interface Run {
  readonly mission: string
  readonly id: string
}

type Select = <T>(sql: string, parameters: readonly string[]) => Promise<readonly T[]>

/** Reads the items of many masking runs of a tenant in one statement; gives them run by run. */
export async function readItems(
  select: Select,
  tenant: string,
  runs: readonly Run[],
): Promise<(run: Run) => readonly MaskingItem[]> {
  const found = runs.length === 0 ? [] : await select<ItemRow>(SQL, [tenant, listOf(runs)])
  const byRun = Map.groupBy(found, (item) => nameOf({ mission: item.mission, id: item.run }))
  return (run) => (byRun.get(nameOf(run)) ?? []).map(({ mission: _, run: __, ...item }) => item)
}

type ItemRow = MaskingItem & { readonly mission: string; readonly run: string }

// In the order of insertion, which is the order of the transcript.
const SQL = `
  SELECT item.mission, item.run, item.pointer, item.call_id, item.tool, item.turn, item.decision,
    item.ref, item.bytes, item.tokens, item.saved_tokens
  FROM json_each(?2) AS wanted
  JOIN masking_items AS item
    ON item.tenant = ?1
    AND item.mission = wanted.value ->> '$[0]'
    AND item.run = wanted.value ->> '$[1]'
  ORDER BY item.rowid`

const listOf = (runs: readonly Run[]): string =>
  JSON.stringify(runs.map(({ mission, id }) => [mission, id]))

const nameOf = ({ mission, id }: Run): string => JSON.stringify([mission, id])
