import * as z from 'zod'

/** Every right that a token can carry (DESIGN section 9). `admin` holds all the others. */
export const SCOPES = [
  'memex:read',
  'memex:write',
  'mission:read',
  'mission:write',
  'fold:read',
  'fold:submit',
  'fold:check',
  'escalations:resolve',
  'hooks:ingest',
  'admin',
] as const

export const scope = z.enum(SCOPES)
export type Scope = z.infer<typeof scope>

export const holds = (held: readonly Scope[], wanted: Scope): boolean =>
  held.includes('admin') || held.includes(wanted)

/**
 * `fold:submit` and `fold:check` in one token would allow the retry that the fold contract forbids:
 * check until it passes, then submit. Only `admin` may hold both.
 */
export const conflict = (scopes: readonly Scope[]): boolean =>
  scopes.includes('fold:submit') && scopes.includes('fold:check') && !scopes.includes('admin')
