import * as z from 'zod'
import { isoTime } from '../../identifier.ts'
import { platformEvent } from './platform-event.ts'
import type { PlatformEvent } from './platform-event.ts'

const session = {
  session_id: z.string().max(256).optional(),
  /** There when the hook fires inside a subagent, which has a context of its own. */
  agent_id: z.string().max(256).optional(),
}

/** The HTTP hooks of Claude Code that mean something to a mission (their `hook_event_name`). */
export const claudeCodeHook = z.discriminatedUnion('hook_event_name', [
  z.looseObject({
    ...session,
    hook_event_name: z.literal('PostToolUse'),
    tool_name: z.string().min(1).max(256),
    tool_input: z.unknown().optional(),
    tool_response: z.unknown().optional(),
    tool_use_id: z.string().min(1).max(256),
  }),
  z.looseObject({
    ...session,
    hook_event_name: z.literal('SessionStart'),
    source: z.string().max(64),
    model: z.string().min(1).max(128).optional(),
    context_tokens: z.int().nonnegative().optional(),
  }),
  z.looseObject({ ...session, hook_event_name: z.literal('PreCompact') }),
  z.looseObject({ ...session, hook_event_name: z.literal('SubagentStop') }),
  z.looseObject({ ...session, hook_event_name: z.literal('Stop') }),
  z.looseObject({ ...session, hook_event_name: z.literal('SessionEnd') }),
])
export type ClaudeCodeHook = z.infer<typeof claudeCodeHook>
export type PostToolUse = ClaudeCodeHook & { readonly hook_event_name: 'PostToolUse' }

export const CLAUDE_CODE_HOOKS: ReadonlySet<string> = new Set(
  claudeCodeHook.options.map((option) => option.shape.hook_event_name.value),
)

/**
 * What a hook says of the mission; the hooks carry no time, so they get `now` (unix ms). Finished tool
 * calls are not among them: those are answered with what the tool's output becomes.
 */
export function normaliseClaudeCode(
  hook: Exclude<ClaudeCodeHook, PostToolUse>,
  now: number,
): PlatformEvent {
  const at = isoTime(now)
  if (hook.hook_event_name !== 'SessionStart')
    return platformEvent(hook.hook_event_name, at, { boundary: true })
  const { context_tokens, model, source } = hook
  return platformEvent(`SessionStart ${source}`, at, {
    started: CONTINUES.has(source) ? null : { source },
    context:
      context_tokens === undefined
        ? null
        : { usage: { input_tokens: context_tokens, output_tokens: 0 }, model },
    boundary: true,
  })
}

/** Where a session goes on with the messages that it had, its context is no fresh one. */
const CONTINUES: ReadonlySet<string> = new Set(['resume', 'fork'])
