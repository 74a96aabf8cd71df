import type { ImageShape } from './lens.ts'

// A JPEG may carry a long EXIF block before its frame header; more than this is not searched.
const PREFIX_BYTES = 96 * 1024

/** Width and height in pixels from the head of a base64 PNG, JPEG, GIF or WebP; {} where unknown. */
export function imageSize(base64: string): ImageShape {
  const bytes = decodePrefix(base64)
  if (bytes === null || bytes.byteLength < 30) return {}
  const head = new DataView(bytes.buffer)
  if (head.getUint32(0) === 0x89504e47) return size(head.getUint32(16), head.getUint32(20))
  if (head.getUint32(0) === 0x47494638)
    return size(head.getUint16(6, true), head.getUint16(8, true))
  if (head.getUint32(0) === 0x52494646 && head.getUint32(8) === 0x57454250) return webpSize(head)
  return head.getUint16(0) === 0xffd8 ? jpegSize(head) : {}
}

function decodePrefix(base64: string): Uint8Array<ArrayBuffer> | null {
  const units = Math.min(base64.length, Math.ceil(PREFIX_BYTES / 3) * 4)
  try {
    const binary = atob(base64.slice(0, units - (units % 4)))
    return Uint8Array.from(binary, (character) => character.charCodeAt(0))
  } catch {
    return null
  }
}

const size = (width: number, height: number): ImageShape =>
  width > 0 && height > 0 ? { width, height } : {}

/** WebP: lossy, lossless and extended files keep the size in three ways (RFC 9649). */
function webpSize(head: DataView): ImageShape {
  const chunk = head.getUint32(12)
  if (chunk === 0x56503820)
    return size(head.getUint16(26, true) & 0x3fff, head.getUint16(28, true) & 0x3fff)
  if (chunk === 0x5650384c) {
    const bits = head.getUint32(21, true)
    return size((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1)
  }
  if (chunk !== 0x56503858) return {}
  const width = (head.getUint32(24, true) & 0xffffff) + 1
  return size(width, (head.getUint16(27, true) | (head.getUint8(29) << 16)) + 1)
}

/** JPEG: segment after segment up to the frame header SOF0..SOF15 (ITU-T T.81 annex B). */
function jpegSize(head: DataView): ImageShape {
  let at = 2
  while (at + 9 <= head.byteLength && head.getUint8(at) === 0xff) {
    const marker = head.getUint8(at + 1)
    if (marker === 0xff) at += 1
    else if (isFrame(marker)) return size(head.getUint16(at + 7), head.getUint16(at + 5))
    else at += 2 + head.getUint16(at + 2)
  }
  return {}
}

const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
