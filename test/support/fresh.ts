import type { Owner } from '../../src/ports.ts'

let made = 0

/** An owner that nothing else in this run uses: tests of a file share their stores. */
export function freshOwner(tenant = freshName('tenant')): Owner {
  return { tenant, mission: freshName('mission') }
}

export const freshName = (what: string): string =>
  `${what}-${++made}-${crypto.randomUUID().slice(0, 8)}`
