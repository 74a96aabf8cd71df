import { env, waitUntil } from 'cloudflare:workers'
import { createD1Logs } from './adapters/d1/d1-logs.ts'
import { createExcerptCache } from './adapters/edge/excerpt-cache.ts'
import { createJoseSigner } from './adapters/jose/jose-signer.ts'
import { MissionObject } from './adapters/mission/mission-object.ts'
import { createMissions } from './adapters/mission/missions.ts'
import type { MissionNamespace } from './adapters/mission/missions.ts'
import { createR2Memex } from './adapters/r2/r2-memex.ts'
import { createR2Revocations } from './adapters/r2/r2-revocations.ts'
import { createSecretScanner } from './adapters/secrets/secretlint.ts'
import { createTokenizer } from './adapters/tokens/gpt-tokens.ts'
import { createFetchWebhooks } from './adapters/webhooks/fetch-webhooks.ts'
import { parseEndpoints } from './domain/hooks/endpoint.ts'
import type { Endpoint } from './domain/hooks/endpoint.ts'
import { createApp } from './http/app.ts'
import type { Neighbours } from './http/mcp.ts'
import type { Deps, Report } from './ports.ts'

/** Any binding may be missing: section 10 of the design says what Foldex is without it. */
interface Bindings {
  readonly MEMEX?: R2Bucket
  readonly LOGS?: D1Database
  readonly MISSIONS?: MissionNamespace
  readonly SIGNING_KEYS?: string
  /** A JSON list of webhook endpoints. */
  readonly ENDPOINTS?: string
  /** Comma lists: the host names that MCP answers to, and the web origins whose pages may call. */
  readonly ALLOWED_HOSTS?: string
  readonly ALLOWED_ORIGINS?: string
}

export class Mission extends MissionObject {
  constructor(ctx: DurableObjectState, bindings: Env) {
    super(ctx, bindings, {
      ...storage(bindings),
      revocations: revocations(bindings),
      webhooks: createFetchWebhooks(endpoints(bindings), Date.now),
      now: Date.now,
      report,
    })
  }
}

/** The ports of a set of bindings: also how tests build the Worker with some of them missing. */
export function createDeps(bindings: Bindings): Deps {
  const { memex, logs } = storage(bindings)
  return {
    memex,
    logs,
    missions: bindings.MISSIONS ? createMissions(bindings.MISSIONS) : null,
    excerptCache: createExcerptCache(() => caches.open('memex'), report),
    revocations: revocations(bindings),
    signer: signer(bindings.SIGNING_KEYS),
    endpoints: endpoints(bindings),
    loadTokens: createTokenizer(),
    loadSecrets: createSecretScanner(),
    now: Date.now,
    newId,
    defer: waitUntil,
    report,
  }
}

const app = createApp(createDeps(env), neighbours(env))

export default { fetch: (request) => app.fetch(request) } satisfies ExportedHandler

function neighbours({ ALLOWED_HOSTS, ALLOWED_ORIGINS }: Bindings): Neighbours {
  const listed = (text = ''): string[] => text.split(',').flatMap((part) => part.trim() || [])
  return {
    hosts: ALLOWED_HOSTS === undefined ? null : listed(ALLOWED_HOSTS),
    origins: listed(ALLOWED_ORIGINS),
  }
}

function storage(bindings: Bindings) {
  return {
    memex: bindings.MEMEX ? createR2Memex(bindings.MEMEX) : null,
    logs: bindings.LOGS ? createD1Logs(bindings.LOGS) : null,
  }
}

function revocations({ MEMEX }: Bindings): Deps['revocations'] {
  return MEMEX ? createR2Revocations(MEMEX, Date.now) : null
}

/** Endpoints that can't be read are not none: what is to be sent or received waits for them. */
function endpoints({ ENDPOINTS = '' }: Bindings): readonly Endpoint[] | null {
  const parsed = parseEndpoints(ENDPOINTS)
  if (parsed.ok) return parsed.value
  report({ level: 'error', event: 'endpoints_malformed', where: parsed.error })
  return null
}

/** Keys that can't be read are no keys: the Worker answers 503, never open. */
function signer(keys: string | undefined): Deps['signer'] {
  if (keys === undefined || keys === '') return null
  try {
    return createJoseSigner(keys)
  } catch (error) {
    report({ level: 'error', event: 'signing_keys_malformed', error: String(error) })
    return null
  }
}

/** 128 random bits as 22 characters of base64url. */
function newId(): string {
  const random = String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16)))
  return btoa(random).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

function report(entry: Report): void {
  console.log(JSON.stringify(entry))
}
