import { mkdtemp, mkdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { chromium, type Browser } from '@playwright/test'
import { Stage } from '../e2e/drivers/stage.ts'
import { findBrowser } from '../support/find-browser.ts'
import { playPeople } from './play-people.ts'

/**
 * `npm run screens -- --seed N --runs N --steps N`: two people at their screens, on one real service. Each works in a real page by keys and
 * clicks drawn from the seed, and steps of one come between those of the other. What was on a screen when a key was pressed was seen; the
 * run fails where a request takes a value from the service that its sender has not seen, where a value that somebody saved reaches
 * nobody, where the two do not come to agree, or where a page throws. A seed draws the same steps, but two programs
 * that run side by side never meet in the same way twice.
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
const { executable, env } = await findBrowser()
const inherited = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined)
const browser: Browser = await chromium.launch({
  ...(executable === null ? { channel: 'chrome' } : { executablePath: executable }),
  env: { ...Object.fromEntries(inherited), ...env },
})
const stage = new Stage()
let failed = 0
for (let seed = first; seed < first + runs; seed++) {
  const folder = await mkdtemp(path.join(tmpdir(), 'holdfast-screens-'))
  await mkdir(folder, { recursive: true })
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
