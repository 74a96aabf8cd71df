import { describe, expect, test } from 'vitest'
import { applyEdits } from '../../src/client/edits.ts'
import { digestOfRef, sha256 } from '../../src/domain/digest.ts'
import type { Ref } from '../../src/domain/digest.ts'
import { resolvePointer } from '../../src/domain/json/pointer.ts'
import { freshOwner } from '../support/fresh.ts'
import { workerApi } from '../support/worker.ts'

// Real sessions of other people beside the repository, never part of it; workerd has no file system,
// so the test runner hands them over.
const files = import.meta.glob<string>(
  ['../../../shared/corpus/*.json', '../../../../shared/corpus/*.json'],
  { query: '?raw', import: 'default' },
)
const fileOf = (name: string) =>
  Object.entries(files).find(([path]) => path.endsWith(`/${name}`))?.[1]

const FILES = [
  { file: 'anthropic-coding-session.json', format: 'anthropic_messages' },
  { file: 'openai-airline-sessions.json', format: 'openai_chat' },
]
const POLICIES = [
  { trigger: 'always', policy: { trigger: { type: 'always' } } },
  { trigger: 'percent', policy: { trigger: { type: 'percent', value: 70 } } },
]
const KEEP = 3
const missing = FILES.every(({ file }) => fileOf(file) === undefined)

describe.skipIf(missing)(
  `real sessions on the Worker${missing ? ' (skipped: no ../shared/corpus here)' : ''}`,
  () => {
    describe.each(FILES)('$file', ({ file, format }) => {
      test.each(POLICIES)('masks and restores every session with trigger $trigger', async (row) => {
        const { policy, trigger } = row
        const sum = { sessions: 0, results: 0, masked: 0, refs: 0 }
        for (const source of await sessionsOf(file)) {
          const { tenant, mission } = freshOwner()
          const api = await workerApi(tenant)
          const original = JSON.parse(source) as object
          // A window that the session fills to 80 percent, so that `percent` has to work.
          const counted = await api.ok('report_context', {
            mission,
            body: `{"request":${source},"window_tokens":1000000}`,
          })
          const window_tokens = Math.ceil((counted.tokens ?? 0) / 0.8)
          const sent = `{"request":${source},"policy":${JSON.stringify(policy)},"window_tokens":${window_tokens}}`
          const done = await api.ok('mask', { mission, body: sent })

          expect(done).toMatchObject({ format, storage: 'memex' })
          if (trigger === 'percent') expect(done.context.before).toBeCloseTo(80, 0)
          const request = done.request as object
          const refs = done.decisions.flatMap(({ ref }) => ref ?? [])
          expect(refs).toHaveLength(done.masked)
          for (const ref of new Set(refs)) {
            const digest = digestOfRef(ref as Ref)
            const bytes = await api.ok('read_excerpt', { mission, sha256: digest })
            expect(await sha256(bytes)).toBe(digest)
          }
          for (const { pointer, decision, saved_tokens } of done.decisions) {
            const [was, is] = [resolvePointer(original, pointer), resolvePointer(request, pointer)]
            if (decision === 'masked') expect(saved_tokens).toBeGreaterThan(0)
            else expect(is).toEqual(was)
          }
          const last = done.decisions.slice(-KEEP).map(({ decision }) => decision)
          expect(last).not.toContain('masked')

          const back = await api.ok('unmask', { mission, body: { request } })
          expect(back).toMatchObject({ restored: done.masked, not_restored: [] })
          expect(back.request).toEqual(original)
          // Only the texts of masked results differ: with them taken out, the rest is equal.
          const edits = done.decisions
            .filter(({ decision }) => decision === 'masked')
            .map(({ pointer }) => ({ pointer, value: resolvePointer(request, pointer) }))
          expect(applyEdits(structuredClone(original), edits)).toEqual(request)

          const body = { request, policy, window_tokens }
          const again = await api.ok('mask', { mission, body })
          // One call stores a hundred excerpts; the next goes on, and then nothing changes any more.
          expect(again.masked).toBe(done.postponed ?? 0)
          if (again.masked === 0) {
            expect(again.first_changed_pointer).toBeNull()
            expect(again.request).toEqual(request)
          }

          sum.sessions += 1
          sum.results += done.decisions.length
          sum.masked += done.masked
          sum.refs += new Set(refs).size
        }
        console.log(`${file} ${trigger}: ${JSON.stringify(sum)}`)
        if (trigger === 'always') expect(sum.masked).toBeGreaterThan(0)
      })
    })
  },
)

/** The sessions of a file as JSON source: the request that it is, or one a trajectory. */
async function sessionsOf(file: string): Promise<string[]> {
  const source = (await fileOf(file)?.()) ?? '[]'
  const parsed: unknown = JSON.parse(source)
  return Array.isArray(parsed)
    ? parsed.map(({ messages }: { messages: unknown }) => JSON.stringify({ messages }))
    : [source]
}
