/** Text between two runs of equally many backticks, the runs included. */
interface CodeSpan {
  readonly start: number
  readonly end: number
}

/**
 * The code spans of a text (CommonMark 0.31.2 section 6.1), in one pass: a run without a
 * partner is text, and is known as such without looking for one again.
 */
export function codeSpans(text: string): readonly CodeSpan[] {
  const runs = backtickRuns(text)
  const lastOfLength = new Map<number, number>()
  for (const [index, run] of runs.entries()) lastOfLength.set(run.end - run.start, index)
  const spans: CodeSpan[] = []
  for (let open = 0; open < runs.length; open++) {
    const run = runs[open] as CodeSpan
    const length = run.end - run.start
    if ((lastOfLength.get(length) ?? open) <= open) continue
    let close = open + 1
    while (lengthOf(runs[close]) !== length) close += 1
    spans.push({ start: run.start, end: runs[close]?.end ?? run.end })
    open = close
  }
  return spans
}

const lengthOf = (run: CodeSpan | undefined): number =>
  run === undefined ? 0 : run.end - run.start

function backtickRuns(text: string): readonly CodeSpan[] {
  const runs: CodeSpan[] = []
  for (let start = text.indexOf('`'); start !== -1;) {
    let end = start + 1
    while (text[end] === '`') end += 1
    runs.push({ start, end })
    start = text.indexOf('`', end)
  }
  return runs
}
