import { Command } from 'commander'
import { demoSession } from './demo/demo-session.ts'
import { readProject } from './demo/project-files.ts'
import { checkout } from './local/checkout.ts'
import { withTemporaryWorker } from './local/temporary-worker.ts'
import { replay } from './replay/replay.ts'
import { reportTable } from './replay/report.ts'
import { sessionOf } from './replay/session.ts'
import { run, stopSignal } from './run.ts'
import { EXIT } from './terminal/exit.ts'
import { print, printJson } from './terminal/output.ts'

const program = new Command('npm run demo --')
  .description(
    'start a Worker, replay a session of an agent that reads this project, show the cost',
  )
  .option('--json', 'print the figures as JSON')
  .action(demo)

async function demo({ json }: { readonly json?: boolean }): Promise<void> {
  const signal = stopSignal()
  const session = sessionOf(demoSession(readProject(checkout())), 'the demo session', new Map())
  const report = await withTemporaryWorker(signal, (where) =>
    replay(session.name, [session], where, { trigger: 'always' }, signal),
  )
  if (json === true) printJson(report)
  else print(reportTable(report))
  if (!report.total.restored_equal) process.exitCode = EXIT.rejected
}

await run(() => program.parseAsync())
