import { Command } from 'commander'
import { parseMemoryPath } from '../../domain/memory/files/memory-path.ts'
import { client, withConnection, withMission } from '../connection.ts'
import type { MissionOptions } from '../connection.ts'
import { CommandError, EXIT } from '../terminal/exit.ts'
import { columns, writeOutput } from '../terminal/output.ts'
import { allPages } from '../terminal/pages.ts'

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
      if (json === true && (path !== undefined || tar === true))
        throw new CommandError(EXIT.usage, '--json is for the list: name no file, and no --tar')
      if (path !== undefined && parseMemoryPath(path) === null)
        throw new CommandError(
          EXIT.usage,
          `'${path}' is no memory file: without one, all are listed`,
        )
      const foldex = client(options)
      if (tar === true) return writeOutput(await foldex.call('memory_tar', { mission }), output)
      if (path !== undefined)
        return writeOutput(await foldex.call('read_memory_file', { mission, path }), output)
      const files = await allPages((query) => foldex.call('list_memory', { mission, query }))
      return writeOutput(
        json === true
          ? JSON.stringify(files, null, 2)
          : columns(files.map((file) => [file.path, file.at])),
        output,
      )
    })

const HELP = `
Examples:
  $ foldex memory --mission m1
  $ foldex memory masking-log.md --mission m1
  $ foldex memory --tar --mission m1 | tar -t`
