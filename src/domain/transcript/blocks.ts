import { isList, isObject, type JsonObject } from '../json/value.ts'
import { imageSize } from './image-size.ts'
import type { ImageShape, Piece } from './lens.ts'

/** What a `content` (a string, or a list of blocks) costs, piece by piece, in any provider's words. */
export function contentPieces(content: unknown, at: string): Piece[] {
  if (typeof content === 'string') return [{ pointer: at, text: content }]
  if (!isList(content)) return isObject(content) ? blockPieces(content, at) : []
  return content.flatMap((block, index) =>
    typeof block === 'string'
      ? [{ pointer: `${at}/${index}`, text: block }]
      : isObject(block)
        ? blockPieces(block, `${at}/${index}`)
        : [],
  )
}

/** What one content block costs. Blocks that nobody knows cost their JSON. */
export function blockPieces(block: JsonObject, at: string): Piece[] {
  const text = blockText(block)
  if (text !== null) return [{ pointer: at, text }]
  const { type } = block
  if (type === 'document') return documentPieces(block, at)
  if (type === 'search_result') return [{ pointer: at, text: searchText(block) }]
  // Opaque to everybody but the provider: what it costs can't be told from its length.
  if (type === 'redacted_thinking') return []
  const image = imageShape(block)
  return image === null ? jsonPieces(block, at) : [{ pointer: at, image }]
}

/** What any JSON value costs: its JSON, with embedded files and opaque blobs taken out. */
export function jsonPieces(value: unknown, at: string): Piece[] {
  if (value === undefined || value === null) return []
  if (typeof value === 'string') return [{ pointer: at, text: value }]
  const pieces: Piece[] = []
  const text = JSON.stringify(value, (key, member: unknown) => {
    if (key.startsWith('encrypted_')) return undefined
    const data = embeddedFile(member)
    if (data === null) return member
    pieces.push({ pointer: at, image: imageSize(data) })
    return undefined
  })
  return text === undefined ? pieces : [{ pointer: at, text }, ...pieces]
}

/** The base64 of a data URL, or of an object that says what media it is. */
function embeddedFile(value: unknown): string | null {
  if (typeof value === 'string') return value.startsWith('data:') ? dataOfUrl(value) : null
  if (!isObject(value) || typeof value['data'] !== 'string') return null
  const media = value['mimeType'] ?? value['mime_type'] ?? value['mediaType'] ?? value['media_type']
  return typeof media === 'string' ? value['data'] : null
}

function dataOfUrl(url: string): string | null {
  const comma = url.slice(0, 200).indexOf(';base64,')
  return comma === -1 ? null : url.slice(comma + 8)
}

/** The text of a block that is nothing but text, in the words of all formats. */
function blockText(block: JsonObject): string | null {
  switch (block['type']) {
    case 'text':
    case 'input_text':
    case 'output_text':
    case 'summary_text':
    case 'reasoning_text':
    case 'reasoning':
    case 'text-plain':
    // Gemini's parts say what they are by their keys.
    case undefined:
      return stringOf(block['text'] ?? block['reasoning'])
    case 'thinking':
      return stringOf(block['thinking'])
    case 'refusal':
      return stringOf(block['refusal'])
    case 'file':
      // The AI SDK's inline text documents.
      return isObject(block['data']) ? stringOf(block['data']['text']) : null
    default:
      return null
  }
}

const stringOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

const ATTACHMENTS: ReadonlySet<unknown> = new Set([
  'image',
  'image_url',
  'input_image',
  'image-data',
  'image-url',
  'image-file-id',
  'computer_screenshot',
  'file',
  'input_file',
  'file-data',
  'file-url',
  'file-id',
  'media',
  'base64',
  'input_audio',
  'audio',
  'video',
  'container_upload',
])

/** The shape of an image or another attachment, or null where the block is none. */
function imageShape(block: JsonObject): ImageShape | null {
  if (!ATTACHMENTS.has(block['type'])) return null
  const base64 = attachedData(block)
  const detail = detailOf(block)
  return { ...(base64 === null ? {} : imageSize(base64)), ...(detail === null ? {} : { detail }) }
}

function attachedData(block: JsonObject): string | null {
  const url = block['image_url']
  const { source, data } = block
  const places = [
    isObject(source) ? source['data'] : source,
    isObject(url) ? url['url'] : url,
    isObject(data) ? data['data'] : data,
    block['image'],
    block['url'],
  ]
  for (const place of places) {
    if (typeof place !== 'string') continue
    return place.startsWith('data:') ? dataOfUrl(place) : place
  }
  return null
}

function detailOf(block: JsonObject): string | null {
  const url = block['image_url']
  const detail = isObject(url) ? url['detail'] : block['detail']
  return typeof detail === 'string' ? detail : null
}

function documentPieces(block: JsonObject, at: string): Piece[] {
  const { title, context, source } = block
  const pieces: Piece[] = []
  for (const text of [title, context])
    if (typeof text === 'string') pieces.push({ pointer: at, text })
  if (!isObject(source)) return pieces
  if (source['type'] === 'text' && typeof source['data'] === 'string')
    pieces.push({ pointer: at, text: source['data'] })
  else if (source['type'] === 'content') pieces.push(...contentPieces(source['content'], at))
  else pieces.push({ pointer: at, image: {} })
  return pieces
}

function searchText(block: JsonObject): string {
  const { title, source, content } = block
  const texts = [
    title,
    source,
    ...contentPieces(content, '').map((piece) => 'text' in piece && piece.text),
  ]
  return texts.filter((text) => typeof text === 'string').join('\n')
}
