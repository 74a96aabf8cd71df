/** 1-based; columns in UTF-16 units of the line, the BOM not counted. */
export interface Position {
  readonly line: number
  readonly column: number
}
