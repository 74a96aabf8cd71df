import type { Logs, Memex, Report, Revocations, Webhooks } from '../../src/ports.ts'

/** What a test puts around one mission's object: faults, absence, the clock. */
export interface Setting {
  memex: (real: Memex) => Memex | null
  logs: (real: Logs) => Logs | null
  revocations: Revocations | null
  webhooks: Webhooks | null
  now: () => number
  reports: Report[]
  report: (entry: Report) => void
}

const settings = new Map<string, Setting>()

/** The setting of the object with this name; by itself everything is there and works. */
export function setting(name: string): Setting {
  const known = settings.get(name)
  if (known !== undefined) return known
  const reports: Report[] = []
  const made: Setting = {
    memex: (real) => real,
    logs: (real) => real,
    revocations: null,
    webhooks: null,
    now: Date.now,
    reports,
    report: (entry) => void reports.push(entry),
  }
  settings.set(name, made)
  return made
}
