#!/usr/bin/env node
import { Command } from 'commander'
import { checkCommand } from './commands/check.ts'
import { getCommand } from './commands/get.ts'
import { lsCommand } from './commands/ls.ts'
import { maskCommand } from './commands/mask.ts'
import { memoryCommand } from './commands/memory.ts'
import { putCommand } from './commands/put.ts'
import { reportCommand } from './commands/report.ts'
import { tokenCommand } from './commands/token.ts'
import { unmaskCommand } from './commands/unmask.ts'
import { replayCommand } from './replay/replay.ts'
import { run } from './run.ts'

const program = new Command('foldex')
  .description('Context hygiene for LLM agents: mask old tool outputs, keep every byte.')
  .showHelpAfterError('(foldex --help shows all commands)')
  .addHelpText(
    'after',
    `
Exit codes:
  0 ok   1 usage   2 rejected   3 not found   4 access   5 unavailable   128 + n signal n

Examples:
  $ foldex mask request.json --mission m1 --trigger always > masked.json
  $ foldex check --mission mission.md --findings findings.md fold.md
  $ foldex get memex://excerpt/<sha256> --mission m1 | sha256sum
  $ foldex replay session.json

\`foldex <command> --help\` has more.`,
  )

const commands = [
  putCommand(),
  getCommand(),
  lsCommand(),
  maskCommand(),
  unmaskCommand(),
  checkCommand(),
  reportCommand(),
  memoryCommand(),
  replayCommand(),
  tokenCommand(),
]
for (const command of commands) program.addCommand(command)

await run(() => program.parseAsync())
