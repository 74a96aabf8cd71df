import type { JsonObject } from '../../domain/json/value.ts'
import type { CountTokens } from '../../domain/tokens.ts'
import { countRequest } from '../../domain/transcript/count.ts'
import type { Session } from './session.ts'

/** The tokens of single messages of a session, so that a call costs only what is new in it. */
export interface Measure {
  /** Instructions and tools, which every call sends before the messages. */
  readonly frame: number
  readonly tokensOf: (message: JsonObject) => number
  /** The tokens of a message before the place that an edit changes. */
  readonly tokensBefore: (message: JsonObject, place: string) => number
}

export function createMeasure(session: Session, count: CountTokens): Measure {
  const { lens, messages, pointer, withMessages } = session
  const alone = (message: JsonObject) => countRequest(lens, [message], count)
  const [first] = messages
  return {
    frame:
      first === undefined || pointer === ''
        ? 0
        : countRequest(lens, withMessages([first]), count).tokens - alone(first).tokens,
    tokensOf: (message) => alone(message).tokens,
    tokensBefore(message, place) {
      // An edit sets the result's text or the value around it, so one path begins with the other.
      for (const [result, tokens] of alone(message).before_result)
        if (`/0${place}/`.startsWith(`${result}/`) || result.startsWith(`/0${place}/`))
          return tokens
      return 0
    },
  }
}
