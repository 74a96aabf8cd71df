import { describe, expect, it } from 'vitest'
import { windowOfModel, windowTokens } from '../../../src/domain/meter/window.ts'

describe('the context window', () => {
  it.each([
    ['claude-sonnet-4-5', 200_000],
    ['claude-sonnet-4-5-20250929', 200_000],
    ['claude-sonnet-4-5[1m]', 1_000_000],
    ['claude-opus-4-20250514', 200_000],
    ['claude-opus-4-1-20250805', 200_000],
    ['claude-opus-4-7', 1_000_000],
    ['anthropic/claude-opus-4.7', 1_000_000],
    ['us.anthropic.claude-haiku-4-5-20251001-v1:0', 200_000],
    ['claude-sonnet-4@20250514', 200_000],
    ['claude-3-7-sonnet-latest', 200_000],
    ['claude-opus-5-5', 1_000_000],
    ['gpt-4o-2024-11-20', 128_000],
    ['gpt-4o-mini', 128_000],
    ['gpt-4', 8_192],
    ['gpt-4-0613', 8_192],
    ['gpt-4-1106-preview', 128_000],
    ['gpt-4-turbo-2024-04-09', 128_000],
    ['gpt-4.1-mini', 1_047_576],
    ['gpt-5-codex', 400_000],
    ['gpt-5-chat-latest', 128_000],
    ['gpt-5.4-mini-2026-03-17', 400_000],
    ['openai/gpt-6.1-terra', 1_050_000],
    ['o1-mini', 128_000],
    ['o3-pro-2025-06-10', 200_000],
    ['models/gemini-2.5-pro', 1_048_576],
    ['gemini-4-argon', 1_048_576],
    ['gemini-2.5-flash-image', 65_536],
  ])('the window of %s is %d tokens', (model, tokens) => {
    expect(windowOfModel(model)).toBe(tokens)
  })

  it.each([
    'gpt-5.9',
    'gpt-55',
    'claude-opus-4-9',
    'claude-sonnet-4-9-20270101',
    'o12',
    'llama-4',
    '',
  ])('no window is guessed for the model %j', (model) => {
    expect(windowOfModel(model)).toBeNull()
  })

  it('an explicit window takes precedence over that of the model', () => {
    expect(windowTokens({ model: 'gpt-4o', window_tokens: 1_000 })).toEqual({
      ok: true,
      value: 1_000,
    })
    expect(windowTokens({ model: 'gpt-4o', window_tokens: null })).toEqual({
      ok: true,
      value: 128_000,
    })
  })

  it('a window that nothing names is a failure', () => {
    for (const question of [{}, { model: null }, { model: 'house-model' }])
      expect(windowTokens(question)).toMatchObject({ ok: false, error: { code: 'window_unknown' } })
  })
})
