import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import vocabulary from 'gpt-tokenizer/bpeRanks/o200k_base'
import { clearMergeCache, countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { createO200kCounter } from '../../src/domain/tokens/o200k.ts'
import { type Bench, milliseconds, type Row, speedup } from './paired.ts'

const own = createO200kCounter(vocabulary)
const peer = (text: string): number => {
  // Tool output is new text: a peer that met every piece before would be flattered.
  clearMergeCache()
  return countTokens(text, { disallowedSpecial: new Set() })
}

const root = join(import.meta.dirname, '../..')
const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .sort()
  .map((path) => readFileSync(join(root, 'src', path), 'utf8'))

const hanzi = '的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工'
const texts: Readonly<Record<string, string>> = {
  'TypeScript of this project': sources.join('\n'),
  'package-lock.json': readFileSync(join(root, 'package-lock.json'), 'utf8'),
  // A linear congruential generator: different pieces all along, the same on every run.
  'Chinese, random': scatter(hanzi, 60_000, '，'),
}

// DESIGN section 12; performance.md G1 and G2.
export const counting: Bench = {
  title: 'Counting o200k tokens, against gpt-tokenizer',
  async run() {
    const rows: Row[] = Object.entries(texts).map(([name, text]) => ({
      name: `${name}: times faster`,
      ratio: speedup(
        () => own(text),
        () => peer(text),
      ),
      goal: 2,
    }))
    for (const [name, unit] of Object.entries({ a: 'a', spaces: ' ', 'joined emoji': '👩‍👩‍👧' })) {
      const text = unit.repeat(Math.floor(16_384 / unit.length))
      const ratio = speedup(
        () => own(text),
        () => peer(text),
        3,
      )
      rows.push({ name: `one run of 16 KB of ${name}: times faster`, ratio, goal: 10 })
      const small = milliseconds(() => own(unit.repeat(65_536 / unit.length)))
      const large = milliseconds(() => own(unit.repeat(262_144 / unit.length)))
      rows.push({
        name: `four times the ${name}, 64 to 256 KB: within six times the work`,
        ratio: (6 * small) / large,
        goal: 1,
      })
    }
    return rows
  },
}

function scatter(characters: string, length: number, comma: string): string {
  let state = 1
  let text = ''
  for (let index = 0; index < length; index++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    text += characters.charAt((state >>> 8) % characters.length)
    if ((state >>> 20) % 8 === 0) text += comma
  }
  return text
}
