import { Command, Option } from 'commander'
import { sourceAt } from '../../domain/json/source.ts'
import { client, withConnection, withMission } from '../connection.ts'
import type { MissionOptions } from '../connection.ts'
import { readJsonInput } from '../terminal/input.ts'
import { wholeNumber } from '../terminal/number.ts'
import { print, printExactly, tell } from '../terminal/output.ts'

interface MaskOptions extends MissionOptions {
  readonly trigger?: string
  readonly keep?: number
  readonly minBytes?: number
  readonly window?: number
  readonly edits?: true
  readonly json?: true
}

/** `foldex mask`: a request in, the same request with old tool outputs masked out. */
export const maskCommand = (): Command =>
  withConnection(withMission(new Command('mask')))
    .description('mask old tool outputs in a request and print it')
    .argument('<file>', 'provider request or message list as JSON, - for standard input')
    .addOption(
      new Option('--trigger <trigger>', 'when to mask (default: as the mission says)').choices([
        'percent',
        'always',
        'break_even',
      ]),
    )
    .option('--keep <n>', 'how many of the last outputs stay', wholeNumber)
    .option('--min-bytes <n>', 'smaller outputs stay', wholeNumber)
    .option('--window <tokens>', 'context window, where the model does not tell', wholeNumber)
    .option('--edits', 'print only the edits')
    .option('--json', 'print the whole answer, with every decision and its reason')
    .addHelpText('after', HELP)
    .action(async (file: string, options: MaskOptions) => {
      const { text } = await readJsonInput(file)
      const { mission, trigger, keep, minBytes, window, edits, json } = options
      const rest = {
        return: edits === true ? 'edits' : 'request',
        policy: {
          ...(trigger === undefined ? {} : { trigger: { type: trigger } }),
          ...(keep === undefined ? {} : { keep }),
          ...(minBytes === undefined ? {} : { min_bytes: minBytes }),
        },
        ...(window === undefined ? {} : { window_tokens: window }),
      }
      const body = withRequest(text, rest)
      const answer = await client(options).callText('mask', { mission, body })
      const { masked, context } = JSON.parse(answer)
      if (json === true) print(answer)
      else if (edits === true) print(member(answer, '/edits'))
      else printRequest(answer, text)
      tell(`masked ${masked}; context ${context.before} % before, ${context.after} % after`)
    })

const HELP = `
Numbers, key order and everything outside a masked output stay exactly as they are written.

Examples:
  $ foldex mask request.json --mission m1 > masked.json
  $ foldex mask - --mission m1 --trigger always --keep 3 < request.json`

/** A body that has the request as it is written, and other members as values. */
export const withRequest = (request: string, rest: object): string =>
  `{"request":${[request, ...Object.entries(rest).map(memberText)].join(',')}}`

const memberText = ([name, value]: [string, unknown]): string =>
  `${JSON.stringify(name)}:${JSON.stringify(value)}`

/** Prints an answer's request, with the white space around it that it was read with. */
export function printRequest(answer: string, source: string): void {
  const before = source.slice(0, source.length - source.trimStart().length)
  const after = source.slice(source.trimEnd().length)
  printExactly(before + member(answer, '/request') + after)
}

const member = (answer: string, pointer: string): string => sourceAt(answer, pointer) ?? 'null'
