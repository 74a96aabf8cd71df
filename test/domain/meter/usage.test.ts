import { describe, expect, it } from 'vitest'
import { parseUsage } from '../../../src/domain/meter/usage.ts'

describe('parseUsage', () => {
  it('adds the cached tokens of Anthropic Messages to the uncached ones', () => {
    const usage = {
      input_tokens: 7,
      cache_creation_input_tokens: 9_518,
      cache_read_input_tokens: 1_684,
      cache_creation: { ephemeral_5m_input_tokens: 9_518, ephemeral_1h_input_tokens: 0 },
      output_tokens: 231,
      service_tier: 'standard',
      server_tool_use: null,
    }
    expect(parseUsage(usage)).toEqual({
      ok: true,
      value: {
        prompt_tokens: 11_209,
        cache_read_tokens: 1_684,
        cache_write_tokens: 9_518,
        output_tokens: 231,
      },
    })
  })

  it('accepts null in the cache fields of Anthropic Messages', () => {
    const usage = {
      input_tokens: 12,
      cache_creation_input_tokens: null,
      cache_read_input_tokens: null,
    }
    expect(parseUsage(usage)).toMatchObject({ ok: true, value: { prompt_tokens: 12 } })
  })

  it('counts the cached tokens of OpenAI Chat Completions as part of the prompt', () => {
    const usage = {
      prompt_tokens: 2_006,
      completion_tokens: 300,
      total_tokens: 2_306,
      prompt_tokens_details: { cached_tokens: 1_920, audio_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 0 },
    }
    expect(parseUsage(usage)).toEqual({
      ok: true,
      value: {
        prompt_tokens: 2_006,
        cache_read_tokens: 1_920,
        cache_write_tokens: 0,
        output_tokens: 300,
      },
    })
  })

  it('counts the cached tokens of OpenAI Responses as part of the input', () => {
    const usage = {
      input_tokens: 36,
      input_tokens_details: { cached_tokens: 30 },
      output_tokens: 87,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 123,
    }
    expect(parseUsage(usage)).toMatchObject({
      ok: true,
      value: { prompt_tokens: 36, cache_read_tokens: 30, output_tokens: 87 },
    })
  })

  it('counts the cached tokens of Gemini as part of the prompt', () => {
    const usage = { promptTokenCount: 100, cachedContentTokenCount: 40, candidatesTokenCount: 5 }
    expect(parseUsage(usage)).toMatchObject({ ok: true, value: { prompt_tokens: 100 } })
  })

  it.each([
    [null, '/usage'],
    ['5', '/usage'],
    [[], '/usage'],
    [{}, '/usage'],
    [{ total_tokens: 5 }, '/usage'],
    [{ input_tokens: '5' }, '/usage/input_tokens'],
    [{ input_tokens: -1 }, '/usage/input_tokens'],
    [{ input_tokens: 1.5 }, '/usage/input_tokens'],
    [{ input_tokens: Number.NaN }, '/usage/input_tokens'],
    [{ input_tokens: 1, cache_read_input_tokens: true }, '/usage/cache_read_input_tokens'],
    [{ prompt_tokens: 9, completion_tokens: {} }, '/usage/completion_tokens'],
    [
      { prompt_tokens: 9, prompt_tokens_details: { cached_tokens: -2 } },
      '/usage/prompt_tokens_details/cached_tokens',
    ],
    [{ prompt_tokens: 9, prompt_tokens_details: { cached_tokens: 10 } }, '/usage'],
  ])('refuses %j and points at the bad field', (usage, pointer) => {
    const read = parseUsage(usage)
    expect(read).toMatchObject({
      ok: false,
      error: { code: 'invalid_input', errors: [{ pointer }] },
    })
  })

  it('points at every bad field', () => {
    const read = parseUsage({ prompt_tokens: -1, completion_tokens: -1 })
    expect(!read.ok && read.error.errors?.map((error) => error.pointer)).toEqual([
      '/usage/prompt_tokens',
      '/usage/completion_tokens',
    ])
  })
})
