import type { ContentBlock } from '@modelcontextprotocol/server'
import { base64, utf8Text } from '../domain/bytes.ts'
import type { Bytes } from '../domain/bytes.ts'
import { parseRef } from '../domain/digest.ts'
import { failure } from '../domain/failure.ts'
import type { Failure } from '../domain/failure.ts'
import { err } from '../domain/result.ts'
import type { Result } from '../domain/result.ts'
import { reachesExcerpt } from '../operations/fold/artifacts/evidence-reach.ts'
import { readExcerpt } from '../operations/memex/read-excerpt.ts'
import type { Deps } from '../ports.ts'
import type { Session } from './invoke.ts'

/** The exact bytes that a ref names, for a session whose token may read them. */
export async function excerptOf(
  deps: Deps,
  session: Session & { readonly mission: string },
  ref: string,
): Promise<Result<Bytes, Failure>> {
  const sha256 = parseRef(ref)
  if (sha256 === null) return err(failure('invalid_digest'))
  const owner = { tenant: session.caller.tenant, mission: session.mission }
  if (!(await reachesExcerpt(deps, session.caller, owner, sha256)))
    return err(failure('excerpt_not_found'))
  return readExcerpt(deps, owner, sha256)
}

/** Bytes as a tool answers them: UTF-8 as text, anything else as an embedded resource. */
export function excerptContent(ref: string, bytes: Bytes): ContentBlock {
  const text = utf8Text(bytes)
  return text === null
    ? { type: 'resource', resource: resourceContents(ref, bytes) }
    : { type: 'text', text, _meta: untrusted(ref) }
}

/** Bytes as a resource: UTF-8 as text, anything else as base64. */
export function resourceContents(uri: string, bytes: Bytes) {
  const text = utf8Text(bytes)
  const _meta = untrusted(uri)
  return text === null
    ? { uri, mimeType: 'application/octet-stream', blob: base64(bytes), _meta }
    : { uri, mimeType: 'text/plain', text, _meta }
}

/** Whoever wrote the bytes may have meant them to be obeyed: the host is told what they are. */
const untrusted = (ref: string) => ({ provenance: ref, trust: 'untrusted' })
