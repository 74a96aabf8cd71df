import { expect, it } from 'vitest'
import { circlesOf, fileArrows, roomArrows, showCircle, showImport } from './circles.ts'
import { breaksFloor, breaksOrder } from './floors.ts'
import { overfullFolders } from './folder-size.ts'
import { importsOf, readSources } from './imports.ts'

const sources = readSources('src')
const imports = importsOf(sources)

it('reads the files and their imports', () => {
  expect(sources.has('src/index.ts')).toBe(true)
  expect(imports.length).toBeGreaterThan(sources.size)
})

it('has no circle of files', () => {
  expect(circlesOf(fileArrows(imports)).map(showCircle)).toEqual([])
})

it('has no circle of folders', () => {
  expect(circlesOf(roomArrows(imports)).map(showCircle)).toEqual([])
})

it('imports on each floor only what the floor may import', () => {
  expect(imports.filter(breaksFloor).map(showImport)).toEqual([])
})

it('imports within domain only from the same row of the order or from rows before it', () => {
  expect(imports.filter(breaksOrder).map(showImport)).toEqual([])
})

it('holds at most twelve files in a folder', () => {
  expect(overfullFolders(sources.keys())).toEqual([])
})
