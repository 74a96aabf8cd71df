import { expect, it } from 'vitest'
import { overfullFolders } from './folder-size.ts'

const files = (folder: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${folder}/${index}.ts`)

it('takes twelve files in a folder, without those of its folders', () => {
  expect(overfullFolders([...files('src/room', 12), ...files('src/room/deep', 12)])).toEqual([])
})

it('names a folder of thirteen files', () => {
  expect(overfullFolders([...files('src/room', 13), ...files('src/other', 3)])).toEqual([
    'src/room holds 13 files, more than 12',
  ])
})
