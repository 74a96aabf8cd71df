import { utf8 } from '../../domain/bytes.ts'
import { align, nameOf, NOTHING_ANSWERED } from '../../domain/context/answered.ts'
import type { Alignment, Answered } from '../../domain/context/answered.ts'
import type { Speaker } from '../../domain/context/conversation.ts'
import { CURRENT, answeredIn, enterConversation } from '../../domain/context/conversation.ts'
import { formatRef, sha256 } from '../../domain/digest.ts'
import type { Sha256 } from '../../domain/digest.ts'
import type { MissionRecord } from '../../domain/ledger/records.ts'
import type { MissionState } from '../../domain/ledger/state.ts'
import { extractedKeys } from '../../domain/masking/masks/extract-paths.ts'
import { cameBack } from '../../domain/masking/masks/mask-again.ts'
import type { CameBack, RawResult } from '../../domain/masking/masks/mask-again.ts'
import { maskKey, ownMaskKey } from '../../domain/masking/masks/mask-record.ts'
import type { MaskRecord } from '../../domain/masking/masks/mask-record.ts'
import { placeholderTool } from '../../domain/masking/masks/placeholder.ts'
import { placeholderOf, recognise, placeholderKeys } from '../../domain/masking/masks/recognise.ts'
import type { Recognised } from '../../domain/masking/masks/recognise.ts'
import { charactersOf } from '../../domain/masking/masks/result-length.ts'
import { evidenceOf, isPlainText } from '../../domain/masking/plan/masker.ts'
import type { JsonSources } from '../../domain/masking/plan/masker.ts'
import { findAfter } from '../../domain/mission/join-steps.ts'
import { findIn } from '../../domain/mission/record.ts'
import { singleCalls } from '../../domain/transcript/calls.ts'
import type { Reading, ToolResult } from '../../domain/transcript/lens.ts'
import type { Deps, Owner, View } from '../../ports.ts'
import { foundRecords } from '../found-records.ts'
import type { ConversationName } from '../transcript/read-transcript.ts'

/** What a mission knows of a transcript's results. */
export interface Masks extends CameBack {
  /** The mission in this conversation; null without its object, or before anything happened to it. */
  readonly state: MissionState | null
  readonly extracts: readonly MissionRecord<'extracted'>[]
  readonly speaker: Speaker
  /** The placeholders of ours that stand in it. */
  readonly recognised: Recognised
  readonly alignment: Alignment
  /** What the conversation was answered last. */
  readonly answered: Answered
  /** The names of the results, in order, and the text that each one holds or held. */
  readonly names: readonly string[]
  readonly characters: ReadonlyMap<string, number>
}

/**
 * Reads what the mission knows of a transcript, in one round trip. Only results that have a record, and
 * those without a call id, are hashed.
 */
export async function readMasks(
  deps: Pick<Deps, 'missions'>,
  owner: Owner,
  reading: Reading,
  sources: JsonSources,
  conversation: ConversationName,
  at: string,
): Promise<Masks> {
  const { results } = reading
  const digests = new Map<string, Sha256>()
  const hash = async (result: ToolResult): Promise<Sha256> => {
    const known = digests.get(result.pointer)
    const digest = known ?? (await sha256(utf8(evidenceOf(result, sources))))
    digests.set(result.pointer, digest)
    return digest
  }
  const view =
    deps.missions === null
      ? null
      : await deps.missions.read(owner, [
          { kind: 'mask', keys: await keysOf(results, hash) },
          { kind: 'extracted', keys: extractedKeys(results) },
          { kind: 'answered', keys: [CURRENT, conversation.id] },
          { kind: 'conversation', keys: [conversation.id] },
        ])
  const records = recordsOf(view)
  const recognised = recognise(results, records)
  const lengths = charactersOf(reading)
  const characters = new Map(
    results.map(({ pointer }) => [
      pointer,
      recognised.get(pointer)?.characters ?? lengths.get(pointer) ?? 0,
    ]),
  )
  const names = results.map((one) => nameOf(one, characters.get(one.pointer) ?? 0))
  const speaker = { ...conversation, names: names.join('') }
  const { answered, state, trimmed } = entered(view, speaker, at)
  const alignment = align(answered, names, trimmed)
  const raw: RawResult[] = []
  const known = new Set(records.map(({ call_id, tool }) => JSON.stringify([call_id, tool])))
  for (const [index, result] of results.entries()) {
    const tool = placeholderTool(result.tool)
    if (recognised.has(result.pointer) || !known.has(JSON.stringify([result.call_id, tool])))
      continue
    const form = isPlainText(result) ? 'text' : 'json'
    raw.push({ result, index, name: names[index] ?? '', form, digest: await hash(result) })
  }
  const back = cameBack(raw, records, recognised, alignment)
  const extracts = foundRecords(view, 'extracted')
  return { state, extracts, speaker, recognised, alignment, answered, names, characters, ...back }
}

/** The records of what was masked here, as the mission's object found them. */
export const recordsOf = (view: View | null): readonly MaskRecord[] =>
  foundRecords(view, 'mask').flatMap(({ body }) => body)

/** The keys under which the records of results stand. */
async function keysOf(
  results: readonly ToolResult[],
  hash: (result: ToolResult) => Promise<Sha256>,
): Promise<readonly string[]> {
  const keys = new Set(placeholderKeys(results))
  const single = singleCalls(results)
  for (const result of results) {
    if (placeholderOf(result) !== null) continue
    const mask = { call_id: result.call_id, tool: placeholderTool(result.tool), ref: null }
    keys.add(maskKey(mask))
    if (single.has(mask.call_id)) continue
    // What has no id of its own is found by its bytes, where those are stored.
    keys.add(ownMaskKey(mask))
    keys.add(ownMaskKey({ ...mask, ref: formatRef(await hash(result)) }))
  }
  return [...keys]
}

/** The mission as the reducer will see it: in this conversation, with what it was answered last. */
function entered(view: View | null, speaker: Speaker, at: string) {
  if (view === null) return { state: null, answered: NOTHING_ANSWERED, trimmed: false }
  const find = findIn(view.found)
  const step = enterConversation(view.state, speaker, at, find)
  // Under another opening the same context goes on: its history lost its beginning.
  const { conversation, number } = view.state.context
  const trimmed =
    conversation !== null &&
    conversation !== speaker.id &&
    step.state.context.number === number &&
    step.records === undefined
  const answered = answeredIn(findAfter(step, find), CURRENT)
  return { state: step.state, answered, trimmed }
}
