import { walkAccess, walkContext, walkMasking, walkMemex } from './evidence.ts'
import { walkFold } from './folding.ts'
import { walkHooks } from './hooks.ts'
import { walkMemory } from './memory.ts'
import { createRecorder } from './recorder.ts'
import type { Exchange } from './recorder.ts'

/** Every operation of the contract, once and more, on ports in memory: the same each time. */
export async function walkContract(): Promise<readonly Exchange[]> {
  const recorder = await createRecorder()
  await walkAccess(recorder)
  await walkMemex(recorder)
  await walkMasking(recorder)
  await walkContext(recorder)
  await walkFold(recorder)
  await walkMemory(recorder)
  await walkHooks(recorder)
  return recorder.exchanges
}
