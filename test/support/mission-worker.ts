import { createD1Logs } from '../../src/adapters/d1/d1-logs.ts'
import { MissionObject } from '../../src/adapters/mission/mission-object.ts'
import type { MissionPorts } from '../../src/adapters/mission/mission-object.ts'
import { createR2Memex } from '../../src/adapters/r2/r2-memex.ts'
import { setting } from './mission-setting.ts'

export * from '../../src/index.ts'
export { default } from '../../src/index.ts'

/** The mission's object on real stores, with the faults and the clock that a test sets for it. */
export class TestMission extends MissionObject {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env, portsOf(env, ctx.id.name ?? ''))
  }
}

function portsOf(env: Env, name: string): MissionPorts {
  const memex = createR2Memex(env.MEMEX)
  const logs = createD1Logs(env.LOGS)
  return {
    get memex() {
      return setting(name).memex(memex)
    },
    get logs() {
      return setting(name).logs(logs)
    },
    get revocations() {
      return setting(name).revocations
    },
    get webhooks() {
      return setting(name).webhooks
    },
    now: () => setting(name).now(),
    report: (entry) => setting(name).report(entry),
  }
}
