import { readFileSync, readdirSync } from 'node:fs'
import { posix } from 'node:path'
import { Visitor, parseSync } from 'vite'

/** One import or export-from, of types or of values: `to` is a file of ours, or else a package. */
export interface Import {
  readonly from: string
  readonly line: number
  readonly to: string
}

type Sources = ReadonlyMap<string, string>

/** Every TypeScript file under a folder, by its path from the repository's root. */
export const readSources = (folder: string): Sources =>
  new Map(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .toSorted()
      .map((name) => [`${folder}/${name}`, readFileSync(`${folder}/${name}`, 'utf8')]),
  )

export const importsOf = (sources: Sources): readonly Import[] =>
  [...sources].flatMap(([from, source]) =>
    specifiersOf(from, source).map(({ value, start }) => ({
      from,
      line: source.slice(0, start).split('\n').length,
      to: value.startsWith('.') ? posix.join(posix.dirname(from), value) : value,
    })),
  )

interface Specifier {
  readonly value: string
  readonly start: number
}

function specifiersOf(path: string, source: string): readonly Specifier[] {
  const parsed = parseSync(path, source)
  const [error] = parsed.errors
  if (error !== undefined) throw new Error(`${path}: ${error.message}`)
  const { staticImports, staticExports } = parsed.module
  const specifiers: Specifier[] = [
    ...staticImports.map(({ moduleRequest }) => moduleRequest),
    ...staticExports.flatMap(({ entries }) =>
      entries.flatMap((entry) => entry.moduleRequest ?? []),
    ),
  ]
  // Walking a whole tree is slow, and only few files import inside an expression or a type.
  if (/\bimport\s*\(/.test(source)) {
    const add = ({ source: from, start }: { source: object; start: number }) => {
      if ('value' in from && typeof from.value === 'string')
        specifiers.push({ value: from.value, start })
      else throw new Error(`${path}: an import() of a computed path can't be checked`)
    }
    new Visitor({ ImportExpression: add, TSImportType: add }).visit(parsed.program)
  }
  return specifiers
}
