import * as z from 'zod'
import { MAX_TOKEN_SECONDS } from '../../domain/access/claims.ts'
import { scope } from '../../domain/access/scope.ts'
import { identifier, timestamp } from '../../domain/identifier.ts'
import type { OperationRow } from '../operation.ts'

export const accessRows = {
  mint_token: {
    method: 'POST',
    path: '/v1/tokens',
    summary: 'Mint a narrower token: no scope, mission or lifetime beyond your own',
    scope: 'any',
    body: z.strictObject({
      scope: z.array(scope).min(1).max(20).describe('rights that your own token holds'),
      mission: identifier.optional().describe('the only mission that it reaches'),
      expires_in_s: z.int().positive().max(MAX_TOKEN_SECONDS).describe('never past your own token'),
    }),
    answers: z.strictObject({ token: z.string(), jti: z.string(), expires_at: timestamp }),
    outcomes: ['created'],
    problems: [
      'malformed_json',
      'unsupported_media_type',
      'scope_not_held',
      'scopes_conflict',
      'mission_not_found',
    ],
  },
  revoke_token: {
    method: 'DELETE',
    path: '/v1/tokens/{jti}',
    summary: 'Revoke a token and all that were minted from it',
    scope: 'any',
    answers: z.strictObject({ revoked: z.literal(true) }),
    outcomes: ['ok'],
    problems: ['invalid_identifier', 'storage_not_configured'],
  },
} as const satisfies Record<string, OperationRow>
