import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { beforeAll, describe, expect, it } from 'vitest'
import { emptyFolder, ROOT } from './foldex.ts'

const run = promisify(execFile)
const project = emptyFolder()
const installed = join(project, 'node_modules/foldex')

beforeAll(async () => {
  const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', project], {
    cwd: ROOT,
  })
  const tarball = stdout.trim().split('\n').at(-1) ?? ''
  writeFileSync(join(project, 'package.json'), '{"type":"module","private":true}')
  await run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', `./${tarball}`], {
    cwd: project,
  })
})

describe('npm pack', () => {
  it('installs no other package than zod, which its types need', () => {
    const names = readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'))
    expect(names.toSorted()).toEqual(['foldex', 'zod'])
  })

  it('has a CLI that works in an empty project', async () => {
    const key = { kid: 'k', secret: 'dGVzdC1rZXktb2YtZm9sZGV4LXRoaXJ0eS10d28tYnl0ZXM' }
    const env = { ...process.env, SIGNING_KEYS: JSON.stringify([key]) }
    const { stdout } = await run('npx', ['foldex', 'token'], { cwd: project, env })
    expect(stdout.split('.')).toHaveLength(3)
    const start = run('npx', ['foldex', 'replay', 'x.json', '--start'], { cwd: project, env })
    await expect(start).rejects.toMatchObject({ code: 1 })
  })

  it('has a client whose types need no platform', async () => {
    writeFileSync(
      join(project, 'use.ts'),
      `import { createFoldex, FoldexError } from 'foldex/client'
const foldex = createFoldex({ url: 'http://127.0.0.1', token: 't' })
const request = { model: 'm', messages: [{ role: 'user', content: 'hi' }] }
const policy = { keep: 3, trigger: { type: 'break_even' as const } }
export const masked: Promise<typeof request> = foldex.maskAnthropic('m1', request, { policy })
export const percent: Promise<number | undefined> = foldex
  .call('get_mission', { mission: 'm1' })
  .then((mission) => mission.context?.percent)
// @ts-expect-error there is no such operation
void foldex.call('no_operation', {})
// @ts-expect-error the mission is missing
void foldex.call('get_mission', {})
export const codeOf = (error: FoldexError): string => error.code
`,
    )
    const flags = '--noEmit --strict --skipLibCheck false --target es2022 --lib es2022,dom'
    const check = (module: string) => {
      const args = [...flags.split(' '), '--types', '', ...module.split(' '), 'use.ts']
      return run(join(ROOT, 'node_modules/.bin/tsc'), args, { cwd: project })
    }
    await check('--module nodenext')
    await check('--module esnext --moduleResolution bundler')
    for (const file of readdirSync(join(installed, 'dist/types'), { recursive: true }))
      if (String(file).endsWith('.d.ts'))
        expect(readFileSync(join(installed, 'dist/types', String(file)), 'utf8')).not.toMatch(
          /R2Bucket|D1Database|DurableObject|cloudflare/,
        )
  })

  it('has a client that adds less than 10 KiB to a bundle', async () => {
    mkdirSync(join(project, 'src'))
    const entry = join(project, 'src/app.js')
    writeFileSync(
      entry,
      `import { createFoldex } from 'foldex/client'\nexport const foldex = createFoldex({ url: '' })\n`,
    )
    const { outputFiles } = await build({
      entryPoints: [entry],
      bundle: true,
      minify: true,
      format: 'esm',
      platform: 'browser',
      write: false,
    })
    const code = outputFiles[0]?.contents ?? new Uint8Array()
    expect(gzipSync(code, { level: 9 }).length).toBeLessThan(10 * 1024)
  })
})
