import type { Claims } from '../../src/domain/access/claims.ts'
import type { Endpoint } from '../../src/domain/hooks/endpoint.ts'
import { createApp } from '../../src/http/app.ts'
import type { Deps, Report, TokenSigner } from '../../src/ports.ts'
import { createApi } from './api.ts'
import type { Api } from './api.ts'
import { callsOf, faulty } from './faults.ts'
import type { Plan } from './faults.ts'
import { quarters } from './masking.ts'
import {
  createMemoryExcerptCache,
  createMemoryLogs,
  createMemoryMemex,
  createMemoryMissions,
  createMemoryRevocations,
} from './memory-ports.ts'
import { rootToken } from './tokens.ts'

export interface MemoryDeps extends Deps {
  readonly reports: Report[]
  /** What was deferred and has not been waited for. */
  readonly deferred: Promise<unknown>[]
}

/** All ports in memory, each counting its calls and failing as planned. */
export function memoryDeps(
  plans: Partial<Record<'memex' | 'logs' | 'missions' | 'revocations', Plan>> = {},
  endpoints: readonly Endpoint[] = [],
): MemoryDeps {
  const reports: Report[] = []
  const deferred: Promise<unknown>[] = []
  const now = Date.now
  const memex = faulty(createMemoryMemex(), plans.memex)
  const logs = faulty(createMemoryLogs(), plans.logs)
  let ids = 0
  return {
    memex,
    logs,
    missions: faulty(createMemoryMissions({ endpoints, memex, logs, now }), plans.missions),
    excerptCache: faulty(createMemoryExcerptCache()),
    revocations: faulty(createMemoryRevocations(), plans.revocations),
    signer: createMemorySigner(),
    endpoints,
    loadTokens: () => Promise.resolve(quarters),
    loadSecrets: () => Promise.resolve(() => Promise.resolve([])),
    now,
    newId: () => String(++ids).padStart(22, '0'),
    defer: (promise) => void deferred.push(promise),
    report: (entry) => void reports.push(entry),
    reports,
    deferred,
  }
}

/** The HTTP face on these ports, for somebody who may do everything in a tenant. */
export async function memoryApi(deps: Deps, tenant = 'acme'): Promise<Api> {
  const app = createApp(deps)
  const { signer } = deps
  const token = signer === null ? null : await rootToken(signer, tenant, {}, deps.now())
  return createApi((request) => app.fetch(request), token)
}

/** How often a port was called, method by method; what was not called is not there. */
export function calls(port: object | null, ...methods: string[]): Record<string, number> {
  const counted = methods.map((method) => [method, port === null ? 0 : callsOf(port, method)])
  return Object.fromEntries(counted.filter(([, count]) => count !== 0)) as Record<string, number>
}

/** Tokens that are good because this signer made them. */
export function createMemorySigner(): TokenSigner {
  const signed = new Map<string, Claims>()
  return {
    sign: async (claims) => {
      const payload = btoa(JSON.stringify(claims)).replaceAll('+', '-').replaceAll('/', '_')
      const token = `e30.${payload.replaceAll('=', '')}.${signed.size}`
      signed.set(token, claims)
      return token
    },
    verify: async (token) => signed.get(token) ?? null,
  }
}
