import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { mutations } from './mutation-table.ts'

/**
 * `node test/fuzz/mutations.ts [--runs N] [--only TEXT] [--first N --last N]`: proves that the histories can fail. Each deliberate bug is put into a copy of
 * the sources, and seeds are played on it until one shows it; then the named tests of sync are run. A bug that neither shows is a
 * promise that nothing checks.
 */

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '150' },
    first: { type: 'string', default: '0' },
    last: { type: 'string', default: '999' },
    only: { type: 'string', default: '' },
  },
})
const root = path.resolve(import.meta.dirname, '../..')
const rows: string[] = []
let missed = 0

for (const { bug, file, from } of mutations) {
  const there = readFileSync(path.join(root, file), 'utf8').split(from).length - 1
  if (there !== 1) throw new Error(`"${bug}" does not fit ${file} any more: its text must be there once, and is there ${there} times`)
}

for (const { bug, file, from, to } of mutations.slice(Number(values.first), Number(values.last) + 1)) {
  if (!bug.includes(values.only)) continue
  const copy = mkdtempSync(path.join(tmpdir(), 'holdfast-mutation-'))
  for (const folder of ['electron', 'service', 'test/fuzz', 'test/support', 'test/sync']) {
    cpSync(path.join(root, folder), path.join(copy, folder), { recursive: true })
  }
  for (const name of ['package.json', 'vitest.config.ts', 'tsconfig.json']) cpSync(path.join(root, name), path.join(copy, name))
  symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'))
  // It reads what is not in the copy, and says nothing about a bug.
  rmSync(path.join(copy, 'test/sync/proof.test.ts'))
  const source = readFileSync(path.join(root, file), 'utf8')
  const helper = to.startsWith('applyGoneUnseen')
    ? '\nconst applyGoneUnseen = (deps: EngineDeps, row: BaseRow) => deps.mirror.write((tx) => applyGone(tx, row, null, applyContext(deps)))\n'
    : ''
  writeFileSync(path.join(copy, file), source.replace(from, () => to) + helper)
  const args = ['test/fuzz/main.ts', '--seed', '1', '--runs', values.runs, '--stop']
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: copy,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    timeout: 1_200_000,
  })
  const found = /^FAILED seed (\d+) .*?: (.*)$/m.exec(stdout)
  // A run that was cut off proves nothing: the machine may be slow.
  const test = found !== null ? null : failingTest(copy)
  if (found === null && test === null) missed += 1
  const says =
    found === null ? (test ?? `NOT CAUGHT in ${values.runs} seeds ${stderr.slice(0, 200)}`) : `seed ${found[1]}: ${found[2]?.slice(0, 100)}`
  rows.push(`| ${bug} | ${says} |`)
  console.log(rows.at(-1))
  rmSync(copy, { recursive: true, force: true })
}

/** What the seeds let pass may still break a named test: the first that fails, or null. */
function failingTest(copy: string): string | null {
  const args = [path.join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--project', 'node', '--no-color', '--bail', '1', 'test/sync']
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: copy, encoding: 'utf8', maxBuffer: 1 << 28, timeout: 600_000 })
  const name = /FAIL .*?test\/sync\/(.*)$/m.exec(stdout + stderr)?.[1]
  return name === undefined ? null : `test: ${name}`
}

console.log(`${rows.length - missed} of ${rows.length} deliberate bugs caught`)
process.exitCode = missed > 0 ? 1 : 0
