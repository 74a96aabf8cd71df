import * as z from 'zod'
import { timestamp, toolName } from '../../domain/identifier.ts'
import { excerptKind, MAX_EXCERPT_BYTES } from '../../domain/memex/excerpt.ts'
import type { OperationRow } from '../operation.ts'
import { page, paging } from '../paging.ts'

export const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
export const ref = z.string().regex(/^memex:\/\/excerpt\/[0-9a-f]{64}$/)

/** As many excerpts as one answer has. */
const MOST_READ = 100

const about = z.strictObject({
  // `summary` is read so that it can be refused by name, with the reason.
  kind: z.union([excerptKind, z.literal('summary')]).default('excerpt'),
  source: z
    .string()
    .min(1)
    .max(1024)
    .optional()
    .describe('where the bytes come from, as a path and lines'),
  tool: toolName.optional().describe('the tool that gave them'),
  audit: z.stringbool().default(false).describe('`true` to keep a transcript'),
  allow: z
    .string()
    .min(1)
    .max(128)
    .optional()
    .describe('a rule id whose finding is a false alarm; scope admin'),
})

const stored = z.strictObject({
  ref,
  sha256,
  size: z.int(),
  kind: excerptKind,
  created: z.boolean(),
  warnings: z.array(z.string()),
})

const refusedOnWrite = [
  'invalid_identifier',
  'excerpt_too_large',
  'unsupported_content_encoding',
  'kind_not_evidence',
  'secret_detected',
  'mission_erased',
  'storage_not_configured',
] as const

export const memexRows = {
  write_excerpt: {
    method: 'POST',
    path: '/v1/missions/{mission}/excerpts',
    summary: 'Store bytes under their SHA-256',
    scope: 'memex:write',
    query: about,
    body: 'bytes',
    maxBytes: MAX_EXCERPT_BYTES,
    answers: stored,
    outcomes: ['created', 'ok'],
    problems: [...refusedOnWrite],
  },
  put_excerpt: {
    method: 'PUT',
    path: '/v1/missions/{mission}/excerpts/{sha256}',
    summary: 'Store bytes that must hash to the digest in the path',
    scope: 'memex:write',
    query: about,
    body: 'bytes',
    maxBytes: MAX_EXCERPT_BYTES,
    answers: stored,
    outcomes: ['created', 'ok'],
    problems: [...refusedOnWrite, 'invalid_digest', 'digest_mismatch'],
  },
  read_excerpt: {
    method: 'GET',
    path: '/v1/missions/{mission}/excerpts/{sha256}',
    summary: 'The exact bytes; HEAD, If-None-Match and single ranges work',
    scope: 'memex:read',
    alsoScope: 'fold:read',
    answers: 'bytes',
    outcomes: ['ok'],
    problems: [
      'invalid_identifier',
      'invalid_digest',
      'excerpt_not_found',
      'excerpt_corrupt',
      'range_not_satisfiable',
      'storage_not_configured',
    ],
    unreachable: 'excerpt_not_found',
  },
  read_excerpts: {
    method: 'POST',
    path: '/v1/missions/{mission}/excerpts/read',
    summary: `Up to ${MOST_READ} excerpts in one answer, the missing ones listed`,
    scope: 'memex:read',
    body: z.strictObject({ refs: z.array(ref).min(1).max(MOST_READ) }),
    answers: z.strictObject({
      items: z.array(
        z.strictObject({
          ref,
          size: z.int(),
          text: z.string().optional(),
          base64: z.string().optional(),
        }),
      ),
      missing: z.array(ref),
    }),
    outcomes: ['ok'],
    problems: [
      'malformed_json',
      'unsupported_media_type',
      'invalid_identifier',
      'excerpt_corrupt',
      'body_too_large',
      'storage_not_configured',
    ],
  },
  list_excerpts: {
    method: 'GET',
    path: '/v1/missions/{mission}/excerpts',
    summary: 'The Memex index of a mission',
    scope: 'memex:read',
    query: z.strictObject(paging),
    answers: page(
      z.strictObject({
        ref,
        size: z.int(),
        kind: excerptKind,
        source: z.string().nullable(),
        tool: z.string().nullable(),
        stored_at: timestamp,
      }),
    ),
    outcomes: ['ok'],
    problems: ['invalid_identifier', 'mission_not_found', 'storage_not_configured'],
  },
} as const satisfies Record<string, OperationRow>
