import { Command } from 'commander'
import type { Output } from '../../client/operation.ts'
import { client, missionId, withConnection } from '../connection.ts'
import type { ConnectionOptions } from '../connection.ts'
import { columns, print, printJson } from '../terminal/output.ts'
import { allPages } from '../terminal/pages.ts'

interface LsOptions extends ConnectionOptions {
  readonly mission?: string
  readonly json?: true
}

/** `foldex ls`: the missions, or the Memex index of one. */
export const lsCommand = (): Command =>
  withConnection(new Command('ls'))
    .description('list the missions, or what one has in the Memex')
    .option('-m, --mission <id>', 'the Memex index of this mission', missionId)
    .option('--json', 'print all items as JSON')
    .addHelpText('after', HELP)
    .action(async (options: LsOptions) => {
      const { mission, json } = options
      const foldex = client(options)
      if (mission === undefined) {
        const missions = await allPages((query) => foldex.call('list_missions', { query }))
        if (json === true) printJson(missions)
        else print(columns(missions.map(missionCells)))
      } else {
        const excerpts = await allPages((query) => foldex.call('list_excerpts', { mission, query }))
        if (json === true) printJson(excerpts)
        else print(columns(excerpts.map(excerptCells)))
      }
    })

const HELP = `
Missions: id, status, phase, context, opened. Memex: ref, bytes, kind, tool, source.

Examples:
  $ foldex ls
  $ foldex ls --mission m1 --json | jq -r '.[].ref'`

const missionCells = (item: Output<'list_missions'>['items'][number]): readonly string[] => [
  item.id,
  item.status,
  item.phase,
  item.percent === null ? '-' : `${item.percent} %`,
  item.created_at,
]

const excerptCells = (item: Output<'list_excerpts'>['items'][number]): readonly string[] => [
  item.ref,
  String(item.size),
  item.kind,
  item.tool ?? '-',
  item.source ?? '',
]
