import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { findElectron } from './support/find-electron.ts'
import { findOnPath } from './support/find-on-path.ts'
import { lintChecks } from './support/lint-checks.ts'
import { needsVirtualDisplay } from './support/needs-virtual-display.ts'
import { reporterCounts } from './support/reporter-counts.ts'
import { runChecks } from './support/run-checks.ts'
import type { Counts } from './support/run-checks.ts'
import { runCommand } from './support/run-command.ts'

/**
 * `npm test`: every stage in order, whatever the ones before it said, then a table and one line
 * with the sums the test runners reported. `npm test -- lint unit` runs the named stages only.
 */

const root = path.resolve(import.meta.dirname, '..')
const reports = await mkdtemp(path.join(tmpdir(), 'holdfast-test-'))

async function unit(): Promise<Counts> {
  const report = path.join(reports, 'vitest.json')
  const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const { code } = await runCommand('vitest', args, { deadlineSeconds: 1500 })
  return reporterCounts('vitest', report, code)
}

async function e2e(project: 'browser' | 'electron'): Promise<Counts> {
  const report = path.join(reports, `${project}.json`)
  const playwright = ['playwright', 'test', `--project=${project}`, '--reporter=list,json']
  const [command = '', ...args] = project === 'electron' && needsVirtualDisplay() ? ['xvfb-run', '-a', ...playwright] : playwright
  const { code } = await runCommand(command, args, { env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report }, deadlineSeconds: 2400 })
  return reporterCounts('playwright', report, code)
}

async function e2eElectron(): Promise<Counts> {
  const electron = await findElectron()
  if (!electron.found) {
    const listed = spawnSync(
      process.execPath,
      [path.join(root, 'node_modules/@playwright/test/cli.js'), 'test', '--list', '--project=electron'],
      {
        cwd: root,
        encoding: 'utf8',
      },
    )
    const skipped = Number(/^Total: (\d+) test/m.exec(listed.stdout)?.[1] ?? 1)
    const bar = '!'.repeat(80)
    console.log(
      `${bar}\n!! SKIPPED: ${skipped} end-to-end tests on Electron.\n!! There is none, because ${electron.why}.\n!! Set ELECTRON_OVERRIDE_DIST_PATH to run them.\n${bar}`,
    )
    return { passed: 0, failed: 0, skipped, flaky: 0 }
  }
  if (needsVirtualDisplay() && findOnPath('xvfb-run') === null) {
    console.log('There is an Electron but no display: install xvfb (its xvfb-run) or start the tests in a desktop session.')
    return { passed: 0, failed: 1, skipped: 0, flaky: 0 }
  }
  return e2e('electron')
}

const check = (name: string, command: string, args: string[]) => ({ name, command, args, deadlineSeconds: 900 })

const stages: [name: string, run: () => Promise<Counts>][] = [
  ['lint', () => runChecks(lintChecks)],
  [
    'types',
    () =>
      runChecks([
        check('typescript', 'tsc', ['--noEmit', '-p', 'tsconfig.json']),
        check('svelte-check', 'svelte-check', ['--tsconfig', 'tsconfig.json', '--fail-on-warnings']),
      ]),
  ],
  ['unit', unit],
  ['build', () => runChecks([check('electron-vite', 'electron-vite', ['build'])])],
  ['e2e-browser', () => e2e('browser')],
  ['e2e-electron', e2eElectron],
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

const rows: { stage: string; counts: Counts; seconds: number }[] = []
for (const [stage, run] of stages) {
  if (interrupted || (wanted.length > 0 && !wanted.includes(stage))) continue
  console.log(`\n==== ${stage}`)
  const start = performance.now()
  const counts = await run()
  rows.push({ stage, counts, seconds: (performance.now() - start) / 1000 })
}
await rm(reports, { recursive: true, force: true })

const sum = (key: keyof Counts) => rows.reduce((total, row) => total + row.counts[key], 0)
const line = (cells: readonly (string | number)[]) =>
  cells.map((cell, at) => (at === 0 ? `${cell}`.padEnd(14) : `${cell}`.padStart(9))).join('')
const seconds = rows.reduce((total, row) => total + row.seconds, 0)

console.log(`\n${line(['stage', 'passed', 'failed', 'skipped', 'flaky', 'seconds'])}`)
for (const { stage, counts, seconds: took } of rows)
  console.log(line([stage, counts.passed, counts.failed, counts.skipped, counts.flaky, took.toFixed(1)]))
console.log(line(['all', sum('passed'), sum('failed'), sum('skipped'), sum('flaky'), seconds.toFixed(1)]))
if (interrupted) console.log('\nInterrupted: the stages that are not in the table did not run.')
const skippedWord = sum('skipped') > 0 ? `, ${sum('skipped')} skipped` : ''
if (sum('flaky') > 0)
  console.log(`\nFLAKY: ${sum('flaky')} of the passed failed first and passed when tried again. Their names stand above: mend them.`)
console.log(`\n${sum('passed')} passed, ${sum('failed')} failed${skippedWord}`)
process.exitCode = sum('failed') > 0 || interrupted ? 1 : 0
