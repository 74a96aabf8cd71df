import { dayOf, renderBreadcrumb } from '../../../domain/memory/entries/breadcrumb.ts'
import { dayPath } from '../../../domain/memory/files/memory-path.ts'
import type { Missions, Owner } from '../../../ports.ts'

/** A mission's last breadcrumb with the file that it stands in, or null where it left none. */
export async function lastBreadcrumb(
  missions: Missions,
  owner: Owner,
  key: string | null,
): Promise<{ readonly path: string; readonly text: string } | null> {
  if (key === null) return null
  const view = await missions.read(owner, [{ kind: 'breadcrumb', keys: [key] }])
  const [record] = view?.found ?? []
  if (record === undefined) return null
  const { body } = record
  return { path: dayPath(dayOf(body.at)), text: renderBreadcrumb(body) }
}
