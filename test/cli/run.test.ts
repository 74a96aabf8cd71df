import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { faultServer } from '../client/fault-server.ts'
import { emptyFolder, ROOT } from './foldex.ts'

describe('an interrupted command', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('ends silently on %s with exit code %d', async (signal, code) => {
    const file = join(emptyFolder(), 'session.json')
    const messages = ['user', 'assistant', 'user'].map((role) => ({ role, content: 'go on' }))
    writeFileSync(file, JSON.stringify({ messages }))
    // A Worker that never answers.
    let asked = (): void => {}
    const called = new Promise<void>((resolve) => (asked = resolve))
    const server = await faultServer(() => asked())
    const args = ['replay', file, '--url', server.url, '--token', 't']
    const child = spawn(process.execPath, [join(ROOT, 'src/cli/foldex.ts'), ...args])
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk) => (said += chunk))
    const closed = new Promise((resolve) => child.once('close', resolve))
    await called
    child.kill(signal)
    expect(await closed).toBe(code)
    expect(said).toBe('')
    await server.close()
  })
})
