import type { Contract } from '../contract/contract.ts'
import { done } from '../contract/operation.ts'
import type { Operation } from '../contract/operation.ts'
import { ok } from '../domain/result.ts'
import type { Deps } from '../ports.ts'

export const VERSION = '0.1.0'

/** That the Worker answers, and which of its bindings are there. */
export const health: Operation<
  Contract['health'],
  Pick<Deps, 'memex' | 'logs' | 'missions'>
> = async (deps) =>
  ok(
    done({
      ok: true,
      version: VERSION,
      bindings: {
        memex: deps.memex !== null,
        logs: deps.logs !== null,
        missions: deps.missions !== null,
      },
    }),
  )
