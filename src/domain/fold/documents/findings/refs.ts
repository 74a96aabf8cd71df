import { isWordAt } from '../../markdown/characters.ts'

const PREFIX = 'memex://excerpt/'

/** Visits the excerpt refs of a text as they are written; `memex://excerpt/<sha256>` is a template. */
export function eachRef(text: string, visit: (ref: string) => void): void {
  for (let start = text.indexOf(PREFIX); start !== -1;) {
    let end = start + PREFIX.length
    while (isWordAt(text, end)) end += 1
    if (end > start + PREFIX.length) visit(text.slice(start, end))
    start = text.indexOf(PREFIX, end)
  }
}
