import { Command, Option } from 'commander'
import { utf8ErrorOffset, utf8Text } from '../../domain/bytes.ts'
import { renderVerdict } from '../../domain/fold/judge/render.ts'
import { validateFold } from '../../domain/fold/judge/validate.ts'
import { loadTokens } from '../count-tokens.ts'
import { CommandError, EXIT } from '../terminal/exit.ts'
import { readInput } from '../terminal/input.ts'
import { wholeNumber } from '../terminal/number.ts'
import { print, printJson } from '../terminal/output.ts'
import { withRequired } from '../terminal/required.ts'

interface CheckOptions {
  readonly mission: string
  readonly findings: string
  readonly trajectoryTokens?: number
  readonly json?: true
}

const REQUIRED = [
  new Option('--mission <mission.md>', 'the mission that it answers'),
  new Option('--findings <findings.md>', 'the findings that it must keep'),
]

/** `foldex check`: the fold validator as a linter, offline. Exit code 0 accepted, 2 rejected, 1 usage. */
export const checkCommand = (): Command =>
  REQUIRED.reduce(withRequired, new Command('check'))
    .description('check a fold against its mission and findings, offline')
    .argument('<fold.md>', 'the fold, - for standard input')
    .option(
      '--trajectory-tokens <n>',
      'tokens of the Locate trajectory, for fold_ratio',
      wholeNumber,
    )
    .option('--json', 'print the verdict as JSON')
    .addHelpText('after', HELP)
    .action(async (file: string, options: CheckOptions) => {
      const { mission, findings, trajectoryTokens, json } = options
      if ([file, mission, findings].filter((name) => name === '-').length > 1)
        throw new CommandError(EXIT.usage, 'only one document can be standard input')
      const fold_md = await readDocument(file)
      const verdict = validateFold({
        mission_md: await readDocument(mission),
        findings_md: await readDocument(findings),
        fold_md,
        count: await loadTokens(),
        ...(trajectoryTokens === undefined ? {} : { trajectory_tokens: trajectoryTokens }),
      })
      if (json === true) printJson(verdict)
      else print(renderVerdict(verdict, file === '-' ? 'fold.md' : file, fold_md))
      process.exitCode = verdict.accepted ? EXIT.ok : EXIT.rejected
    })

const HELP = `
The same validator as POST /v1/fold/check. Excerpt refs are not looked up: that takes a mission.

Examples:
  $ foldex check --mission mission.md --findings findings.md fold.md
  $ foldex check --mission mission.md --findings findings.md --json - < fold.md | jq .accepted`

async function readDocument(file: string): Promise<string> {
  const bytes = await readInput(file)
  const text = utf8Text(bytes)
  if (text !== null) return text
  const name = file === '-' ? 'the input' : file
  throw new CommandError(EXIT.rejected, `${name} is not UTF-8, at byte ${utf8ErrorOffset(bytes)}`)
}
