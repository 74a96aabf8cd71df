import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../../..')
const FROM = join(ROOT, 'node_modules/rapidoc/dist')
const TO = join(ROOT, 'src/assets/vendor')

// The docs page brings its viewer along: no other host is asked for anything.
mkdirSync(TO, { recursive: true })
for (const name of ['rapidoc-min.js', 'rapidoc-min.js.LICENSE.txt'])
  copyFileSync(join(FROM, name), join(TO, name))
