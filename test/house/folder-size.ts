const MAX_FILES = 12

/** TEMPORARY: folders that are still to be sorted into folders of their own. Delete when empty. */
const UNSORTED = ['src/domain/context', 'src/domain/masking', 'src/domain/memory']

/** Folders that hold more files than a reader takes in at once. */
export const overfullFolders = (paths: Iterable<string>): readonly string[] =>
  [...Map.groupBy(paths, folderOf)]
    .filter(([folder, files]) => files.length > MAX_FILES && !UNSORTED.includes(folder))
    .map(([folder, files]) => `${folder} holds ${files.length} files, more than ${MAX_FILES}`)

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/'))
