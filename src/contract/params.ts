import { parseSha256 } from '../domain/digest.ts'
import type { FailureCode } from '../domain/failure.ts'
import { ARTIFACTS } from '../domain/fold/lifecycle/artifact.ts'
import { isIdentifier } from '../domain/identifier.ts'
import { BLOCK_LABELS } from '../domain/memory/entries/block.ts'
import { parseMemoryPath } from '../domain/memory/files/memory-path.ts'

interface Param {
  readonly holds: (text: string) => boolean
  readonly failure: FailureCode
  readonly description: string
}

const WORD = /^[A-Za-z0-9_-]{1,128}$/

/** The syntax of each path parameter, by its name. */
export const PARAMS: Readonly<Record<string, Param>> = {
  mission: { holds: isIdentifier, failure: 'invalid_identifier', description: 'mission id' },
  sha256: {
    holds: (text) => parseSha256(text) !== null,
    failure: 'invalid_digest',
    description: '64 lower-case hex digits',
  },
  jti: {
    holds: (text) => /^[A-Za-z0-9_-]{8,64}$/.test(text),
    failure: 'invalid_identifier',
    description: 'token id',
  },
  log: {
    holds: (text) => text === 'masking' || text === 'summarization',
    failure: 'not_found',
    description: 'masking or summarization',
  },
  artifact: {
    holds: (text) => (ARTIFACTS as readonly string[]).includes(text),
    failure: 'not_found',
    description: 'mission.md, map.md, findings.md or fold.md',
  },
  turn: {
    holds: (text) => /^(?:0|[1-9]\d{0,8})$/.test(text),
    failure: 'invalid_identifier',
    description: 'turn number',
  },
  call_id: {
    holds: (text) => /^[\x21-\x7E]{1,1024}$/.test(text),
    failure: 'invalid_identifier',
    description: 'call id',
  },
  task: { holds: isIdentifier, failure: 'invalid_identifier', description: 'task id' },
  label: {
    holds: (text) => BLOCK_LABELS.some((label) => label === text),
    failure: 'not_found',
    description: BLOCK_LABELS.join(', '),
  },
  path: {
    holds: (text) => parseMemoryPath(text) !== null,
    failure: 'memory_file_not_found',
    description: 'path of a memory file',
  },
  endpoint: {
    holds: (text) => /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(text),
    failure: 'endpoint_not_found',
    description: 'endpoint id',
  },
  id: { holds: (text) => WORD.test(text), failure: 'invalid_identifier', description: 'id' },
}

/** The names of a path's parameters, in their order. */
export const paramNames = (path: string): readonly string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '')
