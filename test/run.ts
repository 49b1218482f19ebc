import { spawnSync } from 'node:child_process'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { electronProblem } from './support/electron-problem.ts'
import { knownFlaky } from './support/known-flaky.ts'
import { componentTypes, lintChecks } from './support/lint-checks.ts'
import { readReport } from './support/read-report.ts'
import type { Report } from './support/read-report.ts'
import { runChecks } from './support/run-checks.ts'
import type { Check } from './support/run-checks.ts'
import { runCommand } from './support/run-command.ts'
import { makeScratchFolder } from './support/scratch-folder.ts'

/**
 * `npm test`: every stage, whatever the ones before it said, then the slowest, a table and one line
 * with the sums that the test runners reported. `npm test -- unit` runs the named stages only.
 */

const root = path.resolve(import.meta.dirname, '..')
const known = knownFlaky()
const check = (name: string, command: string, ...args: string[]): Check => ({ name, command, args, deadlineSeconds: 900 })
const build = check('build', 'electron-vite', 'build')
const counted = (counts: Report['counts']): Report => ({ counts, took: [], flaky: [] })

async function unit(): Promise<Report> {
  const report = path.join(scratch, 'vitest.json')
  const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const { code } = await runCommand('vitest', args, { env, deadlineSeconds: 5400 })
  return readReport('vitest', report, code, known)
}

/** Both shells in one run, so that no core is idle at the end of the first. */
async function e2e(): Promise<Report> {
  const report = path.join(scratch, 'playwright.json')
  const problem = await electronInstalled
  const projects = problem === null ? ['--project=browser', '--project=electron'] : ['--project=browser']
  const { code } = await runCommand('playwright', ['test', ...projects, '--reporter=list,json'], {
    // Beside the other caches: what Playwright made of a spec it would else make anew in each run's own folder.
    env: { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: report, PWTEST_CACHE_DIR: path.join(root, 'node_modules/.cache/playwright') },
    deadlineSeconds: 5400,
  })
  const read = await readReport('playwright', report, code, known)
  if (problem === null) return read
  const skipped = countElectronTests()
  const bar = '!'.repeat(80)
  console.log(`${bar}\n!! SKIPPED: ${skipped} end-to-end tests on Electron, because ${problem}.\n${bar}`)
  return { ...read, counts: { ...read.counts, skipped: read.counts.skipped + skipped } }
}

function countElectronTests(): number {
  const cli = path.join(root, 'node_modules/@playwright/test/cli.js')
  const { stdout } = spawnSync(process.execPath, [cli, 'test', '--list', '--project=electron'], { cwd: root, encoding: 'utf8' })
  return Number(/^Total: (\d+) test/m.exec(stdout)?.[1] ?? 1)
}

const stages: [name: string, run: () => Promise<Report>][] = [
  // First: tests of the host serve the page, and would build it themselves.
  ['build', async () => counted(await runChecks([build]))],
  ['checks', async () => counted(await runChecks([componentTypes, ...lintChecks]))],
  ['unit', unit],
  ['e2e', e2e],
]

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !stages.some(([stage]) => stage === name))
if (unknown.length > 0) {
  console.error(`There is no stage ${unknown.join(', ')}. Stages: ${stages.map(([stage]) => stage).join(', ')}.`)
  process.exit(2)
}

let interrupted = false
process.once('SIGINT', () => (interrupted = true))
process.once('SIGTERM', () => (interrupted = true))
process.chdir(root)
const scratch = await makeScratchFolder()
/** Where the tests make their folders, too: what a test that was killed leaves there goes at the end. */
const env = { TMPDIR: scratch, TEMP: scratch, TMP: scratch }
const runs = (stage: string) => wanted.length === 0 || wanted.includes(stage)
// Its download, where it has to be downloaded, goes on beside the other stages.
const electronInstalled = runs('e2e') ? electronProblem() : Promise.resolve(null)

const rows: (Report & { stage: string; seconds: number })[] = []
for (const [stage, run] of stages) {
  if (interrupted || !runs(stage)) continue
  console.log(`\n==== ${stage}`)
  const start = performance.now()
  const report = await run()
  rows.push({ ...report, stage, seconds: (performance.now() - start) / 1000 })
}
await rm(scratch, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })

for (const { stage, took } of rows) {
  if (took.length === 0) continue
  console.log(`\nSlowest of ${stage}:`)
  for (const { name, seconds } of took.toSorted((a, b) => b.seconds - a.seconds).slice(0, 10))
    console.log(`${seconds.toFixed(1).padStart(8)} s  ${name}`)
}

const sum = (key: keyof Report['counts']) => rows.reduce((total, row) => total + row.counts[key], 0)
const line = (cells: readonly (string | number)[]) =>
  cells.map((cell, at) => (at === 0 ? `${cell}`.padEnd(14) : `${cell}`.padStart(9))).join('')
const all = rows.reduce((total, row) => total + row.seconds, 0)

console.log(`\n${line(['stage', 'passed', 'failed', 'skipped', 'seconds'])}`)
for (const { stage, counts, seconds } of rows) console.log(line([stage, counts.passed, counts.failed, counts.skipped, seconds.toFixed(1)]))
console.log(line(['all', sum('passed'), sum('failed'), sum('skipped'), all.toFixed(1)]))
for (const name of rows.flatMap(({ flaky }) => flaky)) {
  const isKnown = known.some(({ test }) => test === name)
  console.log(`\nFLAKY${isKnown ? ', listed' : ', counted as failed'}: ${name} failed first and passed when tried again.`)
}
if (interrupted) console.log('\nInterrupted: the stages that are not in the table did not run.')
const skippedWord = sum('skipped') > 0 ? `, ${sum('skipped')} skipped` : ''
console.log(`\n${sum('passed')} passed, ${sum('failed')} failed${skippedWord}`)
process.exitCode = sum('failed') > 0 || interrupted ? 1 : 0
