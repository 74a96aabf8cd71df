/** The longest o200k_base token is 128 spaces. */
export const LONGEST_TOKEN_BYTES = 128
