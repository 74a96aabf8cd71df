import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { verdict } from '../../../src/domain/fold/checks/verdict.ts'
import { FINDINGS, FOLD, foldWith, judge, MISSION } from '../../support/fold-case.ts'
import { emptyFolder, foldex, ROOT } from '../foldex.ts'

const FILES = ['--mission', 'mission.md', '--findings', 'findings.md']

function folderWith(fold: string | Uint8Array): string {
  const folder = emptyFolder()
  writeFileSync(join(folder, 'mission.md'), MISSION)
  writeFileSync(join(folder, 'findings.md'), FINDINGS)
  writeFileSync(join(folder, 'fold.md'), fold)
  return folder
}

describe('foldex check', () => {
  it('accepts a good fold with exit code 0, without a Worker or a token', async () => {
    const { code, stdout, stderr } = await foldex(['check', ...FILES, 'fold.md'], {
      cwd: folderWith(FOLD),
    })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(
      /^fold\.md: accepted\n2 findings, 1 gaps, 1 triggers, 3 sentences; answer \d+ of 200/,
    )
  })

  it('rejects a bad one with exit code 2, and shows the line with a caret', async () => {
    const cwd = folderWith(foldWith(' [FINDING-021, GAP-003]', ' [GAP-003]'))
    const { code, stdout } = await foldex(['check', ...FILES, 'fold.md'], { cwd })
    expect(code).toBe(2)
    expect(stdout).toContain('fold.md:12:16: A gap is no evidence')
    expect(stdout).toContain(
      '    12 | [FINDING-017]. No console task pays refunds [GAP-003].\n       |                ^\n',
    )
  })

  it('prints the verdict of the validator as JSON, also for standard input', async () => {
    const bad = foldWith('FINDING-021 | M |', 'FINDING-021 | L |')
    const args = ['check', ...FILES, '--json', '--trajectory-tokens', '4000', '-']
    const { code, stdout } = await foldex(args, { cwd: folderWith(FOLD), input: bad })
    expect(code).toBe(2)
    expect(verdict.parse(JSON.parse(stdout))).toEqual(
      judge({ fold_md: bad, trajectory_tokens: 4000 }),
    )
  })

  it('rejects a document that is not UTF-8, at its first wrong byte', async () => {
    const cwd = folderWith(new Uint8Array([0x61, 0xff]))
    const { code, stderr } = await foldex(['check', ...FILES, 'fold.md'], { cwd })
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'error: fold.md is not UTF-8, at byte 1\n',
    })
  })

  it('ends with exit code 2 even when the reader of its output is gone', async () => {
    const cwd = folderWith(foldWith(' [FINDING-021, GAP-003]', ' [GAP-003]'))
    const script = `${process.execPath} ${join(ROOT, 'src/cli/foldex.ts')} check ${FILES.join(' ')} fold.md | true; echo \${PIPESTATUS[0]}`
    const { stdout, stderr } = await promisify(execFile)('bash', ['-c', script], { cwd })
    expect([stdout, stderr]).toEqual(['2\n', ''])
  })

  it('suggests the option that was meant, or names the one that is missing', async () => {
    const args = ['check', '--misson', 'mission.md', '--findings', 'findings.md', 'fold.md']
    const { code, stderr } = await foldex(args)
    expect(code).toBe(1)
    expect(stderr).toContain("unknown option '--misson'\n(Did you mean --mission?)")
    const missing = await foldex(['check', '--mission', 'mission.md', 'fold.md'])
    expect(missing.stderr).toContain("required option '--findings <findings.md>' not specified")
  })

  it.each([
    [['check', ...FILES]],
    [['check', '--mission', 'mission.md', 'fold.md']],
    [['check', ...FILES, 'absent.md']],
    [['check', ...FILES, '--loud', 'fold.md']],
    [['check', ...FILES, '--trajectory-tokens', 'many', 'fold.md']],
    [['check', '--mission', '-', '--findings', '-', 'fold.md']],
  ])('answers wrong usage %j with exit code 1', async (args) => {
    const { code, stdout, stderr } = await foldex(args, { cwd: folderWith(FOLD) })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('error: ')
  })
})
