import { describe, expect, it } from 'vitest'
import { utf8 } from '../../../../src/domain/bytes.ts'
import { formatRef, sha256 } from '../../../../src/domain/digest.ts'
import { formatPlaceholder } from '../../../../src/domain/masking/masks/placeholder.ts'
import {
  judgeOutput,
  outputEvidence,
} from '../../../../src/domain/masking/observation/judge-output.ts'
import { count } from '../../../support/count-tokens.ts'

const call = { tool: 'sh', is_error: false }
const long = '9 refunds paid\n'.repeat(100)
const inContext = '[masked: sh result]'
const judge = (output: unknown, storage: 'memex' | 'in_context' = 'memex', one = call) =>
  judgeOutput(one, outputEvidence(output, JSON.stringify({ output })), count, storage)

describe('the evidence of an output', () => {
  it('is the text itself, in UTF-8', () => {
    expect(outputEvidence('héllo', '{"output":"h\\u00e9llo"}')).toEqual({
      form: 'text',
      text: 'héllo',
      bytes: utf8('héllo'),
    })
  })

  it('is the JSON of anything else, as it was sent', () => {
    const json = '{ "id": 12345678901234567890, "n": 1.0 }'
    const { form, text } = outputEvidence(JSON.parse(json), `{"output":${json}}`)
    expect({ form, text }).toEqual({ form: 'json', text: json })
  })

  it('is the JSON of a text that has no UTF-8', () => {
    expect(outputEvidence('\ud800', '{"output":"\\ud800"}')).toMatchObject({
      form: 'json',
      text: '"\\ud800"',
    })
  })

  it('is null where nothing was sent', () => {
    expect(outputEvidence(undefined, '{}')).toMatchObject({ form: 'json', text: 'null' })
  })
})

describe('an output', () => {
  it('is worth a place where it costs more than the placeholder that points at it', async () => {
    const digest = await sha256(utf8(long))
    const ref = formatRef(digest)
    const placeholder = `[Tool: sh. Output masked. See ${ref}]`
    const tokens = count(long)
    expect(await judge(long)).toEqual({
      tokens,
      digest,
      stays: { ref: null, placeholder: inContext, saved_tokens: 0 },
      worth: {
        stored: { ref, placeholder, saved_tokens: tokens - count(placeholder) },
        unstorable: {
          ref: null,
          placeholder: inContext,
          saved_tokens: tokens - count(inContext),
          unstorable: true,
        },
      },
    })
  })

  it('says in its placeholder that it is an error or JSON', async () => {
    const error = await judge(long, 'memex', { ...call, is_error: true })
    expect(error.worth?.stored.placeholder).toContain('Error output masked')
    const json = await judge({ long })
    expect(json.worth?.stored.placeholder).toMatch(/ as json\]$/)
  })

  it('stays where it costs no more', async () => {
    expect(await judge('ok')).toEqual({
      tokens: count('ok'),
      digest: await sha256(utf8('ok')),
      stays: { ref: null, placeholder: inContext, saved_tokens: 0 },
      worth: null,
    })
  })

  it('saves its tokens in the context alone where nothing can be stored', async () => {
    const { stays, worth } = await judge(long, 'in_context')
    expect(stays.saved_tokens).toBe(count(long) - count(inContext))
    expect(worth).toBeNull()
    expect((await judge('ok', 'in_context')).stays.saved_tokens).toBe(0)
  })

  it('is left alone where it is a placeholder already', async () => {
    const ref = formatRef(await sha256(utf8('x')))
    const text = formatPlaceholder({
      tool: 'sh',
      ref,
      form: 'text',
      is_error: false,
      extract: null,
    })
    for (const storage of ['memex', 'in_context'] as const)
      expect(await judge(text, storage)).toMatchObject({
        stays: { saved_tokens: 0 },
        worth: null,
      })
  })
})
