#!/usr/bin/env node
import { Command } from 'commander'
import { replayCommand } from './replay/replay.ts'
import { run } from './run.ts'
import { tokenCommand } from './token.ts'

const program = new Command('foldex')
  .description('Context hygiene for LLM agents: mask old tool outputs, keep every byte.')
  .showHelpAfterError('(foldex --help shows all commands)')
  .addHelpText(
    'after',
    `
Exit codes:
  0 ok   1 usage   2 rejected   3 not found   4 access   5 unavailable

Examples:
  $ foldex token --scope memex:read --mission m1 --expires 1h`,
  )

for (const command of [replayCommand(), tokenCommand()]) program.addCommand(command)

await run(() => program.parseAsync())
