import type { Missions, Owner } from '../../ports.ts'
import { WATCHER_HEADER } from './live-sockets.ts'
import type { MissionObject } from './mission-object.ts'

/** The namespace of the missions' objects, as far as it is used. */
export interface MissionNamespace {
  getByName(name: string): unknown
}

/**
 * The missions' objects, each under `<tenant>/<mission>`. Each call has a new stub, since one that
 * failed stays broken. A call that may be repeated is, once: `apply` carries an id of its own, so
 * that a change whose answer was lost is not made twice. An overloaded object is left alone.
 */
export function createMissions(
  namespace: MissionNamespace,
  newId: () => string = () => crypto.randomUUID(),
): Missions {
  const call = async <T>(owner: Owner, work: (stub: Stub) => Promise<T>): Promise<T> => {
    const stub = (): Stub => namespace.getByName(`${owner.tenant}/${owner.mission}`) as Stub
    try {
      return await work(stub())
    } catch (error) {
      if (!mayRetry(error)) throw error
      return await work(stub())
    }
  }

  return {
    read: (owner, lookups = []) => call(owner, (stub) => stub.read(lookups)),
    apply: (occurrence) => {
      const id = newId()
      return call(occurrence, (stub) => stub.apply(occurrence, id))
    },
    applyAndRead: (occurrence, lookups) => {
      const id = newId()
      return call(occurrence, (stub) => stub.applyAndRead(occurrence, id, lookups))
    },
    watch: (owner, watcher) =>
      call(owner, (stub) =>
        stub.fetch(
          new Request('https://mission/events', {
            headers: { upgrade: 'websocket', [WATCHER_HEADER]: JSON.stringify(watcher) },
          }),
        ),
      ),
    page: (owner, kind, page) => call(owner, (stub) => stub.page(kind, page)),
  }
}

type Stub = Pick<MissionObject, 'fetch' | 'read' | 'apply' | 'applyAndRead' | 'page'>

// The marks that workerd puts on errors of a stub.
function mayRetry(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { retryable, durableObjectReset, overloaded } = error as Error & Record<string, unknown>
  return (retryable === true || durableObjectReset === true) && overloaded !== true
}
