import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createSecretScanner } from '../../../src/adapters/secrets/secretlint.ts'
import { utf8 } from '../../../src/domain/bytes.ts'
import { scanBytes } from '../../../src/operations/memex/scan-evidence.ts'
import { PLANTED } from '../../support/planted-secrets.ts'

const root = new URL('../../..', import.meta.url).pathname

/** The code of the project, its lock file, and the documentation of its dependencies. */
function ordinaryTexts(): readonly (readonly [name: string, text: string])[] {
  const files = ['package-lock.json', 'README.md', 'LICENSE', ...sources('src')]
  for (const name of ['hono', 'zod', 'wrangler', 'vite', 'commander', 'jose', 'fast-check'])
    for (const entry of readdirSync(join(root, 'node_modules', name)))
      if (entry.endsWith('.md')) files.push(`node_modules/${name}/${entry}`)
  return files.map((file) => [file, readFileSync(join(root, file), 'utf8')])
}

const sources = (folder: string): string[] =>
  readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length))

describe('scanning for secrets', () => {
  it('finds nothing in 500 KB of ordinary docs, code and lock files', async () => {
    const deps = { loadSecrets: createSecretScanner() }
    let scanned = 0
    for (const [name, text] of ordinaryTexts()) {
      scanned += text.length
      const found = (await scanBytes(deps, utf8(text))).filter((one) => one.severity === 'secret')
      expect(found.map((one) => `${name}: ${one.rule} at ${one.start}`)).toEqual([])
    }
    expect(scanned).toBeGreaterThan(500_000)
  })

  it('finds a secret behind hostile text of any length', async () => {
    const scan = await createSecretScanner()()
    const [planted = ''] = Object.values(PLANTED)
    for (const piece of [
      'eyJ',
      'eyJ.',
      'Bearer ',
      'a@',
      '@',
      'password="',
      '4111 ',
      'DE89 ',
      '1-',
    ]) {
      const hostile = `${piece.repeat(50_000)}\n\n`
      const found = await scan(hostile + planted)
      expect(found.some(({ start }) => start >= hostile.length)).toBe(true)
    }
  })
})
