import { DeadlineError, messageOf } from '../retry.ts'

/** What D1 says when trying again helps; overload and exceeded limits are not among it. */
const PASSING = [
  'Network connection lost',
  'caused object to be reset',
  'reset because its code was updated',
  'transient issue on remote node',
  'Cannot resolve D1 DB due to transient issue',
]

export function isTransient(error: unknown): boolean {
  if (error instanceof DeadlineError) return true
  const message = messageOf(error)
  return PASSING.some((text) => message.includes(text))
}
