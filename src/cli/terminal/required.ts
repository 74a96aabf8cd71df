import type { Command, Option } from 'commander'

/**
 * Adds an option that must be there. Commander's own mandatory options are missed before a misspelt
 * one is told of, and so the user would not hear of the suggestion.
 */
export const withRequired = (command: Command, option: Option): Command =>
  command.addOption(option).hook('preAction', () => {
    if (command.getOptionValue(option.attributeName()) === undefined)
      command.error(`error: required option '${option.flags}' not specified`)
  })
