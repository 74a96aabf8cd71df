import { isList, isObject, type JsonObject } from '../json/value.ts'
import { contentPieces, jsonPieces } from './blocks.ts'
import type { Sink } from './lens.ts'

export const INSTRUCTIONS = ['system', 'instructions', 'systemInstruction', 'system_instruction']
const TOOLS = ['tools', 'functions']

/** What a request costs before its first message: instructions and tools, in any provider's words. */
export function readFrame(request: JsonObject, sink: Sink): void {
  for (const key of INSTRUCTIONS) {
    const value = request[key]
    const texts = isObject(value) && isList(value['parts']) ? value['parts'] : value
    for (const piece of contentPieces(texts, `/${key}`)) sink.piece(piece)
  }
  for (const key of TOOLS) {
    const tools = request[key]
    if (isList(tools))
      tools.forEach((tool, index) => {
        for (const piece of jsonPieces(tool, `/${key}/${index}`)) sink.piece(piece)
      })
    else for (const piece of jsonPieces(tools, `/${key}`)) sink.piece(piece)
  }
}
