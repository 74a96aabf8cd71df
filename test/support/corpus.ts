import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The folder of real sessions beside the repository (`../shared/corpus`, or further up from a work
 * tree), or null. They are other people's and never part of the project: tests skip without them.
 */
const folder = ['../../..', '../../../..', '../../../../..']
  .map((up) => join(import.meta.dirname, up, 'shared/corpus'))
  .find((path) => existsSync(path))

export const hasCorpus = folder !== undefined
export const withoutCorpus = hasCorpus ? '' : ' (skipped: no ../shared/corpus here)'

/** The parsed JSON of one corpus file. */
export function corpusJson(name: string): unknown {
  return JSON.parse(corpusText(name))
}

export const corpusText = (name: string): string => readFileSync(corpusFile(name), 'utf8')

/** Where a corpus file is. */
export function corpusFile(name: string): string {
  if (folder === undefined) throw new Error('there is no ../shared/corpus')
  return join(folder, name)
}
