import type { GivenArtifact } from '../../fold/lifecycle/artifact.ts'
import type { Phase } from '../../mission/phases.ts'

/** A finished tool call, as an observation takes it. */
interface FinishedCall {
  readonly call_id: string
  readonly tool: string
  readonly turn: number | null
  readonly input: unknown
  readonly output: unknown
  readonly is_error: boolean
}

/** The members of a context report, not yet measured. */
export interface ContextReport {
  readonly used_percentage?: number | undefined
  readonly usage?: Readonly<Record<string, unknown>> | undefined
  readonly request?: unknown
  readonly format?: string | undefined
  readonly characters?: number | undefined
  readonly turn?: number | undefined
  readonly model?: string | undefined
  readonly window_tokens?: number | undefined
}

interface FiredEscalation {
  readonly trigger: string
  readonly fired_at: string
  readonly on_probe?: string | undefined
  readonly on_path?: string | undefined
  readonly action_taken: string
}

/** A new or emptied context of the agent: what was true of the last one is not true of it. */
interface StartedContext {
  readonly source: string
}

/** What a platform says happened: every sender's payload becomes one of these. */
export interface PlatformEvent {
  /** The sender's own word for it, for instance `phase.completed` or `PreCompact`. */
  readonly cause: string
  /** When it happened, ISO 8601 UTC: the sender's time, not ours. */
  readonly at: string
  readonly artifacts: Readonly<Partial<Record<GivenArtifact, string>>>
  readonly context: ContextReport | null
  /** The phase that the report is about, which need not be the one that the mission is in. */
  readonly during: Phase | null
  readonly call: FinishedCall | null
  readonly escalation: FiredEscalation | null
  /** The phase that the mission is in from now on. */
  readonly phase: Phase | null
  readonly task_complete: boolean
  readonly started: StartedContext | null
  /** A point where the agent pauses, which is worth telling but changes nothing. */
  readonly boundary: boolean
}

export const platformEvent = (
  cause: string,
  at: string,
  parts: Partial<Omit<PlatformEvent, 'cause' | 'at'>>,
): PlatformEvent => ({
  cause,
  at,
  artifacts: {},
  context: null,
  during: null,
  call: null,
  escalation: null,
  phase: null,
  task_complete: false,
  started: null,
  boundary: false,
  ...parts,
})
