import { describe, expect, it } from 'vitest'
import { FLOORS, breaksFloor, breaksOrder } from './floors.ts'

const FACES = ['src/http/a.ts', 'src/mcp/a.ts']
const OUTSIDE = ['src/client/a.ts', 'src/cli/a.ts', 'src/index.ts']
const RUNNING = ['src/operations/a.ts', 'src/adapters/a.ts', ...FACES, ...OUTSIDE]

const FORBIDDEN: Readonly<Record<string, readonly string[]>> = {
  'src/domain/a.ts': ['src/ports.ts', 'src/contract/a.ts', ...RUNNING, 'hono', 'node:fs'],
  'src/ports.ts': ['src/contract/a.ts', ...RUNNING, 'cloudflare:workers'],
  'src/contract/a.ts': [...RUNNING, 'hono', 'zod-openapi', 'cloudflare:workers'],
  'src/operations/a.ts': ['src/adapters/a.ts', ...FACES, ...OUTSIDE, 'hono', 'zod', 'jose'],
  'src/adapters/a.ts': ['src/operations/a.ts', 'src/contract/a.ts', ...FACES, ...OUTSIDE, 'hono'],
  'src/adapters/r2/a.ts': ['src/adapters/d1/a.ts', 'src/operations/a.ts', 'commander'],
  'src/http/a.ts': ['src/adapters/a.ts', ...OUTSIDE, 'cloudflare:workers', 'node:fs'],
  'src/mcp/a.ts': ['src/adapters/a.ts', ...OUTSIDE, 'cloudflare:workers', 'node:fs'],
  'src/client/a.ts': [
    'src/ports.ts',
    'src/adapters/a.ts',
    ...FACES,
    'src/cli/a.ts',
    'hono',
    'node:fs',
  ],
  'src/cli/a.ts': [
    'src/ports.ts',
    'src/operations/a.ts',
    'src/adapters/a.ts',
    ...FACES,
    'cloudflare:workers',
  ],
  'src/index.ts': ['src/client/a.ts', 'src/cli/a.ts', 'node:fs'],
  'src/annex/a.ts': ['src/domain/a.ts', 'zod'],
}

const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  'src/domain/deep/a.ts': ['src/domain/a.ts', 'zod'],
  'src/ports.ts': ['src/domain/a.ts'],
  'src/contract/a.ts': ['src/contract/rows/a.ts', 'src/domain/a.ts', 'zod'],
  'src/operations/a.ts': ['src/domain/a.ts', 'src/ports.ts', 'src/contract/a.ts'],
  'src/adapters/r2/a.ts': [
    'src/adapters/r2/deep/b.ts',
    'src/adapters/a.ts',
    'src/ports.ts',
    'cloudflare:workers',
  ],
  'src/http/a.ts': ['src/mcp/a.ts', 'src/operations/a.ts', 'src/contract/a.ts', 'hono/cors'],
  'src/client/a.ts': ['src/contract/a.ts', 'src/domain/a.ts'],
  'src/cli/a.ts': ['src/client/a.ts', 'src/contract/a.ts', 'node:fs/promises'],
}

const pairsOf = (table: Readonly<Record<string, readonly string[]>>) =>
  Object.entries(table).flatMap(([from, targets]) => targets.map((to) => ({ from, line: 1, to })))

describe('the floors', () => {
  it.each(pairsOf(FORBIDDEN))('keep $from from importing $to', (found) => {
    expect(breaksFloor(found)).toBe(true)
  })

  it.each(pairsOf(ALLOWED))('let $from import $to', (found) => {
    expect(breaksFloor(found)).toBe(false)
  })

  it('are all tried with imports that they forbid', () => {
    const tried = Object.keys(FORBIDDEN)
    for (const room of FLOORS.flatMap(({ rooms }) => rooms))
      expect(tried.some((from) => from.startsWith(`src/${room}`))).toBe(true)
  })
})

describe('the order of rooms', () => {
  it.each([
    { from: 'src/domain/a.ts', to: 'src/domain/mission/b.ts' },
    { from: 'src/domain/json/a.ts', to: 'src/domain/mission/b.ts' },
    { from: 'src/domain/mission/a.ts', to: 'src/domain/transcript/b.ts' },
    { from: 'src/domain/transcript/deep/a.ts', to: 'src/domain/meter/b.ts' },
    { from: 'src/domain/context/a.ts', to: 'src/domain/masking/deep/b.ts' },
    { from: 'src/domain/hooks/a.ts', to: 'src/domain/ledger/b.ts' },
    { from: 'src/domain/fold/checks/a.ts', to: 'src/domain/fold/judge/b.ts' },
    { from: 'src/domain/json/a.ts', to: 'src/domain/annex/b.ts' },
    { from: 'src/domain/annex/a.ts', to: 'src/domain/json/b.ts' },
  ])('keeps $from from importing $to', ({ from, to }) => {
    expect(breaksOrder({ from, line: 1, to })).toBe(true)
  })

  it.each([
    { from: 'src/domain/json/a.ts', to: 'src/domain/b.ts' },
    { from: 'src/domain/ledger/a.ts', to: 'src/domain/masking/b.ts' },
    { from: 'src/domain/masking/a.ts', to: 'src/domain/memory/b.ts' },
    { from: 'src/domain/fold/judge/a.ts', to: 'src/domain/fold/checks/b.ts' },
    { from: 'src/operations/a.ts', to: 'src/domain/ledger/b.ts' },
    { from: 'src/domain/ledger/a.ts', to: 'zod' },
  ])('lets $from import $to', ({ from, to }) => {
    expect(breaksOrder({ from, line: 1, to })).toBe(false)
  })
})
