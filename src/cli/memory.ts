import { Command } from 'commander'
import { writeFile } from 'node:fs/promises'
import { client, withConnection, withMission } from './connection.ts'
import type { MissionOptions } from './connection.ts'
import { CommandError, EXIT } from './exit.ts'
import { columns, print, printJson } from './output.ts'
import { allPages } from './pages.ts'

interface MemoryOptions extends MissionOptions {
  readonly output?: string
  readonly tar?: true
  readonly json?: true
}

/** `foldex memory`: the markdown files of a mission's working memory. */
export const memoryCommand = (): Command =>
  withConnection(withMission(new Command('memory')))
    .description("list a mission's memory files, or print one")
    .argument('[path]', 'file to print, like masking-log.md or extracts/<task>-turn-<n>.md')
    .option('--tar', 'all of them as a tar archive')
    .option('-o, --output <file>', 'where to (default: standard output)')
    .option('--json', 'print the list as JSON')
    .addHelpText('after', HELP)
    .action(async (path: string | undefined, options: MemoryOptions) => {
      const { mission, output, tar, json } = options
      if (path !== undefined && tar === true)
        throw new CommandError(EXIT.usage, '--tar takes all files: name none')
      const foldex = client(options)
      if (tar === true) return write(await foldex.call('memory_tar', { mission }), output)
      if (path !== undefined)
        return write(await foldex.call('read_memory_file', { mission, path }), output)
      const files = await allPages((query) => foldex.call('list_memory', { mission, query }))
      if (json === true) printJson(files)
      else print(columns(files.map((file) => [file.path, file.at])))
    })

const HELP = `
Examples:
  $ foldex memory --mission m1
  $ foldex memory masking-log.md --mission m1
  $ foldex memory --tar --mission m1 | tar -t`

async function write(bytes: Uint8Array, output: string | undefined): Promise<void> {
  if (output === undefined || output === '-') process.stdout.write(bytes)
  else await writeFile(output, bytes)
}
