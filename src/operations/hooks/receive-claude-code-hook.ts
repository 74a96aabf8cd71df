import type { Contract } from '../../contract/contract.ts'
import { parseInput } from '../../contract/input.ts'
import { readJson } from '../../contract/json-body.ts'
import { done } from '../../contract/operation.ts'
import type { Operation } from '../../contract/operation.ts'
import type { Failure } from '../../domain/failure.ts'
import {
  CLAUDE_CODE_HOOKS,
  claudeCodeHook,
  normaliseClaudeCode,
} from '../../domain/hooks/senders/claude-code.ts'
import type { ClaudeCodeHook, PostToolUse } from '../../domain/hooks/senders/claude-code.ts'
import { memberAt } from '../../domain/hooks/senders/standard-event.ts'
import { isoTime } from '../../domain/identifier.ts'
import { ok } from '../../domain/result.ts'
import type { Result } from '../../domain/result.ts'
import type { Owner } from '../../ports.ts'
import { clipOutput } from './clip-output.ts'
import { prepareEffects } from './platform-effects.ts'
import type { EffectDeps } from './platform-effects.ts'

type Row = Contract['receive_claude_code_hook']

const NOTHING = done(undefined, 'empty')

/**
 * A hook of Claude Code. An empty answer changes nothing for the agent; only a finished tool call
 * with a very long output gets another one. Whatever fails on our side is logged and answered with
 * nothing: the agent goes on. So is what an erased mission is told of, since nobody is there to hear.
 */
export const receiveClaudeCodeHook: Operation<Row, EffectDeps> = async (
  deps,
  { body, caller, params },
) => {
  const json = readJson(body)
  if (!json.ok) return json
  const name = memberAt(json.value.value, 'hook_event_name')
  if (typeof name === 'string' && !CLAUDE_CODE_HOOKS.has(name)) return ok(NOTHING)
  const hook = parseInput(claudeCodeHook, json.value.value)
  if (!hook.ok) return hook
  const owner = { tenant: caller.tenant, mission: params.mission }
  try {
    const answer = isFinishedCall(hook.value)
      ? await clipOutput(deps, owner, hook.value, json.value.source)
      : await noted(deps, owner, hook.value)
    return !answer.ok && answer.error.code === 'mission_erased' ? ok(NOTHING) : answer
  } catch (error) {
    deps.report({ level: 'error', event: 'hook_failed_open', error: String(error), ...owner })
    return ok(NOTHING)
  }
}

const isFinishedCall = (hook: ClaudeCodeHook): hook is PostToolUse =>
  hook.hook_event_name === 'PostToolUse'

/** Hooks have no ids and are not sent again, so each is what happened once. */
async function noted(
  deps: EffectDeps,
  owner: Owner,
  hook: Exclude<ClaudeCodeHook, PostToolUse>,
): Promise<Result<typeof NOTHING, Failure>> {
  // A subagent's end is told; its beginning is not the mission's context.
  if (deps.missions === null) return ok(NOTHING)
  const event = normaliseClaudeCode(hook, deps.now())
  const { effects, refused } = await prepareEffects(deps, owner, null, event, '{}')
  const codes = refused.map(({ failure }) => failure.code)
  if (codes.length > 0) deps.report({ level: 'warn', event: 'hook_part_refused', codes, ...owner })
  const applied = await deps.missions.apply({
    ...owner,
    at: isoTime(deps.now()),
    event: { type: 'webhook_received', claim: null, occurred_at: event.at, effects, refused: [] },
  })
  return applied.ok ? ok(NOTHING) : applied
}
