import type { Import } from './imports.ts'

/** How many imports are shown for one step of a circle. */
const SHOWN = 4

/** `from` can't be understood without `to`, because of these imports. */
export interface Arrow {
  readonly from: string
  readonly to: string
  readonly imports: readonly Import[]
}

export const fileArrows = (imports: readonly Import[]): readonly Arrow[] =>
  merged(imports.map((found) => ({ from: found.from, to: found.to, imports: [found] })))

/** What an import means one level below the deepest folder that holds both of its ends. */
export const roomArrows = (imports: readonly Import[]): readonly Arrow[] =>
  merged(imports.filter(({ from, to }) => from !== to).map(roomArrow))

/** Circles without a common member: at least one for each knot, the shortest through its member. */
export function circlesOf(arrows: readonly Arrow[]): readonly (readonly Arrow[])[] {
  const leaving = Map.groupBy(arrows, ({ from }) => from)
  const known = new Set<string>()
  const circles: (readonly Arrow[])[] = []
  for (const start of leaving.keys()) {
    const circle = known.has(start) ? [] : wayBack(start, leaving)
    if (circle.length === 0 || circle.some(({ from }) => known.has(from))) continue
    for (const { from } of circle) known.add(from)
    circles.push(circle)
  }
  return circles
}

/** A circle as text: its members in a line, then the imports that lead from each to the next. */
export const showCircle = (circle: readonly Arrow[]): string =>
  [
    [...circle.map(({ from }) => from), circle[0]?.from].join(' → '),
    ...circle.flatMap(({ imports }) => [
      ...imports.slice(0, SHOWN).map((found) => `  ${showImport(found)}`),
      ...(imports.length > SHOWN ? [`  and ${imports.length - SHOWN} more`] : []),
    ]),
  ].join('\n')

export const showImport = ({ from, line, to }: Import): string => `${from}:${line} imports ${to}`

const merged = (arrows: readonly Arrow[]): readonly Arrow[] =>
  [...Map.groupBy(arrows, ({ from, to }) => `${from} ${to}`).values()].map((same) => ({
    ...same[0]!,
    imports: same.flatMap(({ imports }) => imports),
  }))

function roomArrow(found: Import): Arrow {
  const [left, right] = [found.from.split('/'), found.to.split('/')]
  const depth = left.findIndex((name, index) => name !== right[index]) + 1
  return {
    from: left.slice(0, depth).join('/'),
    to: right.slice(0, depth).join('/'),
    imports: [found],
  }
}

/** The shortest way along arrows from a member back to itself, empty when there is none. */
function wayBack(start: string, leaving: ReadonlyMap<string, readonly Arrow[]>): readonly Arrow[] {
  const reachedBy = new Map<string, Arrow>()
  const waiting = [start]
  for (const member of waiting) {
    for (const arrow of leaving.get(member) ?? []) {
      if (reachedBy.has(arrow.to)) continue
      reachedBy.set(arrow.to, arrow)
      waiting.push(arrow.to)
    }
    if (reachedBy.has(start)) break
  }
  const way: Arrow[] = []
  let last = reachedBy.get(start)
  while (last !== undefined) {
    way.unshift(last)
    last = last.from === start ? undefined : reachedBy.get(last.from)
  }
  return way
}
