import { Command, InvalidArgumentError } from 'commander'
import { client, withConnection, withMission } from '../connection.ts'
import type { MissionOptions } from '../connection.ts'
import { CommandError, EXIT } from '../terminal/exit.ts'
import { readJsonInput } from '../terminal/input.ts'
import { wholeNumber } from '../terminal/number.ts'
import { print } from '../terminal/output.ts'
import { withRequest } from './mask.ts'

interface ReportOptions extends MissionOptions {
  readonly usedPercentage?: number
  readonly usage?: string
  readonly request?: string
  readonly characters?: number
  readonly window?: number
  readonly turn?: number
  readonly cause?: string
  readonly taskComplete?: true
  readonly json?: true
}

/** `foldex report`: how full the context is, and the one thing to do next. */
export const reportCommand = (): Command =>
  withConnection(withMission(new Command('report')))
    .description('report how full the context is, and hear what to do next')
    .option('--used-percentage <n>', "the host's own percentage", percentage)
    .option('--usage <file>', 'usage object of the last call as JSON, - for standard input')
    .option('--request <file>', 'the request as JSON, to be counted; - for standard input')
    .option('--characters <n>', 'its characters, where nothing better is known', wholeNumber)
    .option('--window <tokens>', 'context window, where the model does not tell', wholeNumber)
    .option('--turn <n>', 'which turn it is', wholeNumber)
    .option('--cause <text>', 'why now')
    .option('--task-complete', 'the task is done')
    .option('--json', 'print the whole answer')
    .addHelpText('after', HELP)
    .action(async (options: ReportOptions) => {
      if (SOURCES.every((source) => options[source] === undefined))
        throw new CommandError(
          EXIT.usage,
          'say how full it is: --used-percentage, --usage, --request or --characters',
        )
      if (options.usage === '-' && options.request === '-')
        throw new CommandError(EXIT.usage, 'only one of --usage and --request can be -')
      const { mission, usedPercentage, characters, window, turn, cause, taskComplete } = options
      const rest = {
        ...(usedPercentage === undefined ? {} : { used_percentage: usedPercentage }),
        ...(options.usage === undefined
          ? {}
          : { usage: (await readJsonInput(options.usage)).value }),
        ...(characters === undefined ? {} : { characters }),
        ...(window === undefined ? {} : { window_tokens: window }),
        ...(turn === undefined ? {} : { turn }),
        ...(cause === undefined ? {} : { cause }),
        ...(taskComplete === undefined ? {} : { task_complete: true }),
      }
      const body =
        options.request === undefined
          ? JSON.stringify(rest)
          : withRequest((await readJsonInput(options.request)).text, rest)
      const answer = await client(options).callText('report_context', { mission, body })
      print(options.json === true ? answer : sentence(JSON.parse(answer)))
    })

const SOURCES = ['usedPercentage', 'usage', 'request', 'characters'] as const

const HELP = `
Of several sources the best counts: host, usage, request, characters.

Examples:
  $ foldex report --mission m1 --used-percentage 63
  $ foldex report --mission m1 --request request.json --usage usage.json`

interface Reading {
  readonly percent: number
  readonly zone: string
  readonly method: string
  readonly advice: { readonly action: string; readonly rule: string; readonly reason: string }
}

const sentence = ({ percent, zone, method, advice }: Reading): string =>
  `${percent} % ${zone} (${method}): ${advice.action}. ${advice.reason} [${advice.rule}]`

function percentage(text: string): number {
  const value = Number(text)
  if (/^[0-9]{1,5}(\.[0-9]{1,6})?$/.test(text)) return value
  throw new InvalidArgumentError('A number, 0 or more.')
}
