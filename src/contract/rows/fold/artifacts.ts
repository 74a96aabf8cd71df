import * as z from 'zod'
import { GIVEN_ARTIFACTS } from '../../../domain/fold/lifecycle/artifact.ts'
import type { OperationRow } from '../../operation.ts'
import { ref } from '../memex.ts'

/** The largest document, in bytes. */
export const MAX_ARTIFACT_BYTES = 1024 * 1024

export const artifactRows = {
  put_artifact: {
    method: 'PUT',
    path: '/v1/missions/{mission}/artifacts/{artifact}',
    summary: 'Give the mission one of its documents; it is kept in the Memex, byte for byte',
    scope: 'mission:write',
    body: 'bytes',
    maxBytes: MAX_ARTIFACT_BYTES,
    tooLarge: 'artifact_too_large',
    answers: z.strictObject({ name: z.enum(GIVEN_ARTIFACTS), ref, bytes: z.int() }),
    outcomes: ['ok'],
    problems: [
      'not_found',
      'artifact_too_large',
      'invalid_identifier',
      'invalid_utf8',
      'unsupported_content_encoding',
      'secret_detected',
      'mission_erased',
      'storage_not_configured',
    ],
  },
  get_artifact: {
    method: 'GET',
    path: '/v1/missions/{mission}/artifacts/{artifact}',
    summary: 'One of the mission’s documents as it was given',
    scope: 'mission:read',
    alsoScope: 'fold:read',
    answers: 'markdown',
    outcomes: ['ok'],
    problems: [
      'not_found',
      'invalid_identifier',
      'mission_not_found',
      'artifact_missing',
      'excerpt_corrupt',
      'storage_not_configured',
    ],
  },
} as const satisfies Record<string, OperationRow>
