import { beforeAll, describe, expect, it } from 'vitest'
import { createSecretScanner } from '../../../src/adapters/secrets/secretlint.ts'
import type { ScanSecrets } from '../../../src/domain/secrets/finding.ts'
import { PLANTED, plantedKey } from '../../support/planted-secrets.ts'

describe('the secret scanner', () => {
  let scan: ScanSecrets
  beforeAll(async () => {
    scan = await createSecretScanner()()
  })

  it.each(Object.keys(PLANTED))('finds a planted %s, and says where', async (kind) => {
    const planted = PLANTED[kind] ?? ''
    const text = `first line\nsome ordinary output\n${planted}\nlast line\n`
    const found = (await scan(text)).filter((one) => one.severity === 'secret')
    expect(found.length).toBeGreaterThan(0)
    const [first] = found
    expect(first?.start).toBeGreaterThanOrEqual(text.indexOf(planted))
    expect(first?.end).toBeLessThanOrEqual(text.indexOf(planted) + planted.length)
  })

  it.each(['// secretlint-disable', '# secretlint-disable', '<!-- secretlint-disable -->'])(
    'finds a secret behind the comment %s',
    async (comment) => {
      const found = await scan(`${comment}\n${PLANTED['GitHub token']}\n`)
      expect(found.map((one) => one.rule)).toContain('github')
    },
  )

  it('finds a private key', async () => {
    const found = await scan(`key:\n${await plantedKey()}\n`)
    expect(found.map((one) => one.rule)).toContain('privatekey')
  })

  it('warns of an e-mail address without refusing it', async () => {
    const found = await scan('write to jane.doe+notes@mail.service.org please')
    expect(found).toEqual([{ rule: 'email', start: 9, end: 40, severity: 'warning' }])
  })
})
