import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { imageSize } from '../../../src/domain/transcript/image-size.ts'

const base64 = (...bytes: number[]): string =>
  Buffer.from([...bytes, ...Array.from({ length: 40 }, () => 0)]).toString('base64')
const ascii = (text: string): number[] => Array.from(Buffer.from(text, 'latin1'))

describe('image sizes', () => {
  test.each([
    [
      'PNG',
      base64(
        0x89,
        ...ascii('PNG\r\n\x1a\n'),
        0,
        0,
        0,
        13,
        ...ascii('IHDR'),
        0,
        0,
        2,
        128,
        0,
        0,
        1,
        224,
      ),
      640,
      480,
    ],
    ['GIF', base64(...ascii('GIF89a'), 64, 1, 200, 0), 320, 200],
    [
      'JPEG',
      base64(0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xc2, 0, 17, 8, 1, 224, 2, 128),
      640,
      480,
    ],
    [
      'WebP lossy',
      base64(
        ...ascii('RIFF'),
        0,
        0,
        0,
        0,
        ...ascii('WEBPVP8 '),
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0x9d,
        1,
        0x2a,
        128,
        2,
        224,
        1,
      ),
      640,
      480,
    ],
    [
      'WebP lossless',
      base64(
        ...ascii('RIFF'),
        0,
        0,
        0,
        0,
        ...ascii('WEBPVP8L'),
        0,
        0,
        0,
        0,
        0x2f,
        0x7f,
        0xc2,
        0x77,
        0,
      ),
      640,
      480,
    ],
    [
      'WebP extended',
      base64(
        ...ascii('RIFF'),
        0,
        0,
        0,
        0,
        ...ascii('WEBPVP8X'),
        10,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        127,
        2,
        0,
        223,
        1,
        0,
      ),
      640,
      480,
    ],
  ])('of %s', (_, data, width, height) => {
    expect(imageSize(data)).toEqual({ width, height })
  })

  test('are unknown for anything else, and nothing throws', () => {
    expect(imageSize('')).toEqual({})
    expect(imageSize('https://example.com/a.png')).toEqual({})
    expect(imageSize(base64(0xff, 0xd8, 0xff, 0xff, 0xff))).toEqual({})
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(3), (bytes, kind) => {
        const magic =
          [[0xff, 0xd8, 0xff], [0x89, 0x50, 0x4e, 0x47], ascii('RIFF'), ascii('GIF8')][kind] ?? []
        imageSize(Buffer.from([...magic, ...bytes]).toString('base64'))
      }),
    )
  })
})
