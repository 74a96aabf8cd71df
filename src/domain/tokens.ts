/** Counts the o200k_base tokens of a text. Synchronous once loaded; never throws on any string. */
export type CountTokens = (text: string) => number

/** Loads the vocabulary on first use, once per isolate, and gives the counter. */
export type LoadTokenizer = () => Promise<CountTokens>
