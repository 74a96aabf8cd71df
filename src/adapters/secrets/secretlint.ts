import { findCredentials } from '../../domain/secrets/credentials.ts'
import type { ScanSecrets } from '../../domain/secrets/finding.ts'
import { findPersonalData } from '../../domain/secrets/personal-data.ts'
import { scanInWindows } from '../../domain/secrets/windows.ts'

/**
 * The scanner of this isolate: secretlint's rules, imported at first use, with our own beside them.
 */
export function createSecretScanner(): () => Promise<ScanSecrets> {
  let loading: Promise<ScanSecrets> | undefined
  const load = async (): Promise<ScanSecrets> => {
    const { scanWithRules } = await import('./rules.ts')
    return async (text) => [
      ...(await scanInWindows(text, scanWithRules)),
      ...findCredentials(text),
      ...findPersonalData(text),
    ]
  }
  return () =>
    (loading ??= load().catch((reason: unknown) => {
      // A failed import is not remembered: the next call tries again.
      loading = undefined
      throw reason
    }))
}
