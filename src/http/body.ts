import type { Bytes } from '../domain/bytes.ts'
import { failure } from '../domain/failure.ts'
import type { Failure } from '../domain/failure.ts'
import type { Result } from '../domain/result.ts'
import { err, ok } from '../domain/result.ts'

/** The largest JSON body, in bytes. */
export const MAX_JSON_BYTES = 16 * 1024 * 1024

/**
 * The body's bytes, exactly as sent, at most `limit` of them. A declared length over the limit is
 * refused before anything is read, a lying one while it is read.
 */
export async function readBody(
  request: Request,
  limit: number,
  tooLarge: Failure['code'],
): Promise<Result<Bytes, Failure>> {
  const encoding = request.headers.get('content-encoding')
  if (encoding !== null && encoding !== 'identity')
    return err(
      failure('unsupported_content_encoding', {
        errors: [{ pointer: '/header/content-encoding', detail: 'must not be there' }],
      }),
    )
  const over = err(
    failure(tooLarge, { errors: [{ pointer: '', detail: `is more than ${limit} bytes` }] }),
  )
  if (Number(request.headers.get('content-length') ?? 0) > limit) return over
  if (request.body === null) return ok(new Uint8Array(0))
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of request.body as ReadableStream<Uint8Array>) {
    length += chunk.byteLength
    if (length > limit) return over
    chunks.push(chunk)
  }
  return ok(joined(chunks, length))
}

/** Whether the request says that its body is JSON. */
export function isJson(request: Request): boolean {
  const type = request.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return type === 'application/json' || (type.startsWith('application/') && type.endsWith('+json'))
}

function joined(chunks: readonly Uint8Array[], length: number): Bytes {
  const bytes = new Uint8Array(length)
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.byteLength
  }
  return bytes
}
