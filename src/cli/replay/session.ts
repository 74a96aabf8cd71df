import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import type { Input } from '../../client/operation.ts'
import type { Failure } from '../../domain/failure.ts'
import { isList, isObject } from '../../domain/json/value.ts'
import type { JsonObject } from '../../domain/json/value.ts'
import { parseUsage } from '../../domain/meter/usage.ts'
import { detectFormat } from '../../domain/transcript/detect.ts'
import type { Lens } from '../../domain/transcript/lens.ts'
import { messageList } from '../../domain/transcript/message-list.ts'
import { CommandError, EXIT } from '../terminal/exit.ts'
import { readJsonInput } from '../terminal/input.ts'

/** A provider request or a bare list of messages. */
export type Transcript = Input<'mask'>['body']['request']

/** A recorded session: what its agent had sent when it was over, and when it called the model. */
export interface Session {
  readonly name: string
  readonly lens: Lens
  readonly model: string | null
  readonly messages: readonly JsonObject[]
  /** Where the messages stand in a request, as a JSON pointer. */
  readonly pointer: string
  /** The request with other messages in it. */
  readonly withMessages: (messages: JsonObject[]) => Transcript
  /** The index of each assistant message: the messages before it are what that call sent. */
  readonly calls: readonly number[]
  /** How many tool outputs there are. */
  readonly results: number
  /** What the provider counted of a call, by the index of the message that it answered with. */
  readonly usage: ReadonlyMap<number, unknown>
}

/**
 * Reads a file of one session (a provider request, a message list or a SWE-agent trajectory) or of
 * a list of them. `<name>.usage.json` beside a single session says what the provider counted.
 */
export async function readSessions(file: string): Promise<readonly Session[]> {
  const { value } = await readJsonInput(file)
  const name = file === '-' ? 'standard input' : basename(file)
  if (isList(value) && value.every((entry) => isObject(entry) && messageList(entry).ok))
    return value.map((entry, index) => sessionOf(entry, `${name}#${index + 1}`, new Map()))
  return [sessionOf(value, name, await readUsage(file))]
}

/** The session of a request that its agent had sent when it was over. */
export function sessionOf(value: unknown, name: string, usage: Session['usage']): Session {
  // Of a trajectory only the history was ever sent to the model.
  const request =
    isObject(value) && isList(value['history']) ? { history: value['history'] } : value
  const lens = detectFormat(request)
  if (!lens.ok) throw refused(name, lens.error)
  const reading = lens.value.read(request)
  if (!reading.ok) throw refused(name, reading.error)
  const list = messageList(request)
  if (!list.ok) throw refused(name, list.error)
  const { messages, pointer } = list.value
  const key = pointer.slice(1)
  return {
    name,
    lens: lens.value,
    model: isObject(request) && typeof request['model'] === 'string' ? request['model'] : null,
    messages,
    pointer,
    withMessages: (others) => (isObject(request) ? { ...request, [key]: others } : others),
    calls: messages.flatMap((message, index) => (speaks(message) && index > 0 ? [index] : [])),
    results: reading.value.results.length,
    usage,
  }
}

const speaks = ({ role }: JsonObject): boolean => role === 'assistant' || role === 'model'

async function readUsage(session: string): Promise<Session['usage']> {
  const file = session.replace(/(\.[a-z]+)?$/i, '.usage.json')
  if (session === '-' || !existsSync(file)) return new Map()
  const entries = (await readJsonInput(file)).value
  if (!isList(entries)) throw new CommandError(EXIT.rejected, `${file} is not a list`)
  return usageOf(entries.filter(isObject))
}

/**
 * What the provider counted of the transcript as it is recorded. From a compaction on it counted a
 * shorter one, which a replay of the whole never sends.
 */
function usageOf(entries: readonly JsonObject[]): Session['usage'] {
  const compacted = entries.findIndex(
    ({ compaction }, index) => compaction === true || falls(entries, index),
  )
  return new Map(
    (compacted === -1 ? entries : entries.slice(0, compacted)).map(
      ({ message, model: _model, ...usage }) => [Number(message), usage],
    ),
  )
}

/** A prompt that loses a fifth and more was compacted, also where no row says so. */
const falls = (entries: readonly JsonObject[], index: number): boolean =>
  promptOf(entries[index]) < 0.8 * promptOf(entries[index - 1])

function promptOf(entry: JsonObject | undefined): number {
  const usage = entry === undefined ? null : parseUsage(entry)
  // A call that was broken off counts nothing, which says nothing either.
  return (usage?.ok === true && usage.value.prompt_tokens) || NaN
}

function refused(name: string, failure: Failure): CommandError {
  const [error] = failure.errors ?? []
  const where = error === undefined ? '' : ` (${error.pointer} ${error.detail})`
  return new CommandError(
    EXIT.rejected,
    `${name} is no session that can be replayed: ${failure.detail ?? failure.code}${where}`,
  )
}
