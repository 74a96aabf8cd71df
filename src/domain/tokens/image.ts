/** What is known of an image's size, in pixels. */
export interface ImageSize {
  readonly width?: number | undefined
  readonly height?: number | undefined
}

// Anthropic, "Vision": tokens are width × height ÷ 750 once the image is scaled down to 1,568 pixels
// on its longer edge and about 1,600 tokens; OpenAI's tiles stay below that for the same image.
const PIXELS_PER_TOKEN = 750
const LONGEST_EDGE = 1_568
const MOST_TOKENS = 1_600

/** What an image costs in tokens, by its size; the most that one can cost where it is not known. */
export function imageTokens(image: ImageSize): number {
  const { width, height } = image
  if (width === undefined || height === undefined || !(width > 0) || !(height > 0))
    return MOST_TOKENS
  const scale = Math.min(1, LONGEST_EDGE / Math.max(width, height))
  return Math.max(
    1,
    Math.min(MOST_TOKENS, Math.ceil((width * height * scale * scale) / PIXELS_PER_TOKEN)),
  )
}
