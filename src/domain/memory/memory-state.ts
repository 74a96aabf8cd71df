/** What a mission's memory knows beside its records: a few numbers, whatever the session's length. */
interface MemoryState {
  /** The key of the last breadcrumb, of any context. */
  readonly last_breadcrumb: string | null
  /** The last day that has breadcrumbs, and how many. */
  readonly today: { readonly day: string; readonly breadcrumbs: number } | null
}

/** The slice that this folder owns. */
export interface HasMemory {
  readonly memory: MemoryState
}

export const NO_MEMORY: MemoryState = { last_breadcrumb: null, today: null }
