import vocabulary from 'gpt-tokenizer/bpeRanks/o200k_base'
import { createO200kCounter } from '../../src/domain/tokens/o200k.ts'
import { corpusJson } from './corpus.ts'

/** One block of the corpus' coding session, counted. */
export interface CountedBlock {
  readonly kind: 'text' | 'thinking' | 'call' | 'result'
  readonly tokens: number
}

/** One call to the model: it was made with the messages before `message`. */
export interface Call {
  readonly message: number
  /** What the provider counted of its prompt. */
  readonly prompt_tokens: number
}

/** The corpus' Anthropic coding session: blocks per message, and the provider's truth per call. */
export function codingSession(): {
  readonly messages: readonly (readonly CountedBlock[])[]
  readonly calls: readonly Call[]
} {
  const count = createO200kCounter(vocabulary)
  const session = corpusJson('anthropic-coding-session.json') as { messages: Message[] }
  const usage = corpusJson('anthropic-coding-session.usage.json') as Usage[]
  return {
    messages: session.messages.map(({ content }) =>
      typeof content === 'string'
        ? [{ kind: 'text', tokens: count(content) }]
        : content.map((block) => counted(block, count)),
    ),
    calls: usage.map((call) => ({
      message: call.message,
      prompt_tokens:
        call.input_tokens + call.cache_read_input_tokens + call.cache_creation_input_tokens,
    })),
  }
}

interface Message {
  readonly content: string | readonly Block[]
}

interface Block {
  readonly type: string
  readonly text?: string
  readonly thinking?: string
  readonly name?: string
  readonly input?: unknown
  readonly content?: string | readonly Block[]
}

interface Usage {
  readonly message: number
  readonly input_tokens: number
  readonly cache_read_input_tokens: number
  readonly cache_creation_input_tokens: number
}

function counted(block: Block, count: (text: string) => number): CountedBlock {
  if (block.type === 'thinking') return { kind: 'thinking', tokens: count(block.thinking ?? '') }
  if (block.type === 'tool_use')
    return { kind: 'call', tokens: count(block.name ?? '') + count(JSON.stringify(block.input)) }
  if (block.type !== 'tool_result') return { kind: 'text', tokens: count(block.text ?? '') }
  const { content = '' } = block
  const text =
    typeof content === 'string' ? content : content.map((part) => part.text ?? '').join('')
  return { kind: 'result', tokens: count(text) }
}
