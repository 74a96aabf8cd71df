import type { Ref, Sha256 } from '../../digest.ts'

/** Why bytes can't be stored, however often it is tried. */
export type Refusal = 'secret' | 'too_large'

/**
 * That this mission masked a result: what masks it again when it comes back raw, what unmasking needs,
 * and what tells our placeholders from look-alikes.
 */
export interface MaskRecord {
  readonly call_id: string
  /** As the placeholder names it. */
  readonly tool: string
  /** Null where nothing was stored. */
  readonly ref: Ref | null
  /** Of the bytes that were masked; null in what was stored before digests were kept. */
  readonly digest: Sha256 | null
  readonly form: 'text' | 'json'
  readonly is_error: boolean
  /** How many equal results (call id, tool, digest) came before it when it was masked. */
  readonly occurrence: number
  /** As it was answered first: its text never changes, or a provider's prompt cache would break. */
  readonly placeholder: string
  /** UTF-8 bytes of the evidence, and UTF-16 units of its texts. */
  readonly bytes: number
  readonly characters: number
  /** The o200k tokens of the result before it was masked. */
  readonly tokens: number
  /** Tokens that the mask saves. */
  readonly saved_tokens: number
  /** When it was masked first: the row that it stands in is written again and again. */
  readonly at?: string
  /** It was unmasked since: a policy may mask it anew, but it is not masked for coming back raw. */
  readonly lifted?: true
  /** The Memex refuses its bytes: it was not masked, and storing it is not tried again. */
  readonly refused?: Refusal
}

/**
 * What records are looked up by: all masks of a call id stand together; results without an id, by
 * their tool and ref.
 */
export const maskKey = ({
  call_id,
  tool,
  ref,
}: Pick<MaskRecord, 'call_id' | 'tool' | 'ref'>): string =>
  call_id === '' ? ownMaskKey({ call_id, tool, ref }) : callMaskKey(call_id)

/** The key of all masks of a call id that is not empty. */
export const callMaskKey = (call_id: string): string => JSON.stringify([call_id])

/** The key of one result by itself, for a call id that is used over and over. */
export const ownMaskKey = ({
  call_id,
  tool,
  ref,
}: Pick<MaskRecord, 'call_id' | 'tool'> & { readonly ref: string | null }): string =>
  JSON.stringify([call_id, tool, ref])

/** Results are equal by call id, tool and digest; only then their order tells them apart. */
export const identityOf = ({
  call_id,
  tool,
  digest,
}: Pick<MaskRecord, 'call_id' | 'tool' | 'digest'>): string =>
  JSON.stringify([call_id, tool, digest])
