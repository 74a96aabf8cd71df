const MAX_FILES = 12

/** Folders that hold more files than a reader takes in at once. */
export const overfullFolders = (paths: Iterable<string>): readonly string[] =>
  [...Map.groupBy(paths, folderOf)]
    .filter(([, files]) => files.length > MAX_FILES)
    .map(([folder, files]) => `${folder} holds ${files.length} files, more than ${MAX_FILES}`)

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/'))
