import { Command } from 'commander'
import { client, withConnection, withMission } from '../connection.ts'
import type { MissionOptions } from '../connection.ts'
import { readJsonInput } from '../terminal/input.ts'
import { print, tell } from '../terminal/output.ts'
import { printRequest, withRequest } from './mask.ts'

interface UnmaskOptions extends MissionOptions {
  readonly ref?: readonly string[]
  readonly pin?: true
  readonly json?: true
}

/** `foldex unmask`: the reverse of `foldex mask`, exact to the byte. */
export const unmaskCommand = (): Command =>
  withConnection(withMission(new Command('unmask')))
    .description('restore masked tool outputs in a request and print it')
    .argument('<file>', 'masked request as JSON, - for standard input')
    .option('--ref <ref...>', 'only these')
    .option('--pin', 'and keep them unmasked from now on')
    .option('--json', 'print the whole answer, with what was not restored and why')
    .addHelpText('after', HELP)
    .action(async (file: string, options: UnmaskOptions) => {
      const { text } = await readJsonInput(file)
      const { mission, ref, pin, json } = options
      const rest = { pin: pin === true, ...(ref === undefined ? {} : { refs: ref }) }
      const body = withRequest(text, rest)
      const answer = await client(options).callText('unmask', { mission, body })
      const { restored, not_restored } = JSON.parse(answer)
      if (json === true) print(answer)
      else printRequest(answer, text)
      tell(`restored ${restored}, not restored ${not_restored.length}`)
    })

const HELP = `
Examples:
  $ foldex unmask masked.json --mission m1 | cmp - request.json
  $ foldex unmask - --mission m1 --ref memex://excerpt/<sha256> --pin < masked.json`
