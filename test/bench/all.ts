import { counting } from './counting.ts'
import { folding } from './folding.ts'
import type { Bench } from './paired.ts'

// A bench is no test: it runs by `npm run bench`, and fails where a ratio misses its goal.
const benches: readonly Bench[] = [counting, folding]

let missed = 0
for (const bench of benches) {
  console.log(bench.title)
  for (const { name, ratio, goal } of await bench.run()) {
    const held = ratio >= goal
    if (!held) missed += 1
    console.log(`  ${held ? ' ' : '!'} ${ratio.toFixed(2).padStart(8)}  goal ${goal}  ${name}`)
  }
}
process.exitCode = missed === 0 ? 0 : 1
