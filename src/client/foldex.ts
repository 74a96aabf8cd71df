import type { OperationName } from '../contract/contract.ts'
import type { Bytes } from '../domain/bytes.ts'
import { parseRef, parseSha256, sha256 } from '../domain/digest.ts'
import { applyEdits, editOf } from './edits.ts'
import { FoldexError } from './failure.ts'
import type { Input, Output } from './operation.ts'
import { ROUTES } from './routes.ts'
import { createTransport } from './transport.ts'
import type { Received, TransportOptions } from './transport.ts'

export interface CallOptions {
  readonly signal?: AbortSignal | undefined
}

export interface MaskOptions extends CallOptions {
  readonly policy?: Input<'mask'>['body']['policy']
  readonly window_tokens?: number | undefined
}

export interface Foldex {
  /** Any operation of the contract by its name. Rejects with a `FoldexError`. */
  call<Name extends OperationName>(
    name: Name,
    input: Input<Name>,
    options?: CallOptions,
  ): Promise<Output<Name>>
  /** The same with JSON as text both ways, so that numbers keep their spelling. */
  callText<Name extends OperationName>(
    name: Name,
    input: Omit<Input<Name>, 'body'> & { readonly body: string },
    options?: CallOptions,
  ): Promise<string>
  /** The exact bytes of a ref or digest; bytes that do not hash to it are refused. */
  read(mission: string, ref: string, options?: CallOptions): Promise<Uint8Array<ArrayBuffer>>
  /**
   * Masks old tool outputs in the caller's own Anthropic Messages request and gives it back. A request
   * that changed meanwhile, or is frozen, stays as it is: the call rejects with `edits_refused`.
   */
  maskAnthropic<Request extends object>(
    mission: string,
    request: Request,
    options?: MaskOptions,
  ): Promise<Request>
  /** The same for an OpenAI Chat Completions request. */
  maskOpenAI<Request extends object>(
    mission: string,
    request: Request,
    options?: MaskOptions,
  ): Promise<Request>
}

/** A client of one Worker. Needs nothing but `fetch`. */
export function createFoldex(options: TransportOptions): Foldex {
  const send = createTransport(options)

  const ask = (name: OperationName, input: unknown, { signal }: CallOptions) => {
    const { query, body, ...params } = input as AnyInput & Params
    const [method = '', path = ''] = ROUTES[name].split(' ')
    const raw = body instanceof Uint8Array
    return send({
      method,
      path: filled(path, params) + searchOf(query),
      headers: body === undefined ? {} : { 'content-type': raw ? BYTES : JSON_TYPE },
      body: raw || typeof body !== 'object' ? body : JSON.stringify(body),
      signal,
    })
  }

  const call: Foldex['call'] = async (name, input, callOptions = {}) => {
    const received = await ask(name, input, callOptions)
    const content = contentOf(name)
    const json = content === 'json' || content === 'or-nothing'
    return (json ? jsonOf(name, received).value : received.bytes) as Output<typeof name>
  }

  const callText: Foldex['callText'] = async (name, input, callOptions = {}) =>
    jsonOf(name, await ask(name, input, callOptions)).text

  const read: Foldex['read'] = async (mission, ref, callOptions) => {
    const digest = parseRef(ref) ?? parseSha256(ref)
    if (digest === null) throw new RangeError(`${ref} is neither a ref nor a digest`)
    const bytes = await call('read_excerpt', { mission, sha256: digest }, callOptions)
    if ((await sha256(bytes)) === digest) return bytes
    throw new FoldexError('wrong_bytes', `the answer does not hash to ${digest}`, { status: 200 })
  }

  const mask =
    (format: string) =>
    async <Request extends object>(
      mission: string,
      request: Request,
      { policy, window_tokens, signal }: MaskOptions = {},
    ): Promise<Request> => {
      // The caller can change its request before the answer is there, but not this text of it.
      const sent = JSON.stringify(request)
      const rest = JSON.stringify({ format, return: 'edits', policy, window_tokens })
      const body = `{"request":${sent},${rest.slice(1)}`
      const received = await ask('mask', { mission, body }, { signal })
      const { edits = [] } = jsonOf('mask', received).value as Output<'mask'>
      return applyEdits(request, edits.map(editOf), sent)
    }

  return {
    call,
    callText,
    read,
    maskAnthropic: mask('anthropic_messages'),
    maskOpenAI: mask('openai_chat'),
  }
}

interface AnyInput {
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  readonly body?: Bytes | string | object
}

type Params = Readonly<Record<string, string | undefined>>

const BYTES = 'application/octet-stream'
const JSON_TYPE = 'application/json'

const filled = (path: string, params: Params): string =>
  path.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = params[name] ?? ''
    // Only a path of the memory has folders.
    const steps = name === 'path' ? value.split('/') : [value]
    // A URL swallows these, and so the call would go to another route.
    if (steps.some((step) => /^\.{0,2}$/.test(step)))
      throw new RangeError(`${name} can't be '${value}'`)
    return steps.map(encodeURIComponent).join('/')
  })

function searchOf(query: AnyInput['query']): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {}))
    if (value !== undefined) search.append(name, String(value))
  return search.size === 0 ? '' : `?${search.toString()}`
}

/** What an operation answers in: `json` where its route says nothing else. */
const contentOf = (name: OperationName): string => ROUTES[name].split(' ')[2] ?? 'json'

function jsonOf(
  name: OperationName,
  { status, headers, bytes }: Received,
): { readonly value: unknown; readonly text: string } {
  if (status === 204 && contentOf(name) === 'or-nothing') return { value: null, text: 'null' }
  try {
    const type = headers.get('content-type') ?? 'missing'
    if (!type.startsWith(JSON_TYPE)) throw new TypeError(`its type is ${type}`)
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return { value: JSON.parse(text), text }
  } catch (cause) {
    throw new FoldexError('unexpected_answer', 'the answer is not JSON', { status, cause })
  }
}

// What a user of the package needs beside the client itself.
export { applyEdits, editOf } from './edits.ts'
export { FoldexError } from './failure.ts'
export type { Edit } from './edits.ts'
export type { Input, Output } from './operation.ts'
export type { TransportOptions } from './transport.ts'
