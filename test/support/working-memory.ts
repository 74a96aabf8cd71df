/** Texts of the working memory in the sizes that its rules ask for. */
export const words = (count: number): string =>
  Array.from({ length: count }, (_, index) => `word${index}`).join(' ')

/** A text of so many tokens by `quarters`. */
export const quarterTokens = (count: number): string => 'four'.repeat(count)

export const extract = (call_id: string, more: object = {}) => ({
  call_id,
  tool: 'grep',
  bullets: ['The flag is read in a.ts', 'It is set in b.ts', 'Nobody tests it'],
  ...more,
})

export const breadcrumb = (count: number, more: object = {}) => ({
  did: words(count - 3),
  outputs: ['src/a.ts', 'src/b.ts'],
  next: 'onwards',
  task_complete: true,
  ...more,
})

export const summary = (from: number, to: number, more: object = {}) => ({
  turns: { from, to },
  text: quarterTokens(120),
  saved_tokens: 2400,
  context_percent: 61,
  ...more,
})
