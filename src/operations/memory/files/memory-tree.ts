import { utf8 } from '../../../domain/bytes.ts'
import type { Bytes } from '../../../domain/bytes.ts'
import { digestOfRef } from '../../../domain/digest.ts'
import { failure } from '../../../domain/failure.ts'
import type { Failure } from '../../../domain/failure.ts'
import type { ArtifactName } from '../../../domain/fold/lifecycle/artifact.ts'
import { ARTIFACTS } from '../../../domain/fold/lifecycle/artifact.ts'
import type { MissionRecord, MissionRecords, RecordKind } from '../../../domain/ledger/records.ts'
import { renderDay } from '../../../domain/memory/entries/breadcrumb.ts'
import { renderExtract } from '../../../domain/memory/entries/extract.ts'
import { dayPath, LOG_FILES, parseMemoryPath } from '../../../domain/memory/files/memory-path.ts'
import type { MemoryPath } from '../../../domain/memory/files/memory-path.ts'
import type { TarFile } from '../../../domain/memory/files/tar.ts'
import { breadcrumbKey } from '../../../domain/memory/leave-breadcrumb.ts'
import { err, ok } from '../../../domain/result.ts'
import type { Result } from '../../../domain/result.ts'
import type { Deps, Missions, Owner } from '../../../ports.ts'
import { eachFound, eachRecord } from '../../each-record.ts'
import { readExcerpt } from '../../memex/read-excerpt.ts'

type ReadDeps = Pick<Deps, 'memex' | 'excerptCache' | 'defer' | 'report'>

/** One file of a present mission's memory by its path; `memory_file_not_found`. */
export async function fileAt(
  deps: ReadDeps & { readonly missions: Missions },
  owner: Owner,
  path: string,
): Promise<Result<TarFile, Failure>> {
  const parsed = parseMemoryPath(path)
  const file = parsed === null ? null : await fileOf(deps, owner, parsed)
  return file ?? err(failure('memory_file_not_found'))
}

/** All files, one after the other: the documents, the logs, the days, the extracts. */
export async function* eachFile(
  deps: ReadDeps & { readonly missions: Missions },
  owner: Owner,
): AsyncGenerator<TarFile> {
  for (const name of ARTIFACTS) yield* there(await fileOf(deps, owner, { file: 'document', name }))
  for (const log of ['masking', 'summary'] as const)
    yield* there(await fileOf(deps, owner, { file: 'log', log }))
  for await (const record of eachRecord(deps.missions, owner, 'day'))
    yield await dayFile(deps.missions, owner, record)
  for await (const record of eachRecord(deps.missions, owner, 'extract')) yield extractFile(record)
}

type Found = Result<TarFile, Failure> | null

async function fileOf(
  deps: ReadDeps & { readonly missions: Missions },
  owner: Owner,
  path: MemoryPath,
): Promise<Found> {
  switch (path.file) {
    case 'document':
      return documentFile(deps, owner, path.name)
    case 'log':
      return logFile(deps.missions, owner, path.log)
    case 'day': {
      const record = await one(deps.missions, owner, 'day', path.day)
      return record && ok(await dayFile(deps.missions, owner, record))
    }
    case 'extract': {
      const record = await one(deps.missions, owner, 'extract', path.path)
      return record && ok(extractFile(record))
    }
  }
}

/** A document, byte for byte; its bytes are in the Memex. A fold that was withdrawn is none. */
async function documentFile(
  deps: ReadDeps & { readonly missions: Missions },
  owner: Owner,
  name: ArtifactName,
): Promise<Found> {
  const view = await deps.missions.read(owner, [{ kind: 'artifact', keys: [name] }])
  const artifact = view?.state.folding.artifacts[name]
  const [record] = view?.found ?? []
  if (artifact === undefined || record === undefined) return null
  const bytes = await readExcerpt(deps, owner, digestOfRef(artifact.ref))
  return bytes.ok ? ok({ path: name, at: record.at, bytes: bytes.value }) : bytes
}

/** A log: the line of each entry, oldest first. */
async function logFile(
  missions: Missions,
  owner: Owner,
  log: keyof typeof LOG_FILES,
): Promise<Found> {
  const lines: string[] = []
  let at = ''
  for await (const record of eachRecord(missions, owner, log)) {
    lines.push(`${record.body.line}\n`)
    at = record.at
  }
  return lines.length === 0 ? null : ok({ path: LOG_FILES[log], at, bytes: utf8(lines.join('')) })
}

async function dayFile(
  missions: Missions,
  owner: Owner,
  { at, body, key: day }: MissionRecord<'day'>,
): Promise<TarFile> {
  const keys = Array.from({ length: body.breadcrumbs }, (_, index) => breadcrumbKey(day, index + 1))
  const found: MissionRecords['breadcrumb'][] = []
  for await (const breadcrumb of eachFound(missions, owner, 'breadcrumb', keys))
    found.push(breadcrumb.body)
  return { path: dayPath(day), at, bytes: utf8(renderDay(day, found)) }
}

const extractFile = ({ at, body, key }: MissionRecord<'extract'>): TarFile => ({
  path: key,
  at,
  bytes: utf8(renderExtract(body)),
})

async function one<Kind extends RecordKind>(
  missions: Missions,
  owner: Owner,
  kind: Kind,
  key: string,
): Promise<MissionRecord<Kind> | null> {
  const view = await missions.read(owner, [{ kind, keys: [key] }])
  return view?.found[0] ?? null
}

/** What is there; what can't be read breaks the archive rather than be missing from it. */
function* there(found: Found): Generator<TarFile & { readonly bytes: Bytes }> {
  if (found === null) return
  if (!found.ok) throw new Error(`a file of the memory can't be read: ${found.error.code}`)
  yield found.value
}
