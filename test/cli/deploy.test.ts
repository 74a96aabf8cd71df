import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { node, ROOT } from './foldex.ts'

describe('npm run deploy -- --dry-run', () => {
  it('prints the plan, builds the Worker, and changes nothing', async () => {
    const kept = existsSync(join(ROOT, '.foldex/production.env'))
    const { code, stdout, stderr } = await node(['src/cli/deploy.ts', '--dry-run'])
    expect(stderr).toBe('')
    expect(code).toBe(0)
    expect(stdout.split('\n').slice(0, 6)).toEqual([
      'Nothing is changed. A deployment would',
      '  1. create the R2 bucket foldex-memex, where it is missing',
      '  2. create the D1 database foldex-logs, where it is missing',
      '  3. apply the migrations of src/adapters/migrations to foldex-logs',
      '  4. make a signing key, where foldex has none, and keep a copy in .foldex/production.env',
      '  5. deploy foldex',
    ])
    expect(stdout).toMatch(/The Worker builds\. Total Upload: [\d.]+ KiB \/ gzip: [\d.]+ KiB/)
    expect(existsSync(join(ROOT, '.foldex/production.env'))).toBe(kept)
  })
})
