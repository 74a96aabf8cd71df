import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CommandError, EXIT } from '../terminal/exit.ts'

/**
 * The folder that this program belongs to, where `wrangler.toml` and the Worker's source are. An
 * installed package has neither: there is no Worker to start in it.
 */
export function checkout(): string {
  for (const folder of upwards(dirname(fileURLToPath(import.meta.url))))
    if (existsSync(join(folder, 'wrangler.toml')) && existsSync(join(folder, 'src', 'index.ts')))
      return folder
  throw new CommandError(EXIT.usage, 'this starts a Worker, and that needs a checkout of Foldex')
}

/** A folder and all that hold it, the nearest first. */
export function* upwards(folder: string): Generator<string> {
  let here = folder
  for (;;) {
    yield here
    const above = dirname(here)
    if (above === here) return
    here = above
  }
}
