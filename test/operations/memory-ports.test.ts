import { excerptCacheContract } from '../support/excerpt-cache-contract.ts'
import { logsContract } from '../support/logs-contract.ts'
import { memexContract } from '../support/memex-contract.ts'
import {
  createMemoryExcerptCache,
  createMemoryLogs,
  createMemoryMemex,
  createMemoryMissions,
  createMemoryRevocations,
} from '../support/memory-ports.ts'
import { missionsContract } from '../support/missions-contract.ts'
import { NOW } from '../support/occurrences.ts'
import { revocationsContract } from '../support/revocations-contract.ts'

// The stand-ins that operations are tested on do what the real stores do.
const [memex, logs] = [createMemoryMemex(), createMemoryLogs()]
const [revocations, cache] = [createMemoryRevocations(), createMemoryExcerptCache()]
const missions = createMemoryMissions({ memex, logs, now: () => NOW })

memexContract('memory', () => memex)
logsContract('memory', () => logs)
missionsContract('memory', () => missions)
revocationsContract('memory', () => revocations)
excerptCacheContract('memory', () => cache)
