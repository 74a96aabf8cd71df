import { beforeEach, describe, expect, it } from 'vitest'
import type { Api } from '../../support/api.ts'
import { count } from '../../support/count-tokens.ts'
import { memoryApi, memoryDeps } from '../../support/memory-deps.ts'
import { anthropicSession } from '../../support/session.ts'

const bare = {
  ...memoryDeps(),
  missions: null,
  memex: null,
  logs: null,
  loadTokens: () => Promise.resolve(count),
}

let api: Api
beforeEach(async () => {
  api = await memoryApi(bare)
})

describe('counting', () => {
  it('counts a text exactly, special tokens as the text that they are', async () => {
    const tokensOf = async (text: string) =>
      (await api.ok('count_tokens', { body: { text } })).tokens
    expect(await tokensOf('')).toBe(0)
    expect(await tokensOf('hello world')).toBe(2)
    expect(await tokensOf('<|endoftext|>')).toBe(7)
    const body = { text: 'hello world', window_tokens: 100 }
    expect(await api.ok('count_tokens', { body })).toEqual({
      tokens: 2,
      encoding: 'o200k_base',
      format: null,
      window_tokens: 100,
      percent: 2,
    })
  })

  it('counts a request as a report of it does', async () => {
    const request = { ...anthropicSession(3), model: 'gpt-4o' }
    const counted = await api.ok('count_tokens', { body: { request } })
    expect(counted).toMatchObject({ format: 'anthropic_messages', window_tokens: 128_000 })
    const whole = await memoryApi({ ...memoryDeps(), loadTokens: bare.loadTokens })
    const { tokens, percent } = await whole.ok('report_context', {
      mission: 'm',
      body: { request },
    })
    expect(counted).toMatchObject({ tokens, percent })
  })

  it('has no percent where no window is known', async () => {
    expect(await api.ok('count_tokens', { body: { text: 'x', model: 'my-own' } })).toMatchObject({
      window_tokens: null,
      percent: null,
    })
  })

  it.each([
    ['neither', {}, '/request'],
    ['both', { request: [], text: '' }, '/request'],
    ['a text that is none', { text: 1 }, '/text'],
  ])('refuses %s', async (_, body, pointer) => {
    const problem = await api.refused('count_tokens', { body })
    expect(problem).toMatchObject({ code: 'invalid_input', errors: [{ pointer }] })
  })

  it('says where a request can not be read', async () => {
    const body = { request: { prompt: 'Hello.' } }
    expect(await api.refused('count_tokens', { body })).toMatchObject({ code: 'format_unknown' })
  })
})
