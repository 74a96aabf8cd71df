import type { Contract } from '../contract/contract.ts'
import { done } from '../contract/operation.ts'
import type { Call, Operation } from '../contract/operation.ts'
import { utf8 } from '../domain/bytes.ts'
import type { Bytes } from '../domain/bytes.ts'
import { digestOfRef, formatRef, sha256 } from '../domain/digest.ts'
import type { Ref } from '../domain/digest.ts'
import { failure } from '../domain/failure.ts'
import { isoTime } from '../domain/identifier.ts'
import { locate } from '../domain/json/source.ts'
import type { ObservedCall } from '../domain/masking/observe.ts'
import { MAX_EXCERPT_BYTES } from '../domain/memex/excerpt.ts'
import { parseUsage } from '../domain/meter/usage.ts'
import { adviceFor } from '../domain/mission/situation.ts'
import { err, ok } from '../domain/result.ts'
import type { CountTokens } from '../domain/tokens.ts'
import { formatPlaceholder, parsePlaceholder } from '../domain/transcript/placeholder.ts'
import type { Deps, Owner } from '../ports.ts'
import { adviceAnswer } from './context-answer.ts'
import { holdsSecret } from './scan-evidence.ts'
import { tooLong } from './report-context.ts'

type Row = Contract['observe']
type ObserveDeps = Pick<
  Deps,
  'missions' | 'memex' | 'loadTokens' | 'loadSecrets' | 'now' | 'newId' | 'report'
>

/**
 * Takes one tool output in: stored first where it costs more than its placeholder, counted once,
 * then told to the mission, which answers what is due. One put and one call of the object.
 */
export const observe: Operation<Row, ObserveDeps> = async (deps, call) => {
  const { caller, params, body } = call
  if (deps.missions === null) return err(failure('storage_not_configured'))
  const usage = body.usage === undefined ? null : parseUsage(body.usage)
  if (usage?.ok === false) return usage
  const owner = { tenant: caller.tenant, mission: params.mission }
  const count = await deps.loadTokens()
  const at = isoTime(deps.now())
  const evidence = evidenceOf(call)
  const kept = await keep(deps, owner, body, evidence, count, at)
  const applied = await deps.missions.applyAndRead(
    {
      ...owner,
      at,
      event: {
        type: 'observed',
        id: deps.newId(),
        output: {
          call_id: body.call_id,
          turn: body.turn,
          tool: body.tool,
          form: evidence.form,
          is_error: body.is_error,
          bytes: evidence.bytes.length,
          tokens: kept.tokens,
          ref: kept.ref,
          placeholder: kept.placeholder,
          saved_tokens: kept.saved_tokens,
        },
        input_tokens: body.input === undefined ? 0 : count(JSON.stringify(body.input)),
        usage: usage?.value ?? null,
      },
    },
    [{ kind: 'observed_call', keys: [body.call_id] }],
  )
  if (!applied.ok) {
    // Erased: what this call stored must not survive the mission.
    if (kept.ref !== null) await deps.memex?.remove(owner, digestOfRef(kept.ref))
    return applied
  }
  const { state, found } = applied.value
  const [known] = found.map((record) => record.body as ObservedCall)
  const edits = known?.heard.find((one) => one.turn === body.turn)?.edits ?? []
  const warnings = [...kept.warnings, ...tooLong(deps, state.meter.turns)]
  return ok(
    done({
      ...(kept.ref === null ? {} : { ref: kept.ref }),
      bytes: evidence.bytes.length,
      tokens: kept.tokens,
      advice: adviceAnswer(adviceFor(state)),
      extracts_due: [...state.meter.extracts_due],
      edits: edits.map((edit) => ({ ...edit })),
      ...(warnings.length === 0 ? {} : { warnings }),
    }),
  )
}

interface Evidence {
  readonly form: 'text' | 'json'
  readonly text: string
  readonly bytes: Bytes
}

/** A text is its own evidence; anything else is kept as the JSON that was sent. */
function evidenceOf({ body, source }: Call<Row>): Evidence {
  const { output } = body
  if (typeof output === 'string' && output.isWellFormed())
    return { form: 'text', text: output, bytes: utf8(output) }
  const span = locate(source, ['/output']).get('/output')
  const text =
    span === undefined ? JSON.stringify(output ?? null) : source.slice(span.start, span.end)
  return { form: 'json', text, bytes: utf8(text) }
}

interface Kept {
  readonly tokens: number
  readonly ref: Ref | null
  readonly placeholder: string
  readonly saved_tokens: number
  readonly warnings: readonly string[]
}

/** Stores what is worth it: an output that costs no more than its placeholder stays where it is. */
async function keep(
  deps: ObserveDeps,
  owner: Owner,
  body: Call<Row>['body'],
  { form, text, bytes }: Evidence,
  count: CountTokens,
  at: string,
): Promise<Kept> {
  const { tool, is_error } = body
  const tokens = count(text)
  const inContext = formatPlaceholder({ tool, ref: null })
  const stays = { tokens, ref: null, placeholder: inContext, saved_tokens: 0, warnings: [] }
  if (parsePlaceholder(text) !== null) return stays
  if (deps.memex === null) return { ...stays, saved_tokens: Math.max(0, tokens - count(inContext)) }
  const digest = await sha256(bytes)
  const ref = formatRef(digest)
  const placeholder = formatPlaceholder({ tool, ref, form, is_error, extract: null })
  const saved_tokens = tokens - count(placeholder)
  if (saved_tokens <= 0) return stays
  if (bytes.length > MAX_EXCERPT_BYTES) return { ...stays, warnings: ['too_large'] }
  if (await holdsSecret(deps, bytes)) return { ...stays, warnings: ['secret'] }
  const source = `turn ${body.turn}, call ${body.call_id}`
  try {
    await deps.memex.put(owner, digest, bytes, { kind: 'tool_output', tool, source, stored_at: at })
  } catch (error) {
    deps.report({ level: 'error', event: 'store_failed', error: String(error), ...owner })
    return { ...stays, warnings: ['store_failed'] }
  }
  return { tokens, ref, placeholder, saved_tokens, warnings: [] }
}
