import * as z from 'zod'

const IDENTIFIER = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/
// Names that a plain object already answers to would be a trap for every map keyed by an id.
const RESERVED = new Set([...Object.getOwnPropertyNames(Object.prototype), 'prototype'])

/** Whether a text may name a mission or a tenant: ASCII only, since R2 merges NFC and NFD keys. */
export const isIdentifier = (text: string): boolean => IDENTIFIER.test(text) && !RESERVED.has(text)

/** A mission or tenant id (DESIGN section 1). */
export const identifier = z
  .string()
  .regex(IDENTIFIER, { error: `must match ${IDENTIFIER.source}`, abort: true })
  .refine(isIdentifier, { error: 'must not be the name of an object member' })

/** A model as a request or a mission names it. */
export const modelName = z.string().min(1).max(128)

/** A tool name as providers allow it; nothing else can stand in a placeholder or a log line. */
export const toolName = z.string().regex(/^[A-Za-z0-9_-]{1,128}$/, {
  error: 'must be 1 to 128 characters of A-Z, a-z, 0-9, _ and -',
})

/** ISO 8601 UTC with milliseconds, the only form of time that the API answers. */
export const timestamp = z.iso.datetime({ precision: 3 })

/** A caller's time in any form of ISO 8601 with its zone, as the API writes it. */
export const givenTime = z.iso
  .datetime({ offset: true, abort: true })
  // A zone can carry the last day of the year 9999 out of the form.
  .refine((at) => isoTime(Date.parse(at)).length === 24, {
    error: 'must be of the years 0 to 9999',
  })
  .overwrite((at) => isoTime(Date.parse(at)))

export const isoTime = (ms: number): string => new Date(ms).toISOString()
