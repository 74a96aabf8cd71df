import { Command } from 'commander'
import { parseRef, parseSha256 } from '../../domain/digest.ts'
import { client, withConnection, withMission } from '../connection.ts'
import type { MissionOptions } from '../connection.ts'
import { CommandError, EXIT } from '../terminal/exit.ts'
import { writeOutput } from '../terminal/output.ts'

interface GetOptions extends MissionOptions {
  readonly output?: string
}

/** `foldex get`: the exact bytes of a ref; they are hashed before one of them is written. */
export const getCommand = (): Command =>
  withConnection(withMission(new Command('get')))
    .description('write the exact bytes of a ref')
    .argument('<ref>', 'memex://excerpt/<sha256>, or the digest alone')
    .option('-o, --output <file>', 'where to (default: standard output)')
    .addHelpText('after', HELP)
    .action(async (ref: string, options: GetOptions) => {
      if (parseRef(ref) === null && parseSha256(ref) === null)
        throw new CommandError(
          EXIT.usage,
          `${ref} is no ref: memex://excerpt/ and 64 lower-case hex digits`,
        )
      await writeOutput(await client(options).read(options.mission, ref), options.output)
    })

const HELP = `
Examples:
  $ foldex get memex://excerpt/<sha256> --mission m1 > output.txt
  $ foldex get <sha256> --mission m1 | sha256sum`
