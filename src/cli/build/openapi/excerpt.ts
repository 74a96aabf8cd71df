import * as z from 'zod'
import type { ZodOpenApiResponseObject } from 'zod-openapi'

const said = (description: string) => z.string().meta({ description })

/** What a GET of an excerpt may ask for beside its bytes. */
export const CONDITIONAL_HEADERS = z.object({
  'If-None-Match': said('ETags that the client has; a match answers 304').optional(),
  Range: said('one range of bytes, as `bytes=0-1023`; answers 206').optional(),
  'If-Range': said('the ETag that the range is of; another answers the whole').optional(),
})

/** What an excerpt says of itself. */
export const EXCERPT_HEADERS = z.object({
  ETag: said('the digest in quotes: a strong validator'),
  'Repr-Digest': said('the digest of the whole excerpt (RFC 9530)'),
  'Accept-Ranges': said('`bytes`'),
  'Cache-Control': said('private and immutable: the bytes of a ref never change'),
})

/** How else the bytes, or the news that the client has them, are answered. */
export const conditionalResponses = (): Record<string, ZodOpenApiResponseObject> => ({
  '206': {
    description: 'The range that was asked for',
    headers: EXCERPT_HEADERS.extend({
      'Content-Range': said('which bytes these are, of how many'),
    }),
    content: { 'application/octet-stream': {} },
  },
  '304': { description: 'The client has these bytes' },
})
