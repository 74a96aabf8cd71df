import type { Outcome } from './operation.ts'

/** The status of each way in which an operation can succeed. */
export const OUTCOME_STATUS: Readonly<Record<Outcome, number>> = {
  ok: 200,
  created: 201,
  accepted: 202,
  empty: 204,
}

/** The media types of answers that are not JSON. */
export const MEDIA_TYPES = {
  bytes: 'application/octet-stream',
  markdown: 'text/markdown; charset=utf-8',
  tar: 'application/x-tar',
} as const
