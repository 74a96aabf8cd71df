import { MAX_PAGE } from '../../contract/paging.ts'

interface Page<Item> {
  readonly items: readonly Item[]
  readonly next_cursor: string | null
}

/** Every item of a list that pages, in its order. */
export async function allPages<Item>(
  page: (query: { limit: number; cursor?: string }) => Promise<Page<Item>>,
): Promise<readonly Item[]> {
  const items: Item[] = []
  let cursor: string | null = null
  do {
    const next: Page<Item> = await page({ limit: MAX_PAGE, ...(cursor === null ? {} : { cursor }) })
    items.push(...next.items)
    cursor = next.next_cursor
  } while (cursor !== null)
  return items
}
