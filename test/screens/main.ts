import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { chromium } from '@playwright/test'
import { Stage } from '../e2e/drivers/stage.ts'
import { browserOptions } from '../support/find-browser.ts'
import { playPeople } from './play-people.ts'

/**
 * `npm run screens -- --seed N --runs N --steps N`: two people at their screens, on one real service. Each works in a real page by keys and
 * clicks drawn from the seed, and the steps of one come between those of the other. They have seen what was on their screen when they pressed a
 * key. A run fails if a request removes a value from the service that its sender had not seen, if a saved value never reaches the service, if
 * the two screens differ in the end, if a page throws, or if an act leaves the keyboard nowhere. A seed draws the same acts; their timing
 * differs from run to run.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    runs: { type: 'string', default: '1' },
    steps: { type: 'string', default: '60' },
    trace: { type: 'boolean', default: false },
    pictures: { type: 'string' },
  },
})
const [first, runs, steps] = [Number(values.seed), Number(values.runs), Number(values.steps)]
if (![first, runs, steps].every((each) => Number.isInteger(each) && each > 0)) {
  console.error('Usage: npm run screens -- --seed N --runs N --steps N [--trace], with whole numbers.')
  process.exit(2)
}

process.env['NODE_COMPILE_CACHE'] ??= path.resolve(import.meta.dirname, '../../node_modules/.cache/holdfast-compile')
const browser = await chromium.launch(await browserOptions())
const stage = new Stage()
let failed = 0
for (let seed = first; seed < first + runs; seed++) {
  const folder = await mkdtemp(path.join(tmpdir(), 'holdfast-screens-'))
  try {
    const { findings, trace } = await playPeople({ browser, stage, folder, seed, steps, pictures: values.pictures ?? null })
    if (findings.length > 0 || values.trace) console.log(trace.join('\n'))
    for (const finding of findings) console.log(`FAILED seed ${seed}: ${finding}`)
    if (findings.length > 0) failed += 1
    else console.log(`seed ${seed}: ${trace.length} lines, no finding`)
  } catch (thrown) {
    failed += 1
    console.log(`FAILED seed ${seed}: the run broke off: ${thrown instanceof Error ? thrown.stack : String(thrown)}`)
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
  }
}
await browser.close()
await stage.close()
console.log(`${runs} runs of ${steps} steps from seed ${first}: ${runs - failed} without a finding, ${failed} with one`)
process.exit(failed === 0 ? 0 : 1)
