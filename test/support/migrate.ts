import { applyD1Migrations, env } from 'cloudflare:test'

await applyD1Migrations(env.LOGS, env.TEST_MIGRATIONS)
