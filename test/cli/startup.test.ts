import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { runWrangler } from '../../src/cli/local/wrangler.ts'
import { emptyFolder, ROOT } from './foldex.ts'

/** Modules that the Worker loads with the first call that needs them, or never. */
const LATER = /^src\/(mcp|assets|cli)\/|node_modules\/(@modelcontextprotocol|zod-openapi|rapidoc)\//

interface Metafile {
  readonly inputs: Readonly<
    Record<
      string,
      { readonly imports: readonly { readonly path: string; readonly kind: string }[] }
    >
  >
}

interface Profile {
  readonly nodes: readonly { readonly callFrame: { readonly functionName: string } }[]
}

const folder = emptyFolder()
const read = <T>(name: string): T => JSON.parse(readFileSync(join(folder, name), 'utf8')) as T
let meta: Metafile

beforeAll(async () => {
  const build = ['deploy', '--dry-run', `--outdir=${folder}`]
  await runWrangler(ROOT, [...build, `--metafile=${join(folder, 'meta.json')}`])
  meta = read('meta.json')
})

/** The modules that a module brings along when it is evaluated. */
function evaluatedWith(entry: string): ReadonlySet<string> {
  const reached = new Set<string>()
  const waiting = [entry]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (reached.has(path)) continue
    reached.add(path)
    for (const { path: next, kind } of meta.inputs[path]?.imports ?? [])
      if (kind !== 'dynamic-import') waiting.push(next)
  }
  return reached
}

describe('the start of the Worker', () => {
  it('evaluates no module of MCP, OpenAPI or the docs', () => {
    const atStart = [...evaluatedWith('src/index.ts')]
    expect(atStart).toContain('src/http/mcp.ts')
    expect(atStart.filter((path) => LATER.test(path))).toEqual([])
    const withMcp = [...evaluatedWith('src/mcp/handler.ts')]
    expect(withMcp.filter((path) => LATER.test(path)).length).toBeGreaterThan(10)
    // Neither the reference nor its generator is in the bundle at all.
    const bundled = Object.keys(meta.inputs)
    expect(bundled.filter((path) => /openapi|rapidoc|assets|src\/cli\//.test(path))).toEqual([])
  })

  it('evaluates none of them in its CPU profile', async () => {
    const outfile = join(folder, 'startup.cpuprofile')
    await runWrangler(ROOT, ['check', 'startup', `--outfile=${outfile}`])
    const names = read<Profile>('startup.cpuprofile').nodes.map(
      (node) => node.callFrame.functionName,
    )
    // esbuild names the function that evaluates a module after its file.
    const modules = names.filter((name) => /^(src|node_modules)\/.+\.\w+$/.test(name))
    expect(modules).not.toEqual([])
    const atStart = evaluatedWith('src/index.ts')
    expect(modules.filter((name) => !atStart.has(name))).toEqual([])
    expect(modules.filter((name) => LATER.test(name))).toEqual([])
  })
})
