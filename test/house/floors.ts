import type { Import } from './imports.ts'

interface Floor {
  /** Entries of `src/`. */
  readonly rooms: readonly string[]
  /** The other entries of `src/` that it may import. */
  readonly below: readonly string[]
  /** The packages that it may import; one that ends in a colon stands for all of that scheme. */
  readonly packages: readonly string[]
  /** Its folders do not import one another. */
  readonly apart?: true
}

/** What each floor of `src/` may import; anything else is forbidden. */
export const FLOORS: readonly Floor[] = [
  { rooms: ['domain'], below: [], packages: ['zod'] },
  { rooms: ['ports.ts'], below: ['domain'], packages: [] },
  { rooms: ['contract'], below: ['domain'], packages: ['zod'] },
  { rooms: ['operations'], below: ['domain', 'ports.ts', 'contract'], packages: [] },
  {
    rooms: ['adapters'],
    below: ['domain', 'ports.ts'],
    packages: ['@secretlint', 'cloudflare:', 'gpt-tokenizer', 'jose', 'zod'],
    apart: true,
  },
  {
    rooms: ['http', 'mcp'],
    below: ['operations', 'contract', 'ports.ts', 'domain'],
    packages: ['@modelcontextprotocol/server', 'hono', 'zod'],
  },
  { rooms: ['client'], below: ['contract', 'domain'], packages: ['zod'] },
  {
    rooms: ['cli'],
    below: ['client', 'contract', 'domain'],
    packages: ['commander', 'gpt-tokenizer', 'jose', 'node:', 'zod', 'zod-openapi'],
  },
  {
    rooms: ['index.ts'],
    below: ['http', 'mcp', 'adapters', 'operations', 'contract', 'ports.ts', 'domain'],
    packages: ['cloudflare:'],
  },
]

/** The rooms of a folder in their order: none imports from a row below its own. */
export const ORDERS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'src/domain': [
    ['json', 'tokens', 'secrets', 'memex', 'log', 'access'],
    ['mission'],
    ['transcript'],
    ['meter', 'context'],
    ['masking', 'memory', 'fold', 'hooks'],
    ['ledger'],
  ],
  'src/domain/fold': [
    ['markdown'],
    ['sentences'],
    ['documents'],
    ['checks'],
    ['judge'],
    ['lifecycle'],
  ],
}

export const breaksFloor = ({ from, to }: Import): boolean => {
  const floor = FLOORS.find(({ rooms }) => rooms.includes(roomOf('src', from)))
  if (floor === undefined) return true
  if (!to.startsWith('src/')) return !floor.packages.some((allowed) => isOf(allowed, to))
  const room = roomOf('src', to)
  if (!floor.rooms.includes(room)) return !floor.below.includes(room)
  return floor.apart === true && betweenFolders(`src/${room}`, from, to)
}

export const breaksOrder = ({ from, to }: Import): boolean =>
  Object.entries(ORDERS).some(
    ([folder, rows]) =>
      from.startsWith(`${folder}/`) &&
      to.startsWith(`${folder}/`) &&
      !(rowOf(rows, roomOf(folder, to)) <= rowOf(rows, roomOf(folder, from))),
  )

/** The entry of a folder that a path goes through. */
const roomOf = (folder: string, path: string): string =>
  path.slice(folder.length + 1).split('/')[0]!

const isOf = (allowed: string, to: string): boolean =>
  allowed.endsWith(':') ? to.startsWith(allowed) : to === allowed || to.startsWith(`${allowed}/`)

function betweenFolders(folder: string, from: string, to: string): boolean {
  const [left, right] = [roomOf(folder, from), roomOf(folder, to)]
  return left !== right && !right.endsWith('.ts')
}

/** A folder's own files stand in its first row; a room without a row stands nowhere. */
const rowOf = (rows: readonly (readonly string[])[], room: string): number => {
  if (room.endsWith('.ts')) return 0
  const row = rows.findIndex((rooms) => rooms.includes(room))
  return row === -1 ? Number.NaN : row
}
