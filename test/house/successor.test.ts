import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const page = readFileSync('src/README.md', 'utf8')
const FENCED = /^```\n([^]*?)^```\n/gm

it('names on the successor’s page only paths that exist', () => {
  const paths = pathsIn(page.replaceAll(FENCED, ''))
  expect(paths.length).toBeGreaterThan(80)
  expect(paths.filter((path) => !exists(path))).toEqual([])
})

it('names on the successor’s page every folder of two levels, of three in domain, and no other', () => {
  const [, tree = ''] = [...page.matchAll(FENCED)].map(([, text = '']) => text)
  expect(foldersNamed(tree).toSorted()).toEqual(foldersThere().toSorted())
})

it('keeps the successor’s page to one page', () => {
  expect(page.split('\n').length).toBeLessThanOrEqual(201)
})

/** What looks like a path in backticks: with a slash, or with the extension of a file of ours. */
const pathsIn = (text: string): readonly string[] =>
  [...text.matchAll(/`([^`\s]+)`/g)]
    .map(([, token = '']) => token)
    .filter((token) => !/[<>]/.test(token) && /\/|\.(ts|md|json|toml)$/.test(token))

/** Paths are relative to `src/`, or else to the repository. */
const exists = (path: string): boolean =>
  [`src/${path}`, path].some((from) =>
    path.includes('*') ? globSync(from).length > 0 : existsSync(from),
  )

/** The folders of the tree: each line begins with one, and may name folders inside it behind that. */
function foldersNamed(tree: string): readonly string[] {
  const above: string[] = []
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', folder, rest = ''] = /^( *)([\w-]+)\/(.*)$/.exec(line) ?? []
    if (folder === undefined) return []
    above.splice(indent.length / 2, Infinity, folder)
    const path = above.join('/')
    return [path, ...[...rest.matchAll(/([\w-]+)\//g)].map(([, name]) => `${path}/${name}`)]
  })
}

/** Folders that hold a file: git knows no others, and a checkout that was used may keep empty ones. */
function foldersThere(): readonly string[] {
  const folders = readdirSync('src', { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => `${entry.parentPath}/${entry.name}`)
    .filter((folder) => globSync(`${folder}/**/*.*`).length > 0)
  const depth = (path: string): number => path.split('/').length - 1
  return [
    'src',
    ...folders.filter((path) => depth(path) <= (path.startsWith('src/domain/') ? 3 : 2)),
  ]
}
