import { Command, Option } from 'commander'
import { KINDS } from '../../domain/memex/excerpt.ts'
import type { ExcerptKind } from '../../domain/memex/excerpt.ts'
import { client, withConnection, withMission } from '../connection.ts'
import type { MissionOptions } from '../connection.ts'
import { readInput } from '../terminal/input.ts'
import { print, printJson } from '../terminal/output.ts'

interface PutOptions extends MissionOptions {
  readonly kind?: ExcerptKind
  readonly source?: string
  readonly tool?: string
  readonly allow?: string
  readonly audit?: true
  readonly json?: true
}

/** `foldex put`: bytes into the Memex, their ref out. */
export const putCommand = (): Command =>
  withConnection(withMission(new Command('put')))
    .description('store bytes in the Memex and print their ref')
    .argument('<file>', 'file to store, - for standard input')
    .addOption(new Option('--kind <kind>', 'what they are evidence of').choices(KINDS))
    .option('--source <anchor>', 'where they are from: a path with lines, a URL, a query')
    .option('--tool <name>', 'the tool that printed them')
    .option('--allow <rule>', 'store them though this secret rule found something (admin)')
    .option('--audit', 'allow the kind transcript')
    .option('--json', 'print the whole answer as JSON')
    .addHelpText('after', HELP)
    .action(async (file: string, options: PutOptions) => {
      const { mission, kind, source, tool, allow, audit } = options
      const query = {
        ...(kind === undefined ? {} : { kind }),
        ...(source === undefined ? {} : { source }),
        ...(tool === undefined ? {} : { tool }),
        ...(allow === undefined ? {} : { allow }),
        ...(audit === undefined ? {} : { audit: 'true' }),
      }
      const body = await readInput(file)
      const stored = await client(options).call('write_excerpt', { mission, query, body })
      for (const warning of stored.warnings) process.stderr.write(`warning: ${warning}\n`)
      if (options.json === true) printJson(stored)
      else print(stored.ref)
    })

const HELP = `
Examples:
  $ foldex put findings.md --mission m1 --kind findings
  $ grep -rn record_vote app | foldex put - --mission m1 --tool grep --source app`
