import { failure } from '../../failure.ts'
import type { Failure } from '../../failure.ts'
import { err, ok } from '../../result.ts'
import type { Result } from '../../result.ts'
import { plainLine } from '../text/one-line.ts'
import { countWords } from '../text/words.ts'

/** What is left behind at the end of a task (seed step 6): a trailhead, not a transcript. */
export interface Breadcrumb {
  readonly did: string
  readonly outputs: readonly string[]
  readonly next: string
  readonly task_complete: boolean
}

/** The seed asks for 200 to 300 words; outside `least` and `most` it is no breadcrumb. */
export const BREADCRUMB_WORDS = { least: 50, from: 200, to: 300, most: 600 } as const

/**
 * The words of a breadcrumb with what is to be warned of; `breadcrumb_out_of_range` past the ends, and
 * where it does not say what was done or what is next.
 */
export function judgeBreadcrumb(
  breadcrumb: Breadcrumb,
): Result<{ readonly words: number; readonly warnings: readonly string[] }, Failure> {
  const { did, next, outputs } = breadcrumb
  const words = [did, ...outputs, next].reduce((sum, text) => sum + countWords(text), 0)
  const { from, least, most, to } = BREADCRUMB_WORDS
  if (words < least || words > most)
    return err(failure('breadcrumb_out_of_range', { detail: `${words} words`, members: { words } }))
  const blank = Object.entries({ did, next }).filter(([, text]) => countWords(text) === 0)
  if (blank.length > 0) {
    const errors = blank.map(([name]) => ({ pointer: `/${name}`, detail: 'must say something' }))
    const detail = `${words} words, and none in ${blank.map(([name]) => name).join(' and ')}`
    return err(failure('breadcrumb_out_of_range', { detail, errors, members: { words } }))
  }
  return ok({
    words,
    warnings: words < from || words > to ? [`breadcrumb_outside_${from}_to_${to}_words`] : [],
  })
}

/** The UTC day of a time, `YYYY-MM-DD`. */
export const dayOf = (at: string): string => at.slice(0, 10)

/** One day's file: each breadcrumb of the day under its time, in their order. */
export const renderDay = (
  day: string,
  breadcrumbs: readonly (Breadcrumb & { readonly at: string })[],
): string => [`# ${day}\n`, ...breadcrumbs.map(renderBreadcrumb)].join('\n')

/** One breadcrumb: what was done, where the outputs are, what is next. */
export function renderBreadcrumb(breadcrumb: Breadcrumb & { readonly at: string }): string {
  const { at, did, next, outputs, task_complete } = breadcrumb
  return [
    `## ${at}${task_complete ? ', task complete' : ''}`,
    '',
    '### Did',
    '',
    plainLine(did),
    '',
    '### Outputs',
    '',
    ...(outputs.length === 0 ? ['None.'] : outputs.map((output) => `- ${plainLine(output)}`)),
    '',
    '### Next',
    '',
    plainLine(next),
    '',
  ].join('\n')
}
