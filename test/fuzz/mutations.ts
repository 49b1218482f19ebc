import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { mutations } from './mutation-table.ts'

/**
 * `node test/fuzz/mutations.ts [--runs N] [--only TEXT] [--first N --last N] [--histories]`: proves that the histories can fail. Each deliberate bug is put into a copy of
 * the sources, and seeds are played on it until one shows it; then the named tests of sync are run. Of a bug that certain named tests show sooner,
 * these are run first. A bug that neither shows is a promise that nothing checks. `--histories`: no named tests, to learn what the histories show alone.
 */

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '150' },
    first: { type: 'string', default: '0' },
    last: { type: 'string', default: '999' },
    only: { type: 'string', default: '' },
    histories: { type: 'boolean', default: false },
  },
})
const root = path.resolve(import.meta.dirname, '../..')
const rows: string[] = []
let missed = 0

for (const { bug, file, from } of mutations) {
  const there = readFileSync(path.join(root, file), 'utf8').split(from).length - 1
  if (there !== 1) throw new Error(`"${bug}" does not fit ${file} any more: its text must be there once, and is there ${there} times`)
}

for (const { bug, file, from, to, test: shownBy, deck } of mutations.slice(Number(values.first), Number(values.last) + 1)) {
  if (!bug.includes(values.only)) continue
  const copy = mkdtempSync(path.join(tmpdir(), 'holdfast-mutation-'))
  for (const folder of ['electron', 'service', 'resources', 'test']) {
    cpSync(path.join(root, folder), path.join(copy, folder), { recursive: true })
  }
  for (const name of ['package.json', 'vitest.config.ts', 'tsconfig.json']) cpSync(path.join(root, name), path.join(copy, name))
  symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'))
  // It reads what is not in the copy, and says nothing about a bug.
  rmSync(path.join(copy, 'test/sync/proof.test.ts'))
  const source = readFileSync(path.join(root, file), 'utf8')
  writeFileSync(
    path.join(copy, file),
    source.replace(from, () => to),
  )
  const among = (tests: string): string | null => (values.histories ? null : failingTest(copy, tests))
  const shown = (shownBy === undefined ? null : among(shownBy)) ?? failingSeed(copy, deck) ?? among('test/sync')
  if (shown === null) missed += 1
  rows.push(`| ${bug} | ${shown ?? `NOT CAUGHT in ${values.runs} seeds`} |`)
  console.log(rows.at(-1))
  rmSync(copy, { recursive: true, force: true })
}

/** The first seed, of those that once broke a promise and then of all, that shows the bug by a broken promise; or null. A run that was cut off proves nothing: the machine may be slow. */
function failingSeed(copy: string, deck?: string): string | null {
  const which = deck === undefined ? ['--pinned', '--deck', 'all'] : ['--deck', deck]
  const args = ['test/fuzz/main.ts', ...which, '--seed', '1', '--runs', values.runs, '--stop']
  const { stdout } = spawnSync(process.execPath, args, { cwd: copy, encoding: 'utf8', maxBuffer: 1 << 28, timeout: 1_200_000 })
  const [, seed, problem] = /^FAILED seed (\d+) .*?: (.*)$/m.exec(stdout) ?? []
  return seed === undefined ? null : `seed ${seed}: ${problem?.slice(0, 100)}`
}

/**
 * What the seeds let pass may still break a named test: the first that fails, or null. `among`: a file, or all below a folder. One that took too
 * long proves nothing.
 */
function failingTest(copy: string, among: string): string | null {
  const patience = ['--testTimeout', '120000', '--hookTimeout', '120000']
  const vitest = path.join(root, 'node_modules/vitest/vitest.mjs')
  const args = [vitest, 'run', '--project', 'node', '--no-color', '--bail', '1', ...patience, among]
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: copy, encoding: 'utf8', maxBuffer: 1 << 28, timeout: 600_000 })
  // A file that cannot be loaded shows nothing: a failed test has its name behind that of its file.
  const said = stdout + stderr
  const isLate = /(?:Test|Hook) timed out/.test(said)
  const name = isLate ? undefined : /FAIL .*?test\/[a-z]+\/(.*? > .*)$/m.exec(said)?.[1]
  return name === undefined ? null : `test: ${name}`
}

console.log(`${rows.length - missed} of ${rows.length} deliberate bugs caught`)
process.exitCode = missed > 0 ? 1 : 0
