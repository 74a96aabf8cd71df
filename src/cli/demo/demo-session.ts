import type { ProjectFiles } from './project-files.ts'
import { listFiles, readFile, search, TOOLS } from './tools.ts'
import type { Output } from './tools.ts'

/** The demo's size: it ends at the first file where it has both. */
export const LEAST_TURNS = 160
const LEAST_BYTES = 540_000

const SYSTEM =
  'You are a careful software engineer. Read before you judge, and name the file and line of what you found.'
const TASK =
  'Review this project: what does each file do, who uses what it exports, and does a test hold it?'

/**
 * The session of an agent that reads this project file by file, as an Anthropic Messages request.
 * Every output is what such a tool prints of these files; the same files give the same bytes.
 */
export function demoSession(files: ProjectFiles) {
  const messages: Message[] = [{ role: 'user', content: TASK }]
  const ids = { next: 1 }
  let turns = 0
  let bytes = 0
  const turn = (text: string, ...calls: readonly Call[]): void => {
    const made = calls.map((call) => ({ ...call, id: `toolu_demo_${ids.next++}` }))
    const uses = made.map(({ id, name, input }) => ({ type: 'tool_use', id, name, input }))
    const results = made.map(({ id, output }) => ({
      type: 'tool_result',
      tool_use_id: id,
      content: output.text,
      ...(output.is_error === true ? { is_error: true } : {}),
    }))
    messages.push(
      { role: 'assistant', content: [{ type: 'text', text }, ...uses] },
      { role: 'user', content: results },
    )
    turns += 1
    for (const { output } of calls) bytes += output.text.length
  }

  turn('I start with what is there.', list(files, '.'), list(files, 'docs'))
  turn('No docs folder; the README and the package come first.', read(files, 'README.md'))
  turn('Which commands are there?', read(files, 'package.json'))
  for (const [path, text] of files) {
    if (turns >= LEAST_TURNS && bytes >= LEAST_BYTES) break
    if (!path.startsWith('src/') || !path.endsWith('.ts')) continue
    const [first, ...others] = exportsOf(text)
    const test = path.replace('src/', 'test/').replace('.ts', '.test.ts')
    if (first === undefined) turn(`${path} exports nothing; what is it for?`, read(files, path))
    else turn(`Next ${path}, and who uses ${first}.`, read(files, path), find(files, first))
    turn(`Does a test hold ${path}?`, read(files, test), ...others.slice(0, 1).map(finder(files)))
  }
  messages.push({ role: 'assistant', content: `I have read the project in ${turns} turns.` })
  return { model: 'claude-sonnet-4-5', max_tokens: 4096, system: SYSTEM, tools: TOOLS, messages }
}

interface Message {
  readonly role: 'user' | 'assistant'
  readonly content: unknown
}

interface Call {
  readonly name: string
  readonly input: Readonly<Record<string, string>>
  readonly output: Output
}

const list = (files: ProjectFiles, path: string): Call => ({
  name: 'list_files',
  input: { path },
  output: listFiles(files, path),
})

const read = (files: ProjectFiles, path: string): Call => ({
  name: 'read_file',
  input: { path },
  output: readFile(files, path),
})

const find = (files: ProjectFiles, query: string): Call => ({
  name: 'search',
  input: { query },
  output: search(files, query),
})

const finder =
  (files: ProjectFiles) =>
  (query: string): Call =>
    find(files, query)

/** The names that a module exports, in their order. */
const exportsOf = (text: string): readonly string[] =>
  [...text.matchAll(/^export (?:async )?(?:const|function\*?|interface|type|class) (\w+)/gm)].map(
    (match) => match[1] ?? '',
  )
