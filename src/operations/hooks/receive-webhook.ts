import type { Contract } from '../../contract/contract.ts'
import { parseInput } from '../../contract/input.ts'
import { readJson } from '../../contract/json-body.ts'
import type { Call, Operation } from '../../contract/operation.ts'
import { sha256 } from '../../domain/digest.ts'
import { failure } from '../../domain/failure.ts'
import type { Failure } from '../../domain/failure.ts'
import type { Endpoint, InboundEndpoint } from '../../domain/hooks/endpoint.ts'
import {
  memberAt,
  normaliseStandard,
  STANDARD_TYPES,
  standardEvent,
} from '../../domain/hooks/senders/standard-event.ts'
import { readWebhookHeaders, verifyWebhook } from '../../domain/hooks/standard-webhooks.ts'
import type { ClaimedWebhook } from '../../domain/hooks/standard-webhooks.ts'
import { webhookKey } from '../../domain/hooks/webhook-secret.ts'
import { isIdentifier } from '../../domain/identifier.ts'
import { sourceAt } from '../../domain/json/source.ts'
import { err, ok } from '../../domain/result.ts'
import type { Result } from '../../domain/result.ts'
import type { Deps } from '../../ports.ts'
import { applyPlatformEvent, ignoredFor } from './apply-platform-event.ts'
import type { EffectDeps } from './platform-effects.ts'

type Row = Contract['receive_webhook']

/**
 * A signed webhook of any platform. Headers, time and signature first, on the bytes as they came;
 * then the JSON; then the event, once. What has another type than ours is accepted and ignored.
 */
export const receiveWebhook: Operation<Row, EffectDeps & Pick<Deps, 'endpoints'>> = async (
  deps,
  call,
) => {
  // A sender that is unknown is told so; one that we can't look up comes again.
  if (deps.endpoints === null) return err(failure('temporarily_unavailable'))
  const endpoint = inboundEndpoint(deps.endpoints, call.params.endpoint)
  if (endpoint === undefined) return err(failure('endpoint_not_found'))
  const claimed = await verified(call, endpoint, deps.now())
  if (!claimed.ok) return claimed
  const json = readJson(call.body)
  if (!json.ok) return json
  const { source, value } = json.value
  const type = memberAt(value, 'type')
  if (typeof type === 'string' && !STANDARD_TYPES.has(type)) return ok(ignoredFor(null))
  const event = parseInput(standardEvent, value)
  if (!event.ok) return event
  const mission = missionOf(value, endpoint)
  if (!mission.ok) return mission
  return await applyPlatformEvent(
    deps,
    { tenant: endpoint.tenant, mission: mission.value },
    normaliseStandard(event.value, claimed.value.timestamp),
    callSource(source),
    {
      id: `${endpoint.id}/${claimed.value.id}`,
      sha256: await sha256(call.body),
      by: deps.newId(),
    },
  )
}

const inboundEndpoint = (endpoints: readonly Endpoint[], id: string): InboundEndpoint | undefined =>
  endpoints.find((one): one is InboundEndpoint => one.direction === 'inbound' && one.id === id)

async function verified(
  { body, headers = {} }: Call<Row>,
  endpoint: InboundEndpoint,
  now: number,
): Promise<Result<ClaimedWebhook, Failure>> {
  const claimed = readWebhookHeaders({
    id: headers['webhook-id'] ?? null,
    timestamp: headers['webhook-timestamp'] ?? null,
    signature: headers['webhook-signature'] ?? null,
  })
  if (!claimed.ok) return claimed
  const keys = endpoint.secrets.map(webhookKey).filter((key) => key !== null)
  const refused = await verifyWebhook(claimed.value, body, keys, Math.floor(now / 1000))
  return refused === null ? claimed : err(refused)
}

/** The mission that a payload is about; an endpoint that is bound to one reaches no other. */
function missionOf(payload: unknown, endpoint: InboundEndpoint): Result<string, Failure> {
  const mission = memberAt(payload, endpoint.mission_field)
  if (typeof mission !== 'string' || !isIdentifier(mission)) {
    const pointer = `/${endpoint.mission_field.replaceAll('.', '/')}`
    return err(failure('invalid_input', { errors: [{ pointer, detail: 'must be a mission id' }] }))
  }
  return endpoint.mission === undefined || endpoint.mission === mission
    ? ok(mission)
    : err(failure('mission_not_found'))
}

/** The tool call as it was written, so that an output that is no text is kept as it was written. */
const callSource = (payload: string): string => sourceAt(payload, '/data/call') ?? '{}'
