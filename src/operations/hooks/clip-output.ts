import type { Contract } from '../../contract/contract.ts'
import { jsonSource } from '../../contract/json-source.ts'
import type { Answer, AnswerBody } from '../../contract/operation.ts'
import { done } from '../../contract/operation.ts'
import { failure } from '../../domain/failure.ts'
import type { Failure } from '../../domain/failure.ts'
import type { PostToolUse } from '../../domain/hooks/senders/claude-code.ts'
import { clipped, responseSource, responseTexts } from '../../domain/hooks/senders/tool-response.ts'
import type { ResponseText } from '../../domain/hooks/senders/tool-response.ts'
import { isoTime } from '../../domain/identifier.ts'
import { sourceAt } from '../../domain/json/source.ts'
import type { MissionEvent } from '../../domain/ledger/event.ts'
import { placeholderTool } from '../../domain/masking/masks/placeholder.ts'
import { err, ok } from '../../domain/result.ts'
import type { Result } from '../../domain/result.ts'
import type { Deps, Owner } from '../../ports.ts'
import { takeOutput } from '../masking/observation/take-output.ts'
import type { Taken } from '../masking/observation/take-output.ts'
import { removeIfErased } from '../memex/remove-if-erased.ts'
import type { EffectDeps } from './platform-effects.ts'
import { turnOf } from './platform-effects.ts'

/** Longer outputs are clipped before the model sees them, in tokens (DESIGN section 8). */
const CLIP_ABOVE_TOKENS = 10_000

type Clipped = Answer<AnswerBody<Contract['receive_claude_code_hook']>>

/**
 * Takes the output of a finished tool call in, as an observation. One that is stored and over the
 * limit is answered with its own shape again, each long text clipped around the placeholder.
 * `mission_erased`, with nothing stored.
 */
export async function clipOutput(
  deps: EffectDeps,
  owner: Owner,
  hook: PostToolUse,
  payload: string,
): Promise<Result<Clipped, Failure>> {
  const texts = responseTexts(hook.tool_response)
  // Nothing in it is for the model to read.
  if (texts.length === 0) return ok(done(undefined, 'empty'))
  const [only] = texts.length === 1 ? texts : []
  const call_id = hook.tool_use_id
  const view = await deps.missions?.read(owner, [{ kind: 'observed_call', keys: [call_id] }])
  if (view?.state.status === 'erased') return err(failure('mission_erased'))
  const at = isoTime(deps.now())
  const call = {
    call_id,
    turn: turnOf(view ?? null, call_id),
    tool: placeholderTool(hook.tool_name),
    input: hook.tool_input,
    output: only?.text ?? hook.tool_response,
    is_error: false,
  }
  const taken = await takeOutput(deps, owner, call, outputSource(payload), at)
  const shorter = shortened(texts, taken)
  const noted = await note(deps, owner, hook, taken, shorter, at)
  if (!noted.ok) return noted
  if (shorter === null) return ok(done(undefined, 'empty'))
  const updated = responseSource(payload, shorter)
  // Spliced, not serialised again: every number and escape of the rest is as the tool wrote it.
  const output = `{"hookEventName":"PostToolUse","updatedToolOutput":${updated}}`
  return ok(done({ hookSpecificOutput: jsonSource(output) as never }))
}

/** The texts with the long ones clipped, or null where the output stays as it is. */
function shortened(
  texts: readonly ResponseText[],
  { output }: Taken,
): readonly ResponseText[] | null {
  if (output.ref === null || output.tokens <= CLIP_ABOVE_TOKENS) return null
  const shorter = texts.map(({ pointer, text }) => ({
    pointer,
    text: clipped(text, output.placeholder) ?? text,
  }))
  return shorter.some(({ text }, index) => text !== texts[index]?.text) ? shorter : null
}

/**
 * Tells the mission of the output as the model sees it. What came in can't be changed later by a
 * hook, so it saves nothing to mask it. A subagent has a context of its own: of it the mission is
 * told only that an excerpt is there, so that nothing is stored that no mission owns.
 */
async function note(
  deps: EffectDeps & Pick<Deps, 'missions'>,
  owner: Owner,
  hook: PostToolUse,
  taken: Taken,
  shorter: readonly ResponseText[] | null,
  at: string,
): Promise<Result<unknown, Failure>> {
  const { output } = taken
  if (deps.missions === null) return ok(null)
  const subagent = hook.agent_id !== undefined
  if (subagent && output.ref === null) return ok(null)
  const event: MissionEvent = subagent
    ? { type: 'excerpt_stored' }
    : await observed(deps, taken, shorter)
  const applied = await deps.missions.apply({ ...owner, at, event })
  await removeIfErased(deps, owner, taken.created, applied)
  return applied
}

async function observed(
  deps: EffectDeps,
  { input_tokens, output }: Taken,
  shorter: readonly ResponseText[] | null,
): Promise<MissionEvent> {
  const count = await deps.loadTokens()
  const tokens =
    shorter === null ? output.tokens : shorter.reduce((sum, { text }) => sum + count(text), 0)
  return {
    type: 'observed',
    id: deps.newId(),
    output: { ...output, tokens, saved_tokens: 0 },
    input_tokens,
    usage: null,
    applies_no_edits: true,
  }
}

/** JSON that has the tool's response at `/output`, as it was written. */
const outputSource = (payload: string): string =>
  `{"output":${sourceAt(payload, '/tool_response') ?? 'null'}}`
