import { isList, jsonType, type JsonObject } from '../../json/value.ts'
import { readContent } from '../content.ts'
import type { Claim, Format, Sink } from '../lens.ts'
import { openaiChat } from './openai-chat.ts'
import { plainClaim } from './plain.ts'

/**
 * SWE-agent `.traj` history: Chat Completions messages with `tool_call_ids`, or, without function
 * calling, an `action` of the assistant and the next user message as its observation.
 */
export const sweAgent: Format = {
  name: 'swe_agent',
  claim,
  readMessage(message, at, sink) {
    const { role } = message
    if (role === 'tool' || isObservation(message, sink)) readResult(message, at, sink)
    else {
      openaiChat.readMessage(message, at, sink)
      if (role === 'assistant') readAction(message, at, sink)
    }
  },
}

function claim(message: JsonObject): Claim {
  const { agent, message_type, tool_call_ids, thought, action } = message
  const own =
    typeof agent === 'string' ||
    typeof message_type === 'string' ||
    isList(tool_call_ids) ||
    (typeof thought === 'string' && typeof action === 'string')
  return own && typeof message['role'] === 'string' ? 'own' : plainClaim(message)
}

/** The first message of a run is called an observation too, but answers nothing. */
const isObservation = ({ role, message_type }: JsonObject, sink: Sink): boolean =>
  role === 'user' &&
  (message_type === undefined || message_type === 'observation') &&
  sink.open()?.call_id === ''

/** `thought` and `action` repeat the content, so they are not counted again. */
function readAction({ action, tool_calls }: JsonObject, at: string, sink: Sink): void {
  if (typeof action !== 'string' || action.trim() === '') return
  if (isList(tool_calls) && tool_calls.length > 0) return
  const [tool = null] = action.trim().slice(0, 200).split(/\s/)
  sink.call({ pointer: `${at}/action`, call_id: '', tool, input: undefined })
}

function readResult(message: JsonObject, at: string, sink: Sink): void {
  const { content, tool_call_ids, tool_call_id } = message
  const [first] = isList(tool_call_ids) ? tool_call_ids : [tool_call_id]
  if ((first ?? null) !== null && typeof first !== 'string') {
    sink.invalid(`${at}/tool_call_ids/0`, `must be a string, not ${jsonType(first)}`)
    return
  }
  const call_id = typeof first === 'string' ? first : ''
  const tool = call_id === '' ? (sink.open()?.tool ?? null) : null
  const seen = readContent(content, `${at}/content`, sink)
  if (seen !== null) sink.result({ call_id, tool, content: seen })
}
