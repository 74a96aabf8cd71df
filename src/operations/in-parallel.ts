/** A Worker may have six connections open at once (Workers limits). */
const CONNECTIONS = 6

/**
 * Runs `work` on every item, six at a time; results stand in the order of the items. Where one fails,
 * it is thrown once nothing is under way any more, so that what the caller then undoes stays undone.
 */
export async function inParallel<Item, Out>(
  items: readonly Item[],
  work: (item: Item) => Promise<Out>,
): Promise<Out[]> {
  const results: Out[] = []
  const queue = items.entries()
  const worker = async (): Promise<void> => {
    for (const [index, item] of queue) results[index] = await work(item)
  }
  const workers = Array.from({ length: Math.min(CONNECTIONS, items.length) }, worker)
  await Promise.allSettled(workers)
  await Promise.all(workers)
  return results
}
