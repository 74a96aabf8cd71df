import type { GetPromptResult, Prompt } from '@modelcontextprotocol/server'
import { contract } from '../contract/contract.ts'
import { lacksScope } from '../contract/reach.ts'
import { utf8Text } from '../domain/bytes.ts'
import type { Bytes } from '../domain/bytes.ts'
import { sha256 } from '../domain/digest.ts'
import type { Deps } from '../ports.ts'
import { guarded } from './guarded.ts'
import { invoke } from './invoke.ts'
import type { Session } from './invoke.ts'
import { refusal } from './result.ts'

const FOLD: Prompt = {
  name: 'fold',
  title: 'Fold the mission',
  description:
    'The whole input of a clean-context subagent: the fold contract and the three documents. ' +
    'Give it nothing else.',
  arguments: [
    { name: 'mission', description: 'The mission, where neither token nor URL names it.' },
  ],
}

/** The prompts that a session's token may read. */
export const listedPrompts = ({ caller }: Session): Prompt[] =>
  lacksScope(contract.fold_prompt, caller) ? [] : [FOLD]

/** The fold prompt, with the digest that a submission names. Null for any other name. */
export async function foldPrompt(
  deps: Deps,
  session: Session,
  name: string,
  args: Readonly<Record<string, string>> | undefined,
): Promise<GetPromptResult | null> {
  if (name !== FOLD.name) return null
  const asked = { ...session, mission: args?.['mission'] ?? session.mission }
  const read = await guarded(deps, 'prompts/get', () => invoke(deps, asked, 'fold_prompt', {}))
  if (!read.ok) throw refusal(read.error)
  const bytes = read.value as Bytes
  const prompt_sha256 = await sha256(bytes)
  return {
    description: `Submit what comes of it with prompt_sha256 ${prompt_sha256}.`,
    messages: [{ role: 'user', content: { type: 'text', text: utf8Text(bytes) ?? '' } }],
    _meta: { prompt_sha256 },
  }
}
