/** A Worker may have six connections open at once (Workers limits). */
const CONNECTIONS = 6

/** Runs `work` on every item, six at a time; results stand in the order of the items. */
export async function inParallel<Item, Out>(
  items: readonly Item[],
  work: (item: Item) => Promise<Out>,
): Promise<Out[]> {
  const results: Out[] = []
  const queue = items.entries()
  const worker = async (): Promise<void> => {
    for (const [index, item] of queue) results[index] = await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(CONNECTIONS, items.length) }, worker))
  return results
}
