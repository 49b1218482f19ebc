import { mkdir, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { runCommand } from './support/run-command.ts'

/**
 * `npm run test:long -- [--histories N] [--kills N] [--mutations N] [--minutes N] [--only STAGE,STAGE]`: what takes hours, stage by stage, then one table. Without
 * flags: 20,000 histories of sync, every seed that ever broke a promise, 200 kills, every deliberate bug, an hour of attacks, 20 games on a full disk, 20 runs of two people at their screens, and every end-to-end test and picture on both shells. What a stage printed is in test-results/long.
 */

const { values } = parseArgs({
  options: {
    histories: { type: 'string', default: '20000' },
    kills: { type: 'string', default: '200' },
    mutations: { type: 'string', default: '999' },
    minutes: { type: 'string', default: '60' },
    only: { type: 'string', default: 'histories,pinned,kills,mutations,attacks,disk,screens,specs' },
  },
})
const [histories, kills, mutations, minutes] = [values.histories, values.kills, values.mutations, values.minutes].map((text) => {
  const number = Number(text)
  if (Number.isInteger(number) && number > 0) return number
  console.error(`"${text}" is no number of histories, kills, mutations or minutes: give a whole one above 0.`)
  process.exit(2)
}) as [number, number, number, number]

interface Stage {
  name: string
  /** Commands of Node that run beside each other. */
  commands: string[][]
  /** The line of a command's output that says what it did. */
  figures: RegExp
  env?: Record<string, string>
}

/** One part of the seeds for each core. */
const parts = Math.min(availableParallelism(), histories)
const seeds = Array.from({ length: parts }, (_, at) => ({
  first: 1 + Math.floor((histories * at) / parts),
  next: 1 + Math.floor((histories * (at + 1)) / parts),
}))

const all: Stage[] = [
  {
    name: 'histories',
    commands: seeds.map(({ first, next }) => ['test/fuzz/main.ts', '--seed', `${first}`, '--runs', `${next - first}`]),
    figures: /^\d+ runs from seed .*$/m,
  },
  {
    name: 'pinned',
    commands: [['node_modules/vitest/vitest.mjs', 'run', 'test/fuzz/pinned-seeds.test.ts']],
    figures: /Tests .*\d+ passed.*$/m,
    env: { HOLDFAST_UNIT: 'all' },
  },
  { name: 'kills', commands: [['test/crash/main.ts', `${kills}`]], figures: /^\d+ kills; .*$/m },
  {
    name: 'mutations',
    commands: [['test/fuzz/mutations.ts', '--last', `${mutations - 1}`]],
    figures: /^\d+ of \d+ deliberate bugs caught$/m,
  },
  {
    name: 'attacks',
    commands: [['test/soak/main.ts', '--minutes', `${minutes}`]],
    figures: /^\d+ attacks in .*$/m,
  },
  { name: 'disk', commands: [['test/disk/main.ts', '--games', '20']], figures: /^\d+ games on .*$/m },
  { name: 'screens', commands: [['test/screens/main.ts', '--runs', '20', '--steps', '120']], figures: /^\d+ runs of .*$/m },
  {
    name: 'specs',
    commands: [['test/run.ts', 'build', 'e2e']],
    figures: /^\d+ passed, \d+ failed.*$/m,
    // Both shells run every spec, and take every picture.
    env: { HOLDFAST_E2E: 'all' },
  },
]
const only = values.only.split(',')
const unknown = only.filter((name) => !all.some((stage) => stage.name === name))
if (unknown.length > 0) {
  console.error(`There is no stage ${unknown.join(', ')}. Stages: ${all.map(({ name }) => name).join(', ')}.`)
  process.exit(2)
}

const folder = path.resolve(import.meta.dirname, '../test-results/long')
await mkdir(folder, { recursive: true })
const deadlineSeconds = 8 * 3600

const rows: { name: string; passed: boolean; figures: string[]; seconds: number }[] = []
for (const { name, commands, figures, env = {} } of all.filter((stage) => only.includes(stage.name))) {
  console.log(`${name} ...`)
  const outcomes = await Promise.all(commands.map((args) => runCommand('node', args, { deadlineSeconds, isHeld: true, env })))
  const outputs = outcomes.map(({ output }) => output)
  await writeFile(path.join(folder, `${name}.log`), outputs.join('\n'))
  const said = outputs.map((output) => figures.exec(output)?.[0])
  // A command that did not come to its figures did not do its work, whatever its exit code.
  const passed = outcomes.every(({ code }) => code === 0) && said.every((line) => line !== undefined)
  if (!passed) console.log(outputs.join('\n').trimEnd().split('\n').slice(-60).join('\n'))
  const seconds = Math.max(...outcomes.map((outcome) => outcome.seconds))
  rows.push({ name, passed, figures: said.map((line) => line ?? 'ended early: see its output above'), seconds })
}

console.log(`\n${'stage'.padEnd(11)}${'result'.padEnd(8)}${'seconds'.padStart(8)}  figures`)
for (const { name, passed, figures, seconds } of rows)
  console.log(
    `${name.padEnd(11)}${(passed ? 'passed' : 'FAILED').padEnd(8)}${seconds.toFixed(0).padStart(8)}  ${figures.join(`\n${' '.repeat(29)}`)}`,
  )
const failed = rows.filter(({ passed }) => !passed).length
console.log(`\n${rows.length - failed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0
