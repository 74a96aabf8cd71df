import type { JsonObject } from '../../json/value.ts'
import type { Claim } from '../lens.ts'

const ROLES: ReadonlySet<unknown> = new Set([
  'system',
  'developer',
  'user',
  'assistant',
  'tool',
  'function',
])

/** A message with a role that everybody knows may belong to any format that has `content`. */
export const plainClaim = (message: JsonObject): Claim =>
  ROLES.has(message['role']) ? 'plain' : 'foreign'
