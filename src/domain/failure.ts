/**
 * Everything that may be refused, one code each. A failure is data: operations return it, and
 * `contract/problem.ts` gives it a status, a title and a hint. A code without a problem does not
 * compile.
 */
export type FailureCode =
  // the request itself
  | 'not_found'
  | 'method_not_allowed'
  | 'malformed_json'
  | 'invalid_input'
  | 'invalid_identifier'
  | 'invalid_digest'
  | 'invalid_utf8'
  | 'too_deep'
  | 'body_too_large'
  | 'unsupported_media_type'
  | 'unsupported_content_encoding'
  | 'range_not_satisfiable'
  | 'idempotency_key_reused'
  | 'request_in_progress'
  // access
  | 'unauthorized'
  | 'invalid_token'
  | 'token_expired'
  | 'token_revoked'
  | 'insufficient_scope'
  | 'scope_not_held'
  | 'scopes_conflict'
  | 'signing_keys_missing'
  | 'origin_not_allowed'
  // missions
  | 'mission_not_found'
  | 'mission_erased'
  | 'mission_halted'
  | 'mission_completed'
  | 'window_unknown'
  | 'phase_backwards'
  | 'gate_open'
  | 'tool_budget_exhausted'
  // Memex
  | 'excerpt_not_found'
  | 'excerpt_corrupt'
  | 'excerpt_too_large'
  | 'digest_mismatch'
  | 'kind_not_evidence'
  | 'secret_detected'
  // masking
  | 'format_unknown'
  | 'transcript_invalid'
  // the fold
  | 'artifact_missing'
  | 'artifact_too_large'
  | 'prompt_stale'
  | 'fold_rejected'
  | 'fold_already_accepted'
  | 'escalation_not_found'
  | 'escalation_resolved'
  | 'follow_up_too_deep'
  // working memory
  | 'bullets_out_of_range'
  | 'range_not_eligible'
  | 'resummarization_refused'
  | 'summary_out_of_range'
  | 'breadcrumb_out_of_range'
  | 'block_over_cap'
  | 'one_off_mission'
  | 'memory_file_not_found'
  // hooks
  | 'endpoint_not_found'
  | 'webhook_malformed'
  | 'webhook_signature_invalid'
  | 'webhook_timestamp_out_of_range'
  | 'delivery_not_found'
  // the platform
  | 'storage_not_configured'
  | 'temporarily_unavailable'
  | 'internal'

/** Where in the input something is wrong: an RFC 6901 JSON pointer, or the name of a parameter. */
export interface PointerError {
  readonly pointer: string
  readonly detail: string
}

/** As many errors as a problem lists. */
export const MAX_ERRORS = 20

/** An expected failure. `members` become extra members of the problem (RFC 9457 section 3.2). */
export interface Failure {
  readonly code: FailureCode
  readonly detail?: string
  readonly hint?: string
  readonly errors?: readonly PointerError[]
  readonly members?: Readonly<Record<string, unknown>>
}

export const failure = (code: FailureCode, rest: Omit<Failure, 'code'> = {}): Failure => ({
  code,
  ...rest,
})
