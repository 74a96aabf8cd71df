import type { ProjectFiles } from './project-files.ts'

/** What a tool printed. */
export interface Output {
  readonly text: string
  readonly is_error?: true
}

const MOST_MATCHES = 200

/** The tools as a provider is told of them. */
export const TOOLS = [
  tool('list_files', 'List the files below a folder with their sizes.', 'path'),
  tool('read_file', 'Read a file, with line numbers.', 'path'),
  tool('search', 'Find the lines that contain a text.', 'query'),
]

/** `ls`: the files below a folder with their sizes in bytes. */
export function listFiles(files: ProjectFiles, folder: string): Output {
  const lines = [...files]
    .filter(([path]) => folder === '.' || path.startsWith(`${folder}/`))
    .map(([path, text]) => `${String(new TextEncoder().encode(text).length).padStart(8)} ${path}`)
  return lines.length === 0 ? missing(folder) : { text: lines.join('\n') }
}

/** `cat -n`. */
export function readFile(files: ProjectFiles, path: string): Output {
  const text = files.get(path)
  if (text === undefined) return missing(path)
  const lines = text.replace(/\n$/, '').split('\n')
  return { text: lines.map((line, index) => `${`${index + 1}`.padStart(6)}\t${line}`).join('\n') }
}

/** `grep -rn`, of a plain text. */
export function search(files: ProjectFiles, query: string): Output {
  const matches: string[] = []
  for (const [path, text] of files)
    for (const [index, line] of text.split('\n').entries())
      if (line.includes(query)) matches.push(`${path}:${index + 1}:${line}`)
  if (matches.length === 0) return { text: 'No matches.' }
  const more = matches.length - MOST_MATCHES
  const shown = matches.slice(0, MOST_MATCHES)
  return { text: more > 0 ? `${shown.join('\n')}\n(${more} more)` : shown.join('\n') }
}

const missing = (path: string): Output => ({
  text: `ENOENT: no such file or directory: ${path}`,
  is_error: true,
})

function tool(name: string, description: string, parameter: string) {
  const properties = { [parameter]: { type: 'string' } }
  return { name, description, input_schema: { type: 'object', properties, required: [parameter] } }
}
