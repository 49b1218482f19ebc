import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'

/**
 * `node test/fuzz/mutations.ts [--runs N] [--only TEXT]`: proves that the histories can fail. Each deliberate bug is put into a copy of
 * the sources, and seeds are played on it until one shows it; then the named tests of sync are run. A bug that neither shows is a
 * promise that nothing checks.
 */

interface Mutation {
  bug: string
  file: string
  from: string
  to: string
}

const effects = 'electron/sync/effects'

const mutations: readonly Mutation[] = [
  {
    bug: 'a write goes out without a look first',
    file: `${effects}/push-change.ts`,
    from: 'if (!lookFirst) return send',
    to: "if (!lookFirst || started.change.id !== '') return send",
  },
  {
    bug: 'values are compared by their ciphertexts',
    file: 'electron/sync/fields.ts',
    from: 'return a.sealed === b.sealed || (a.tag !== null && a.tag === b.tag && a.keyId === b.keyId)',
    to: 'return a.sealed === b.sealed',
  },
  {
    bug: 'an answer settles all changes of the row, not the one sent',
    file: `${effects}/apply-theirs.ts`,
    from: '  dropChange(tx, change.id)\n  if (answer === null) {',
    to: '  for (const own of changesOfRow(tx, change.rowId)) dropChange(tx, own.id)\n  if (answer === null) {',
  },
  {
    bug: 'the cursor is stored before its page, in another transaction',
    file: `${effects}/pull-feed.ts`,
    from: 'const changed = deps.mirror.write((tx) => {',
    to: "deps.mirror.write((tx) => setMeta(tx, 'feed-cursor', nextCursor))\n    const changed = deps.mirror.write((tx) => {",
  },
  {
    bug: 'what a crash left unknown is taken for done',
    file: `${effects}/push-change.ts`,
    from: 'export async function recoverChange(deps: EngineDeps, change: Change): Promise<Pushed> {',
    to: "export async function recoverChange(deps: EngineDeps, change: Change): Promise<Pushed> {\n  if (change.kind === 'update') return acted(deps, { ...change, kind: 'delete' }, null)",
  },
  {
    bug: 'If-Match is not sent',
    file: `${effects}/send-change.ts`,
    from: '{ ifMatch: base?.etag ?? undefined, idempotencyKey',
    to: '{ ifMatch: undefined, idempotencyKey',
  },
  {
    bug: 'a lost answer counts as not sent, and the change goes out under a new Idempotency-Key',
    file: `${effects}/send-change.ts`,
    from: 'idempotencyKey: change.id }',
    to: 'idempotencyKey: `${change.id}-${change.attempts}` }',
  },
  {
    bug: 'a change the server refuses is dropped',
    file: `${effects}/push-change.ts`,
    from: "else park(deps, change, 'failed', error.message)",
    to: 'else acted(deps, change, null)',
  },
  {
    bug: 'in a conflict mine is sent, and nobody asked',
    file: 'electron/sync/rebase.ts',
    from: "if (conflicts.length > 0) return { do: 'conflict'",
    to: "if (conflicts.length > 9) return { do: 'conflict'",
  },
  {
    bug: 'in a conflict theirs is taken, and nobody asked',
    file: 'electron/sync/rebase.ts',
    from: "if (conflicts.length > 0) return { do: 'conflict', conflict: { kind: 'fields', theirs: fields, by } }",
    to: "if (conflicts.length > 0) return { do: 'settle' }",
  },
  {
    bug: 'a row that is gone there takes the edits with it',
    file: `${effects}/apply-theirs.ts`,
    from: 'const edited = changes.length > 0 || hasEditsBelow(tx, row)',
    to: 'const edited = hasEditsBelow(tx, row)',
  },
  {
    bug: 'what a list does not show is gone, without a read of its own',
    file: `${effects}/confirm-gone.ts`,
    from: 'if (looked.value === null) missing.push(row)',
    to: 'applyGoneUnseen(deps, row)',
  },
  {
    bug: 'an edit is merged into a change that was attempted',
    file: 'electron/sync/coalesce.ts',
    from: '!isAttempted(last)) && !crossed',
    to: "last.state !== 'sending') && !crossed",
  },
  {
    bug: 'a delete of a row whose creation was attempted is nothing',
    file: 'electron/sync/coalesce.ts',
    from: "const mayMerge = last.kind !== 'delete' && (isParked(last) ? !mayHaveActed(last) : !isAttempted(last)) && !crossed",
    to: "const mayMerge = last.kind !== 'delete' && !crossed",
  },
  {
    bug: 'a change does not wait for its parent to be created',
    file: 'electron/sync/eligible.ts',
    from: 'const held = isMoved || change.ancestors.some((id) => creating.has(id)) || waiting.holds(change)',
    to: 'const held = isMoved || waiting.holds(change)',
  },
  {
    bug: 'a pull writes over a row whose request is under way',
    file: `${effects}/apply-theirs.ts`,
    from: "changes.some((change) => change.state === 'sending')",
    to: "changes.some((change) => change.state === 'sending' && change.seq < 0)",
  },
  {
    bug: 'the screen is not brought up to date after an answer',
    file: `${effects}/apply-theirs.ts`,
    from: 'rebaseRow(tx, changesOfRow(tx, change.rowId), { fields, by: answer.updatedBy })\n  refreshRow(tx, change.rowId)',
    to: 'rebaseRow(tx, changesOfRow(tx, change.rowId), { fields, by: answer.updatedBy })',
  },
  {
    bug: 'a tag holds what it is the tag of',
    file: 'electron/cipher/workspace-cipher.ts',
    from: 'tag: equalityTag(tagKey, text), keyId: id })',
    to: 'tag: text, keyId: id })',
  },
  {
    bug: 'what is not found under an old slug is gone',
    file: `${effects}/find-record.ts`,
    from: 'const above = await checkAbove(deps, change.ancestors)',
    to: "const above = ok<'there' | 'moved' | BaseRow>('there')",
  },
  {
    bug: 'a delete asks nobody whether the record was changed since',
    file: 'electron/sync/rebase.ts',
    from: "if (moved) return { do: 'conflict'",
    to: "if (moved && change.seq < 0) return { do: 'conflict'",
  },
]

const { values } = parseArgs({ options: { runs: { type: 'string', default: '300' }, only: { type: 'string', default: '' } } })
const root = path.resolve(import.meta.dirname, '../..')
const rows: string[] = []
let missed = 0

for (const { bug, file, from, to } of mutations.filter(({ bug }) => bug.includes(values.only))) {
  const copy = mkdtempSync(path.join(tmpdir(), 'holdfast-mutation-'))
  for (const folder of ['electron', 'service', 'test/fuzz', 'test/support', 'test/sync']) {
    cpSync(path.join(root, folder), path.join(copy, folder), { recursive: true })
  }
  for (const name of ['package.json', 'vitest.config.ts', 'tsconfig.json']) cpSync(path.join(root, name), path.join(copy, name))
  symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'))
  const source = readFileSync(path.join(root, file), 'utf8')
  if (source.split(from).length !== 2) throw new Error(`"${bug}" does not fit ${file} any more: its text must be there once`)
  const helper = to.startsWith('applyGoneUnseen')
    ? '\nconst applyGoneUnseen = (deps: EngineDeps, row: BaseRow) => deps.mirror.write((tx) => applyGone(tx, row, null, applyContext(deps)))\n'
    : ''
  writeFileSync(path.join(copy, file), source.replace(from, () => to) + helper)
  const args = ['test/fuzz/main.ts', '--seed', '1', '--runs', values.runs, '--stop']
  const { stdout, stderr, signal } = spawnSync(process.execPath, args, {
    cwd: copy,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    timeout: 300_000,
  })
  const found = /^FAILED seed (\d+) .*?: (.*)$/m.exec(stdout)
  // A run that hangs shows it too: no seed takes minutes.
  const test = found !== null ? null : signal !== null ? 'the run never ends' : failingTest(copy)
  if (found === null && test === null) missed += 1
  const says =
    found === null ? (test ?? `NOT CAUGHT in ${values.runs} seeds ${stderr.slice(0, 200)}`) : `seed ${found[1]}: ${found[2]?.slice(0, 100)}`
  rows.push(`| ${bug} | ${says} |`)
  console.log(rows.at(-1))
  rmSync(copy, { recursive: true, force: true })
}

/** What the seeds let pass may still break a named test: the first that fails, or null. */
function failingTest(copy: string): string | null {
  const args = [path.join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--project', 'node', '--no-color', 'test/sync']
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: copy, encoding: 'utf8', maxBuffer: 1 << 28, timeout: 600_000 })
  const name = /FAIL .*?test\/sync\/(.*)$/m.exec(stdout + stderr)?.[1]
  return name === undefined ? null : `test: ${name}`
}

console.log(`${rows.length - missed} of ${rows.length} deliberate bugs caught`)
process.exitCode = missed > 0 ? 1 : 0
