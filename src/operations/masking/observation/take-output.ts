import { sha256 } from '../../../domain/digest.ts'
import type { Sha256 } from '../../../domain/digest.ts'
import { judgeOutput, outputEvidence } from '../../../domain/masking/observation/judge-output.ts'
import type { OutputEvidence, Worth } from '../../../domain/masking/observation/judge-output.ts'
import type { ObservedEvent } from '../../../domain/masking/observation/observed.ts'
import type { Deps, Memex, Owner } from '../../../ports.ts'
import { keepEvidence } from '../../memex/keep-evidence.ts'

type TakeDeps = Pick<Deps, 'memex' | 'loadTokens' | 'loadSecrets' | 'report'>

/** One finished tool call, with what it printed. */
interface ToolOutput {
  readonly call_id: string
  readonly turn: number
  readonly tool: string
  readonly input?: unknown
  readonly output: unknown
  readonly is_error: boolean
}

/** What a mission is to be told of an output that was taken in. */
export interface Taken {
  readonly output: ObservedEvent['output']
  readonly input_tokens: number
  readonly warnings: readonly string[]
  /** What this call put into the Memex that was not there before. */
  readonly created: readonly Sha256[]
}

/**
 * Takes one tool output in: counts it, and stores it where it costs more than its placeholder.
 * `source` is JSON that has the output at `/output`, as it was sent.
 */
export async function takeOutput(
  deps: TakeDeps,
  owner: Owner,
  call: ToolOutput,
  source: string,
  at: string,
): Promise<Taken> {
  const { memex } = deps
  const { call_id, input, is_error, tool, turn } = call
  const count = await deps.loadTokens()
  const evidence = outputEvidence(call.output, source)
  const storage = memex === null ? 'in_context' : 'memex'
  const { tokens, stays, worth } = await judgeOutput(call, evidence, count, storage)
  const { standing, ...kept } =
    memex === null || worth === null
      ? { standing: stays, warnings: [], created: [] }
      : await keep({ ...deps, memex }, owner, call, evidence, worth, at)
  const { form, bytes, text } = evidence
  const size = { bytes: bytes.length, characters: text.length, tokens }
  // A ref says the digest; what may be masked without one is known again by it all the same.
  const unnamed = standing.ref === null && standing.saved_tokens > 0
  const digest = unnamed ? { digest: worth?.digest ?? (await sha256(bytes)) } : {}
  return {
    output: { call_id, turn, tool, form, is_error, ...size, ...digest, ...standing },
    input_tokens: input === undefined ? 0 : count(JSON.stringify(input)),
    ...kept,
  }
}

async function keep(
  deps: TakeDeps & { readonly memex: Memex },
  owner: Owner,
  { call_id, tool, turn }: ToolOutput,
  { bytes }: OutputEvidence,
  { digest, stored, unstorable }: Worth,
  at: string,
) {
  const source = `turn ${turn}, call ${call_id}`
  const meta = { kind: 'tool_output', tool, source, stored_at: at } as const
  const put = await keepEvidence(deps, owner, { digest, bytes, meta })
  if (!put.ok) return { standing: unstorable, warnings: [put.error], created: [] }
  return { standing: stored, warnings: [], created: put.value === 'created' ? [digest] : [] }
}
