import { utf8 } from '../../domain/bytes.ts'
import type { Speaker } from '../../domain/context/conversation.ts'
import { sha256 } from '../../domain/digest.ts'
import type { Failure } from '../../domain/failure.ts'
import { modelName } from '../../domain/identifier.ts'
import { err, ok } from '../../domain/result.ts'
import type { Result } from '../../domain/result.ts'
import type { CountTokens } from '../../domain/tokens.ts'
import { countPieces } from '../../domain/transcript/count.ts'
import type { CountedRequest } from '../../domain/transcript/count.ts'
import { detectFormat } from '../../domain/transcript/detect.ts'
import type { Lens, Reading } from '../../domain/transcript/lens.ts'
import { openingOf } from '../../domain/transcript/opening.ts'
import type { Deps } from '../../ports.ts'

/** The pointer of the transcript inside the body of a call. */
export const ROOT = '/request'

/** A request as its format's lens sees it. */
export interface Seen {
  readonly lens: Lens
  readonly reading: Reading
}

interface Transcript extends Seen {
  readonly counted: CountedRequest
  readonly count: CountTokens
}

/** Looks at a request through its format's lens. Failures point below `/request`. */
export function readLens(request: unknown, format: string | undefined): Result<Seen, Failure> {
  const lens = detectFormat(request, format)
  if (!lens.ok) return err(lens.error.errors ? below(ROOT, lens.error) : atFormat(lens.error))
  const reading = lens.value.read(request)
  if (!reading.ok) return err(below(ROOT, reading.error))
  return ok({ lens: lens.value, reading: reading.value })
}

/** What names the conversation of a request: its caller, else how it begins. */
export interface ConversationName {
  readonly id: string
  readonly named: boolean
}

/** The conversation of a request: as the caller names it, else a digest of its opening. */
export async function conversationOf(
  request: unknown,
  named: string | undefined,
): Promise<ConversationName> {
  if (named !== undefined) return { id: named, named: true }
  const opening = openingOf(request) ?? ''
  const digest = await sha256(utf8(opening.toWellFormed()))
  return { id: `${DIGESTED}${digest.slice(0, DIGEST_CHARS)}`, named: false }
}

/** A conversation that a caller names without a transcript of it. */
export const namedSpeaker = (id: string | undefined): Speaker | undefined =>
  id === undefined ? undefined : { id, named: true, names: '' }

/** No caller's name begins so. */
const DIGESTED = '~'
const DIGEST_CHARS = 24

/** The same, counted in the same walk. */
export async function readTranscript(
  deps: Pick<Deps, 'loadTokens'>,
  request: unknown,
  format: string | undefined,
): Promise<Result<Transcript, Failure>> {
  const seen = readLens(request, format)
  if (!seen.ok) return seen
  const count = await deps.loadTokens()
  return ok({ ...seen.value, counted: countPieces(seen.value.reading.pieces, count), count })
}

/** The model that a provider request names. */
export function modelOf(request: unknown): string | undefined {
  if (typeof request !== 'object' || request === null || !('model' in request)) return undefined
  return modelName.safeParse(request.model).data
}

/** What is wrong with no message in particular is wrong with the name of the format. */
const atFormat = (problem: Failure): Failure => ({
  ...problem,
  errors: [{ pointer: '/format', detail: 'is not known' }],
})

const below = (root: string, problem: Failure): Failure =>
  problem.errors === undefined
    ? problem
    : {
        ...problem,
        errors: problem.errors.map(({ pointer, detail }) => ({ pointer: root + pointer, detail })),
      }
