import { expect, it } from 'vitest'
import { importsOf } from './imports.ts'

const read = (source: string) => importsOf(new Map([['src/room/file.ts', source]]))

it.each([
  ["import { a } from './a.ts'", 'src/room/a.ts'],
  ["import type { A } from './a.ts'", 'src/room/a.ts'],
  ["import { type A } from '../a.ts'", 'src/a.ts'],
  ["import * as a from '../other/a.ts'", 'src/other/a.ts'],
  ["import './a.ts'", 'src/room/a.ts'],
  ["import a from './a.json' with { type: 'json' }", 'src/room/a.json'],
  ["export { a } from './a.ts'", 'src/room/a.ts'],
  ["export type { A } from './a.ts'", 'src/room/a.ts'],
  ["export * from './a.ts'", 'src/room/a.ts'],
  ["export * as a from './a.ts'", 'src/room/a.ts'],
  ["const a = await import('./a.ts')", 'src/room/a.ts'],
  ["let a: import('./a.ts').A", 'src/room/a.ts'],
  ["let a: typeof import('./a.ts')", 'src/room/a.ts'],
  ["import { z } from 'zod'", 'zod'],
])('reads %s', (source, to) => {
  expect(read(`\n${source}\n`)).toEqual([{ from: 'src/room/file.ts', line: 2, to }])
})

it('reads no import in a comment or a string', () => {
  expect(read('// import "./a.ts"\nconst a = `import b from "./b.ts"`')).toEqual([])
})

it('refuses an import of a computed path', () => {
  expect(() => read('await import(path)')).toThrow(
    "src/room/file.ts: an import() of a computed path can't be checked",
  )
})

it('refuses a file that does not parse', () => {
  expect(() => read('import {')).toThrow('src/room/file.ts')
})
