/// <reference types="vite/types/importMeta.d.ts" />

declare namespace Cloudflare {
  interface Env {
    TEST_MIGRATIONS: import('@cloudflare/vitest-plugin').D1Migration[]
    TEST_MISSIONS: DurableObjectNamespace<import('./mission-worker.ts').TestMission>
    SIGNING_KEYS: string
  }
}
