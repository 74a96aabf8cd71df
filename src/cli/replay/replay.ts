import { randomBytes } from 'node:crypto'
import { Command, InvalidArgumentError, Option } from 'commander'
import { createFoldex } from '../../client/foldex.ts'
import { policyInput } from '../../domain/mission/policy.ts'
import { connection, missionId, withConnection } from '../connection.ts'
import type { ConnectionOptions } from '../connection.ts'
import { loadTokens } from '../count-tokens.ts'
import type { Connection } from '../local/dev-file.ts'
import { withTemporaryWorker } from '../local/temporary-worker.ts'
import { stopSignal } from '../run.ts'
import { EXIT } from '../terminal/exit.ts'
import { wholeNumber } from '../terminal/number.ts'
import { print, printJson } from '../terminal/output.ts'
import { createProgress } from '../terminal/progress.ts'
import { ASSUMED_WINDOW, compare } from './comparison/compare.ts'
import { POLICIES } from './comparison/schedules.ts'
import type { PolicyName } from './comparison/schedules.ts'
import { comparisonTable } from './comparison/table.ts'
import { createMeasure } from './measure.ts'
import { meterErrors } from './meter-errors.ts'
import type { MeterErrors } from './meter-errors.ts'
import { replaySession } from './replay-session.ts'
import type { Replayed, ReplaySettings } from './replay-session.ts'
import { reportTable, sumUp } from './report.ts'
import type { Report } from './report.ts'
import { readSessions } from './session.ts'
import type { Session } from './session.ts'

interface ReplayOptions extends ConnectionOptions {
  readonly trigger: 'percent' | 'always' | 'break_even'
  readonly keep?: number
  readonly window?: number
  readonly mission?: string
  readonly policy?: readonly (PolicyName | 'all')[]
  readonly start?: boolean
  readonly json?: boolean
}

/** `foldex replay`: a recorded session against a running Worker, call by call. */
export const replayCommand = (): Command =>
  withConnection(
    new Command('replay')
      .description('replay a recorded session against a Worker and show what masking saves')
      .argument(
        '<file>',
        'request, message list, list of sessions or trajectory as JSON; - for standard input',
      ),
  )
    .addOption(
      new Option('--trigger <trigger>', 'when to mask')
        .choices(['percent', 'always', 'break_even'])
        .default('percent'),
    )
    .option('--keep <n>', 'how many of the last outputs stay', keepNumber)
    .option('--window <tokens>', 'context window, where the model does not tell', wholeNumber)
    .option('-m, --mission <id>', 'mission to replay in (default: a new one)', missionId)
    .addOption(
      new Option('--policy <policy...>', 'compare policies, counted and without a Worker').choices([
        ...POLICIES,
        'all',
      ]),
    )
    .option('--start', 'start a Worker for this replay alone')
    .option('--json', 'print the figures as JSON')
    .addHelpText('after', HELP)
    .action(async (file: string, options: ReplayOptions) => {
      const sessions = await readSessions(file)
      if (options.policy !== undefined) {
        const { policy, keep, window } = options
        const names = policy.includes('all') ? POLICIES : POLICIES.filter((p) => policy.includes(p))
        const count = await loadTokens()
        const compared = await compare(file, sessions, names, { keep, window }, count)
        if (options.json === true) printJson(compared)
        else print(comparisonTable(compared))
        return
      }
      const signal = stopSignal()
      const run = (where: Connection) => replay(file, sessions, where, options, signal)
      const report = await (options.start === true
        ? withTemporaryWorker(signal, run)
        : run(connection(options)))
      if (options.json === true) printJson(report)
      else print(reportTable(report))
      if (!report.total.restored_equal) process.exitCode = EXIT.rejected
    })

const HELP = `
Where <name>.usage.json lies beside the session, the meter is tested against it too, up to the first
row of a compacted prompt: "compaction": true, or a fifth shorter than the row before.
The last line is "restored equal: yes" when unmasking gave back every byte.

Examples:
  $ foldex replay session.json                    against the Worker of \`npm start\`
  $ foldex replay session.json --trigger always --keep 5
  $ foldex replay session.json --start --json     start a Worker, print figures
  $ foldex replay session.json --policy all       which policy would have cost least`

/** Replays all sessions, one mission each, and adds them up. */
export async function replay(
  file: string,
  sessions: readonly Session[],
  { url, token }: Connection,
  options: Pick<ReplayOptions, 'trigger' | 'keep' | 'window' | 'mission'>,
  signal: AbortSignal,
): Promise<Report> {
  const foldex = createFoldex({ url, token })
  const { trigger, keep, window } = options
  const policy = { trigger: { type: trigger }, ...(keep === undefined ? {} : { keep }) }
  const count = await loadTokens()
  const base = options.mission ?? `replay-${randomBytes(4).toString('hex')}`
  const done: Replayed[] = []
  let meter: MeterErrors | null = null
  const progress = createProgress('Replaying', totalSteps(sessions))
  try {
    for (const [index, session] of sessions.entries()) {
      const mission = sessions.length === 1 ? base : `${base}-${index + 1}`
      const window_tokens = window ?? (session.model === null ? ASSUMED_WINDOW : undefined)
      const settings: ReplaySettings = { policy, window_tokens, signal }
      const open = { ...modelOf(session), ...windowOf(window_tokens) }
      await foldex.call('put_mission', { mission, body: open }, { signal })
      const [replayed, errors] = await Promise.all([
        replaySession(foldex, session, mission, settings, createMeasure(session, count), (masked) =>
          progress.step(`${masked} outputs masked`),
        ),
        session.usage.size === 0
          ? null
          : meterErrors(foldex, session, `${mission}-meter`, settings, () => progress.step()),
      ])
      done.push(replayed)
      meter ??= errors
    }
  } finally {
    progress.end()
  }
  return { file, url, trigger, sessions: done, meter, total: sumUp(done) }
}

function keepNumber(text: string): number {
  const keep = wholeNumber(text)
  if (policyInput.safeParse({ keep }).success) return keep
  throw new InvalidArgumentError('More than a policy can keep.')
}

const totalSteps = (sessions: readonly Session[]): number =>
  sessions.reduce((steps, { calls, usage }) => steps + calls.length * (usage.size === 0 ? 1 : 2), 0)

const modelOf = ({ model }: Session) => (model === null ? {} : { model })
const windowOf = (window_tokens: number | undefined) =>
  window_tokens === undefined ? {} : { window_tokens }
