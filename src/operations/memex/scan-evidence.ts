import type { Claims } from '../../domain/access/claims.ts'
import { holds } from '../../domain/access/scope.ts'
import { utf8 } from '../../domain/bytes.ts'
import type { Bytes } from '../../domain/bytes.ts'
import { failure, MAX_ERRORS } from '../../domain/failure.ts'
import type { Failure } from '../../domain/failure.ts'
import { err, ok } from '../../domain/result.ts'
import type { Result } from '../../domain/result.ts'
import { scannables } from '../../domain/secrets/decoded.ts'
import type { ByteSpan } from '../../domain/secrets/decoded.ts'
import type { Finding } from '../../domain/secrets/finding.ts'
import type { Deps } from '../../ports.ts'

type ScanDeps = Pick<Deps, 'loadSecrets'>

/** A finding as it is told: the rule and where, never what. */
interface Located extends ByteSpan {
  readonly rule: string
  readonly severity: Finding['severity']
}

/** Everything in bytes that should not be stored, in their order. */
export async function scanBytes(deps: ScanDeps, bytes: Bytes): Promise<readonly Located[]> {
  const scan = await deps.loadSecrets()
  // The same place found in two readings of the bytes is found once.
  const located = new Map<string, Located>()
  for (const { text, spansOf } of scannables(bytes)) {
    const findings = await scan(text)
    for (const [index, span] of spansOf(findings).entries()) {
      const { rule = '', severity = 'secret' } = findings[index] ?? {}
      located.set(`${rule} ${span.start} ${span.end}`, { rule, severity, ...span })
    }
  }
  return [...located.values()].toSorted((one, other) => one.start - other.start)
}

/** Whether bytes hold a secret. */
export const holdsSecret = async (deps: ScanDeps, bytes: Bytes): Promise<boolean> =>
  (await scanBytes(deps, bytes)).some((one) => one.severity === 'secret')

/**
 * The warnings of bytes that may be stored, or `secret_detected`. `allow` names the rule that an
 * `admin` overrides; that it did is logged.
 */
export async function clearEvidence(
  deps: ScanDeps & Pick<Deps, 'report'>,
  caller: Claims,
  bytes: Bytes,
  allow?: string,
): Promise<Result<string[], Failure>> {
  if (allow !== undefined && !holds(caller.scope, 'admin'))
    return err(failure('insufficient_scope', { detail: 'allow needs admin' }))
  const located = await scanBytes(deps, bytes)
  const secrets = located.filter((one) => one.severity === 'secret' && one.rule !== allow)
  if (secrets.length > 0) return err(detected(secrets))
  const allowed = located.filter((one) => one.rule === allow)
  if (allowed.length > 0)
    deps.report({
      level: 'warn',
      event: 'secret_allowed',
      rule: allow,
      tenant: caller.tenant,
      jti: caller.jti,
    })
  return ok(located.filter((one) => one.severity === 'warning').map(warning))
}

/** Refuses texts of a request that hold a secret, each at its pointer; what is absent holds none. */
export async function clearTexts(
  deps: ScanDeps,
  texts: readonly (readonly [pointer: string, text: string | undefined])[],
): Promise<Failure | null> {
  for (const [pointer, text = ''] of texts) {
    if (text === '') continue
    const secrets = (await scanBytes(deps, utf8(text))).filter((one) => one.severity === 'secret')
    if (secrets.length > 0) return detected(secrets, pointer)
  }
  return null
}

const detected = (secrets: readonly Located[], pointer = ''): Failure =>
  failure('secret_detected', {
    errors: secrets
      .slice(0, MAX_ERRORS)
      .map(({ rule, start, end }) => ({ pointer, detail: `${rule} at bytes ${start}-${end}` })),
  })

const warning = ({ rule, start, end }: Located): string => `${rule} at bytes ${start}-${end}`
