import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** The project's own text files by their path, sorted, with LF: the same on every machine. */
export type ProjectFiles = ReadonlyMap<string, string>

const FOLDERS = ['src', 'test']
const FILES = ['README.md', 'package.json', 'wrangler.toml']
const TEXT = /\.(?:ts|sql|md|json|toml)$/

export function readProject(root: string): ProjectFiles {
  const below = FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && TEXT.test(entry.name))
      .map((entry) => relative(root, join(entry.parentPath, entry.name))),
  )
  const paths = [...FILES, ...below.map((path) => path.replaceAll('\\', '/'))].toSorted(byCodeUnit)
  return new Map(
    paths.map((path) => [path, readFileSync(join(root, path), 'utf8').replaceAll('\r\n', '\n')]),
  )
}

// Not localeCompare: its order depends on the machine.
const byCodeUnit = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)
