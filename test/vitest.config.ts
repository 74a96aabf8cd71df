import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin'
import { defineConfig } from 'vitest/config'

const root = new URL('..', import.meta.url).pathname

const common = {
  // Every core: much of the time a test waits for a Worker of its own.
  maxWorkers: '100%',
  // For a busy machine: it ends what hangs, and decides no test.
  testTimeout: 1_200_000,
  hookTimeout: 1_200_000,
}

// Two projects: `pure` runs on Node without a Worker and is what `npm run check` runs before each
// commit; `workerd` runs adapters and whole journeys against real R2, D1 and Durable Objects.
export default defineConfig({
  root,
  test: {
    projects: [
      {
        root,
        test: {
          name: 'pure',
          include: ['test/{house,domain,contract,operations,http,mcp,client}/**/*.test.ts'],
          environment: 'node',
          // No module here keeps state, so each is loaded once for all files.
          isolate: false,
          ...common,
        },
      },
      {
        root,
        plugins: [
          cloudflareTest({
            main: './test/support/mission-worker.ts',
            wrangler: { configPath: './wrangler.toml' },
            miniflare: {
              durableObjects: {
                TEST_MISSIONS: { className: 'TestMission', useSQLite: true },
              },
              bindings: {
                TEST_MIGRATIONS: await readD1Migrations(`${root}src/adapters/migrations`),
                SIGNING_KEYS: JSON.stringify([
                  { kid: 'test', secret: 'dGVzdC1rZXktb2YtZm9sZGV4LXRoaXJ0eS10d28tYnl0ZXM' },
                ]),
              },
            },
          }),
        ],
        test: {
          name: 'workerd',
          include: ['test/{adapters,worker}/**/*.test.ts'],
          setupFiles: ['test/support/migrate.ts'],
          // Each test has a tenant and a mission of its own, so the files can share a runtime.
          isolate: false,
          ...common,
        },
      },
      {
        root,
        test: {
          name: 'cli',
          include: ['test/cli/**/*.test.ts'],
          environment: 'node',
          ...common,
        },
      },
    ],
  },
})
