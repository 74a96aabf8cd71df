import { expect } from 'vitest'
import type { Api } from './api.ts'
import { FINDINGS, FOLD, MISSION } from './fold-case.ts'
import { memoryApi, memoryDeps } from './memory-deps.ts'
import type { MemoryDeps } from './memory-deps.ts'

export const mission = 'm-1'
export const MAP = '# MAP\n\nMAP-ROOTS: app/\n'
/** What a tool printed while the mission still looked around. */
export const RAW = 'raw output of long ago '.repeat(200)

const said = (...messages: object[]) => ({ model: 'claude-sonnet-4-5', messages })
const called = (id: string, content: string) => [
  { role: 'assistant', content: [{ type: 'tool_use', id, name: 'grep', input: {} }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] },
]
const fold = { role: 'user', content: FOLD }
const done = { role: 'assistant', content: 'done' }

/** A context that comes to its fold after an output. */
export const told = (id: string, content: string) =>
  said({ role: 'user', content: 'investigate' }, ...called(id, content), done, fold)

/** One that has the output behind its fold. */
export const behind = (id: string, content: string) => said(fold, ...called(id, content), done)

export interface FoldBench {
  readonly deps: MemoryDeps
  readonly api: Api
  /** The excerpts that its findings cite. */
  readonly refs: readonly string[]
  /** The digest of the mission's prompt. */
  readonly prompt: () => Promise<string>
  readonly submit: (fold: string, prompt_sha256: string, over?: object) => Promise<Response>
  /** The request with all of its outputs masked by the mission. */
  readonly masked: (request: object) => Promise<object>
}

/** A mission in abstract with its three documents, ready to be folded. */
export async function foldBench(): Promise<FoldBench> {
  const deps = memoryDeps()
  const api = await memoryApi(deps)
  await api.ok('put_mission', {
    mission,
    body: { model: 'claude-sonnet-4-5', max_tool_calls: 60 },
  })
  const refs: string[] = []
  let findings = FINDINGS
  for (const letter of ['aaaa', 'bbbb', 'cccc']) {
    const { ref } = await api.ok('write_excerpt', { mission, body: `evidence ${letter}` })
    refs.push(ref)
    findings = findings.replace(new RegExp(`memex://excerpt/${letter}0+`), () => ref)
  }
  for (const [artifact, body] of [
    ['mission.md', MISSION],
    ['map.md', MAP],
    ['findings.md', findings],
  ] as const)
    await api.ok('put_artifact', { mission, artifact, body })
  await api.ok('move_phase', { mission, body: { to: 'abstract' } })
  return {
    deps,
    api,
    refs,
    prompt: async () => {
      const response = await api.send('fold_prompt', { mission })
      expect(response.status).toBe(200)
      return response.headers.get('prompt-sha256') ?? ''
    },
    submit: (text, prompt_sha256, over = {}) =>
      api.send('submit_fold', {
        mission,
        body: { fold: text, prompt_sha256, trajectory_tokens: 20_000, ...over },
      }),
    masked: async (request) => {
      const policy = { trigger: { type: 'always' }, keep: 0, min_bytes: 0 }
      const answer = await api.ok('mask', { mission, body: { request, policy } })
      expect(answer.masked).toBe(1)
      return answer.request as object
    },
  }
}
