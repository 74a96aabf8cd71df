/** What goes wrong with one call of one method. */
export type Fault =
  /** Fails, and nothing happened. */
  | { readonly when: 'before'; readonly error: Error }
  /** Fails, though it happened: the caller can't tell it from the other. */
  | { readonly when: 'after'; readonly error: Error }
  /** Answers something else than what came back. */
  | { readonly when: 'answering'; readonly change: (answer: never) => unknown }
  /** Waits for the promise first. */
  | { readonly when: 'waiting'; readonly on: Promise<unknown> }

/** The fault of a call, if any; `call` counts the calls of that method from 1. */
export type Plan = (method: string, call: number) => Fault | undefined

/** A port or a raw binding whose calls go wrong as planned. Also counts: see `callsOf`. */
export function faulty<T extends object>(target: T, plan: Plan = () => undefined): T {
  return wrap(target, plan, new Map())
}

/** Faults for the first calls of one method: the first gets the first, and so on. */
export const inTurn =
  (method: string, ...faults: readonly (Fault | undefined)[]): Plan =>
  (called, call) =>
    called === method ? faults[call - 1] : undefined

/** The same fault at every call of a method. */
export const always =
  (method: string, fault: Fault): Plan =>
  (called) =>
    called === method ? fault : undefined

export const before = (message: string): Fault => ({ when: 'before', error: new Error(message) })
export const after = (message: string): Fault => ({ when: 'after', error: new Error(message) })

/** How often a method of a faulty thing was called. */
export const callsOf = (thing: object, method: string): number =>
  counts.get(thing)?.get(method) ?? 0

const counts = new WeakMap<object, Map<string, number>>()
const targets = new WeakMap<object, object>()

function wrap<T extends object>(target: T, plan: Plan, called: Map<string, number>): T {
  const proxy = new Proxy(target, {
    get(_, name) {
      const member = Reflect.get(target, name, target) as unknown
      if (typeof member !== 'function' || typeof name !== 'string') return member
      return (...parameters: unknown[]) => {
        const call = (called.get(name) ?? 0) + 1
        called.set(name, call)
        const fault = plan(name, call)
        const effect = (): unknown =>
          Reflect.apply(member as () => unknown, target, parameters.map(unwrap))
        if (fault !== undefined) return suffer(fault, effect)
        const answer = effect()
        // A prepared statement of D1 goes wrong like the database it comes from.
        return isStatement(answer) ? wrap(answer, plan, called) : answer
      }
    },
  })
  counts.set(proxy, called)
  targets.set(proxy, target)
  return proxy
}

async function suffer(fault: Fault, effect: () => unknown): Promise<unknown> {
  if (fault.when === 'before') throw fault.error
  if (fault.when === 'waiting') await fault.on
  const answer = await effect()
  if (fault.when === 'after') throw fault.error
  return fault.when === 'answering' ? fault.change(answer as never) : answer
}

const isStatement = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && 'bind' in value

const unwrap = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(unwrap)
    : typeof value === 'object' && value !== null
      ? (targets.get(value) ?? value)
      : value
