import { expect, it } from 'vitest'
import { circlesOf, fileArrows, roomArrows, showCircle } from './circles.ts'
import { importsOf } from './imports.ts'

const importsIn = (files: Readonly<Record<string, string>>) =>
  importsOf(new Map(Object.entries(files)))

const filesInCircle = (files: Readonly<Record<string, string>>) =>
  circlesOf(fileArrows(importsIn(files))).map(showCircle)

const roomsInCircle = (files: Readonly<Record<string, string>>) =>
  circlesOf(roomArrows(importsIn(files))).map(showCircle)

const CHAIN = {
  'src/a.ts': "import { b } from './b.ts'\nimport { c } from './c.ts'",
  'src/b.ts': "import { c } from './c.ts'",
}

it('finds no circle in files that import one another one way', () => {
  expect(filesInCircle({ ...CHAIN, 'src/c.ts': "import { z } from 'zod'" })).toEqual([])
})

it('finds a circle that an import of a type closes, with the imports that make it', () => {
  expect(filesInCircle({ ...CHAIN, 'src/c.ts': "\nimport type { B } from './b.ts'" })).toEqual([
    'src/b.ts → src/c.ts → src/b.ts\n  src/b.ts:1 imports src/c.ts\n  src/c.ts:2 imports src/b.ts',
  ])
})

it('finds a circle that an export of another file closes', () => {
  expect(filesInCircle({ ...CHAIN, 'src/c.ts': "export * from './b.ts'" })).toHaveLength(1)
})

it('finds a file that imports itself', () => {
  expect(filesInCircle({ 'src/a.ts': "import { a } from './a.ts'" })).toEqual([
    'src/a.ts → src/a.ts\n  src/a.ts:1 imports src/a.ts',
  ])
})

it('finds the shortest circle of each knot', () => {
  const files = {
    'src/a.ts': "import { b } from './b.ts'",
    'src/b.ts': "import { c } from './c.ts'",
    'src/c.ts': "import { a } from './a.ts'\nimport { b } from './b.ts'",
    'src/d.ts': "import { e } from './e.ts'\nimport { a } from './a.ts'",
    'src/e.ts': "import { d } from './d.ts'",
  }
  const found = circlesOf(fileArrows(importsIn(files)))
  expect(found.map((circle) => circle.map(({ from }) => from))).toEqual([
    ['src/a.ts', 'src/b.ts', 'src/c.ts'],
    ['src/d.ts', 'src/e.ts'],
  ])
})

it('finds a circle of folders whose files make none', () => {
  const files = {
    'src/left/deep/a.ts': "import type { B } from '../../right/b.ts'",
    'src/right/c.ts': "import { d } from '../left/d.ts'",
  }
  expect(filesInCircle(files)).toEqual([])
  expect(roomsInCircle(files)).toEqual([
    'src/left → src/right → src/left\n' +
      '  src/left/deep/a.ts:1 imports src/right/b.ts\n' +
      '  src/right/c.ts:1 imports src/left/d.ts',
  ])
})

it('finds a circle between a folder and a file beside it', () => {
  const files = {
    'src/room/a.ts': "import { b } from './deep/b.ts'",
    'src/room/deep/c.ts': "import { a } from '../a.ts'",
  }
  expect(filesInCircle(files)).toEqual([])
  expect(roomsInCircle(files)).toHaveLength(1)
})

it('finds no circle in rooms that import one another one way', () => {
  const files = {
    'src/left/a.ts': "import { b } from '../right/b.ts'\nimport { c } from './c.ts'",
    'src/right/b.ts': "import { d } from './deep/d.ts'",
  }
  expect(roomsInCircle(files)).toEqual([])
})

it('shows the first four of many imports that lead from one member to the next', () => {
  const five = Array.from({ length: 5 }, (_, index) => `import './deep/${index}.ts'`)
  const [circle] = roomsInCircle({
    'src/a.ts': five.join('\n'),
    'src/deep/0.ts': "import '../a.ts'",
  })
  expect(circle?.split('\n').slice(4, 7)).toEqual([
    '  src/a.ts:4 imports src/deep/3.ts',
    '  and 1 more',
    '  src/deep/0.ts:1 imports src/a.ts',
  ])
})
