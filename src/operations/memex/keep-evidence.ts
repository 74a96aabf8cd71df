import type { Bytes } from '../../domain/bytes.ts'
import type { Sha256 } from '../../domain/digest.ts'
import type { Unstorable } from '../../domain/masking/plan/decision.ts'
import { MAX_EXCERPT_BYTES } from '../../domain/memex/excerpt.ts'
import type { ExcerptMeta } from '../../domain/memex/excerpt.ts'
import { err, ok } from '../../domain/result.ts'
import type { Result } from '../../domain/result.ts'
import type { Deps, Memex, Owner } from '../../ports.ts'
import { holdsSecret } from './scan-evidence.ts'

/** Bytes that are to leave a context, under the digest that they have. */
interface Evidence {
  readonly digest: Sha256
  readonly bytes: Bytes
  readonly meta: ExcerptMeta
}

/**
 * Stores the evidence of what a context is to lose, or says why it stays there. A store that fails
 * is reported and costs this evidence only.
 */
export async function keepEvidence(
  deps: Pick<Deps, 'loadSecrets' | 'report'> & { readonly memex: Memex },
  owner: Owner,
  { digest, bytes, meta }: Evidence,
): Promise<Result<'created' | 'exists', Unstorable>> {
  if (bytes.length > MAX_EXCERPT_BYTES) return err('too_large')
  if (await holdsSecret(deps, bytes)) return err('secret')
  try {
    return ok(await deps.memex.put(owner, digest, bytes, meta))
  } catch (error) {
    deps.report({ level: 'error', event: 'store_failed', error: String(error), ...owner })
    return err('store_failed')
  }
}
