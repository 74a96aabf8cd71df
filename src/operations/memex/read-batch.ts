import type { Contract } from '../../contract/contract.ts'
import { done } from '../../contract/operation.ts'
import type { Operation } from '../../contract/operation.ts'
import { base64, utf8Text } from '../../domain/bytes.ts'
import type { Bytes } from '../../domain/bytes.ts'
import { parseRef } from '../../domain/digest.ts'
import { failure } from '../../domain/failure.ts'
import { err, ok } from '../../domain/result.ts'
import type { Deps, Owner } from '../../ports.ts'
import { inParallel } from '../in-parallel.ts'
import { readExcerpt } from './read-excerpt.ts'

/**
 * The most bytes of excerpts in one answer: they are held in memory until they are sent, at most a
 * third longer as JSON.
 */
const MAX_BATCH_BYTES = 24 * 1024 * 1024

const AT_A_TIME = 6

type Item = { ref: string; size: number; text?: string; base64?: string }

/**
 * Several excerpts in one answer, UTF-8 as text; other bytes as base64, and a text that JSON would
 * make longer than that. The missing are listed.
 */
export const readExcerpts: Operation<
  Contract['read_excerpts'],
  Pick<Deps, 'memex' | 'excerptCache' | 'defer' | 'report'>
> = async (deps, { caller, params, body }) => {
  const owner = { tenant: caller.tenant, mission: params.mission }
  const items: Item[] = []
  const missing: string[] = []
  let total = 0
  const refs = [...new Set(body.refs)]
  // A few at a time, so that no more than they are held in memory beyond what one answer may carry.
  for (let from = 0; from < refs.length; from += AT_A_TIME) {
    const some = refs.slice(from, from + AT_A_TIME)
    const reads = await inParallel(some, async (ref) => ({
      ref,
      read: await readRef(deps, owner, ref),
    }))
    for (const { ref, read } of reads) {
      if (read.ok) {
        total += read.value.length
        if (total > MAX_BATCH_BYTES)
          return err(
            failure('body_too_large', { detail: `at most ${MAX_BATCH_BYTES} bytes an answer` }),
          )
        items.push({ ref, size: read.value.length, ...content(read.value) })
      } else if (read.error.code === 'excerpt_not_found') missing.push(ref)
      else return read
    }
  }
  return ok(done({ items, missing }))
}

async function readRef(
  deps: Parameters<typeof readExcerpt>[0],
  owner: Owner,
  ref: string,
): ReturnType<typeof readExcerpt> {
  const sha256 = parseRef(ref)
  return sha256 === null ? err(failure('invalid_digest')) : await readExcerpt(deps, owner, sha256)
}

function content(bytes: Bytes): { text: string } | { base64: string } {
  const text = 3 * escapesLength(bytes) > bytes.length ? null : utf8Text(bytes)
  return text === null ? { base64: base64(bytes) } : { text }
}

/** By how many bytes a JSON string is longer than the UTF-8 that it holds (RFC 8259 section 7). */
function escapesLength(bytes: Bytes): number {
  let length = 0
  for (const byte of bytes) {
    if (byte < 0x20) length += SHORT_ESCAPES.has(byte) ? 1 : 5
    else if (byte === 0x22 || byte === 0x5c) length += 1
  }
  return length
}

/** Backspace, tab, line feed, form feed and carriage return have an escape of two characters. */
const SHORT_ESCAPES: ReadonlySet<number> = new Set([0x08, 0x09, 0x0a, 0x0c, 0x0d])
