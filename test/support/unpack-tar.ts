import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Unpacked {
  /** What `tar -tv` says. */
  readonly listing: string
  readonly files: ReadonlyMap<string, { readonly bytes: Uint8Array; readonly mtimeMs: number }>
}

/** What the system's tar makes of an archive; throws where it complains. */
export function unpackTar(archive: Uint8Array): Unpacked {
  const folder = mkdtempSync(join(tmpdir(), 'foldex-tar-'))
  try {
    const file = join(folder, 'archive.tar')
    const into = mkdtempSync(join(folder, 'files-'))
    writeFileSync(file, archive)
    const env = { ...process.env, TZ: 'UTC' }
    const listing = execFileSync('tar', ['-tvf', file], { encoding: 'utf8', stdio: 'pipe', env })
    execFileSync('tar', ['-xf', file, '-C', into], { stdio: 'pipe' })
    const files = readdirSync(into, { recursive: true, encoding: 'utf8' })
      .filter((name) => statSync(join(into, name)).isFile())
      .map((name) => {
        const path = join(into, name)
        const bytes = new Uint8Array(readFileSync(path))
        return [name, { bytes, mtimeMs: statSync(path).mtimeMs }] as const
      })
    return { listing, files: new Map(files) }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
