import { utf8, utf8Text } from '../../domain/bytes.ts'
import type { Bytes } from '../../domain/bytes.ts'
import type { ExcerptMeta } from '../../domain/memex/excerpt.ts'
import { excerptKind } from '../../domain/memex/excerpt.ts'

/** Longer sources are cut: R2 holds 2,048 bytes of metadata locally (8,192 in production). */
export const MAX_SOURCE_BYTES = 1_300

const PLAIN = /^[ -~]*$/

/** R2 metadata is ASCII, as it travels in headers: any other source is kept in base64. */
export function metadataOf(meta: ExcerptMeta): Record<string, string> {
  return {
    kind: meta.kind,
    stored_at: meta.stored_at,
    ...(meta.tool === undefined ? {} : { tool: meta.tool }),
    ...(meta.source === undefined ? {} : sourceMetadata(meta.source)),
  }
}

/** The meta of a stored object; one that was put by other hands is a plain excerpt of its date. */
export function metaOf(object: R2Object): ExcerptMeta {
  const { kind, stored_at, tool, source, source_base64 } = object.customMetadata ?? {}
  const parsed = excerptKind.safeParse(kind)
  const text = source_base64 === undefined ? source : utf8Text(Uint8Array.fromBase64(source_base64))
  return {
    kind: parsed.success ? parsed.data : 'excerpt',
    stored_at: stored_at ?? object.uploaded.toISOString(),
    ...(tool === undefined ? {} : { tool }),
    ...(text === undefined || text === null ? {} : { source: text }),
  }
}

function sourceMetadata(source: string): Record<string, string> {
  const bytes = capped(utf8(source.toWellFormed()))
  return PLAIN.test(source)
    ? { source: source.slice(0, MAX_SOURCE_BYTES) }
    : { source_base64: bytes.toBase64() }
}

function capped(bytes: Bytes): Bytes {
  if (bytes.length <= MAX_SOURCE_BYTES) return bytes
  let end = MAX_SOURCE_BYTES
  // 0b10xxxxxx continues a character: cut before the character that the cap would split.
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return bytes.slice(0, end)
}
