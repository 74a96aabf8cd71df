/**
 * The seed's 2 KB: a smaller tool output stays in context, one of so many bytes or more wants an
 * extract.
 */
export const LARGE_OUTPUT_BYTES = 2048
