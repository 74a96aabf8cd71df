/** Something in a text that must not be stored. Offsets are UTF-16 units; the match is never kept. */
export interface Finding {
  readonly rule: string
  readonly start: number
  readonly end: number
  /** A warning is told; anything else is refused. */
  readonly severity: 'secret' | 'warning'
}

/** Looks for secrets and personal data in a decoded text. */
export type ScanSecrets = (text: string) => Promise<readonly Finding[]>

export const secret = (rule: string, start: number, end: number): Finding => ({
  rule,
  start,
  end,
  severity: 'secret',
})
