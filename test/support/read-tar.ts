/** The files of a ustar archive by their paths, for runtimes without a tar of their own. */
export function readTar(archive: Uint8Array): ReadonlyMap<string, Uint8Array> {
  const files = new Map<string, Uint8Array>()
  const field = (at: number, length: number): string =>
    new TextDecoder().decode(archive.subarray(at, at + length)).split('\u0000')[0] ?? ''
  for (let at = 0; archive[at] !== 0;) {
    if (field(at + 257, 6) !== 'ustar') throw new Error(`no header at byte ${at}`)
    const prefix = field(at + 345, 155)
    const path = prefix === '' ? field(at, 100) : `${prefix}/${field(at, 100)}`
    const size = parseInt(field(at + 124, 12), 8)
    files.set(path, archive.slice(at + 512, at + 512 + size))
    at += 512 + Math.ceil(size / 512) * 512
  }
  return files
}
