import { expect, onTestFinished, test } from 'vitest'
import type { Mirror } from '../../electron/mirror/mirror.ts'
import { openMirror } from '../../electron/mirror/open-mirror.ts'
import type { Tx } from '../../electron/mirror/tx.ts'
import { deleteVersion, getVersion, getVersionByRemote, rebindVersion, variablesOfVersion } from '../../electron/mirror/versions-layer.ts'
import { writeVersion } from '../../electron/mirror/write-metadata.ts'
import { keepVersion } from '../../electron/sync/engine/keep-version.ts'
import type { RemoteVersionRow } from '../../electron/sync/port.ts'
import { newMirror, tempFile } from '../mirror/temp-file.ts'

const sealed = (text: string) => ({ sealed: text, tag: null, keyId: 'key' })
const variables = (count: number, length = 10) =>
  Array.from({ length: count }, (_, index) => ({ name: `N${index}`, value: sealed(`v1:${index}`.padEnd(length, '=')) }))
const version = (of: RemoteVersionRow['variables']): RemoteVersionRow => ({
  remoteId: 'remote',
  environmentRemoteId: 'environment',
  label: 'v1',
  note: '',
  variableCount: of?.length ?? 0,
  createdAt: '2026-01-01T00:00:00Z',
  createdBy: null,
  variables: of,
})
const newId = () => 'local'
const stateOf = (mirror: Mirror, id = 'local') =>
  mirror.snapshot((tx) => ({ isMirrored: getVersion(tx, id)?.is_mirrored === 1, variables: variablesOfVersion(tx, id) }))
const inOrder = (list: ReturnType<typeof variables>) => list.toSorted((a, b) => (a.name < b.name ? -1 : 1))

/** The mirror, with `before` run before each of its transactions. Counts the rows that are written before everything else has its turn. */
function watched(mirror: Mirror, before: (transaction: number) => void = () => {}) {
  let inTurn = 0
  const seen = { transactions: 0, most: 0 }
  const watch = {
    ...mirror,
    write: <T>(work: (tx: Tx) => T): T => {
      before((seen.transactions += 1))
      return mirror.write((tx) => {
        const run: Tx['run'] = (query) => {
          if (inTurn === 0) setImmediate(() => (inTurn = 0))
          const result = tx.run(query)
          inTurn += result.changes
          seen.most = Math.max(seen.most, inTurn)
          return result
        }
        return work({ ...tx, run })
      })
    },
  }
  return { mirror: watch, seen }
}

test.each([
  ['20,000 small values', variables(20_000), 2010],
  ['20 values of 300 KB', variables(20, 300_000), 2],
])('a version of %s is written some at a time', async (_what, list, most) => {
  const mirror = newMirror()
  const { mirror: watch, seen } = watched(mirror)
  expect(await keepVersion({ mirror: watch, newId }, version(list))).toBe('local')
  expect(stateOf(mirror)).toEqual({ isMirrored: true, variables: inOrder(list) })
  expect(seen.most).toBeLessThanOrEqual(most)
})

test('a small version is written in one transaction', async () => {
  const mirror = newMirror()
  const { mirror: watch, seen } = watched(mirror)
  await keepVersion({ mirror: watch, newId }, version(variables(2000)))
  expect(stateOf(mirror)).toEqual({ isMirrored: true, variables: inOrder(variables(2000)) })
  expect(seen.transactions).toBe(1)
})

/** Some of 10,000 variables: where an end between two transactions would do harm. */
const list = inOrder(variables(10_000))

test('an end of the program between any two transactions leaves no part of a version, and nothing of what an earlier answer held', async () => {
  const counted = newMirror()
  const { mirror: counting, seen } = watched(counted)
  await keepVersion({ mirror: counting, newId }, version(list))
  expect(seen.transactions).toBeGreaterThan(6)

  for (let last = 1; last <= seen.transactions; last += 1) {
    const file = tempFile()
    const opened = openMirror(file)
    if (!opened.ok) throw new Error(opened.error.message)
    const { mirror: ending } = watched(opened.value, (transaction) => {
      if (transaction === last) throw new Error('the end')
    })
    await expect(keepVersion({ mirror: ending, newId }, version(list))).rejects.toThrow('the end')
    opened.value.close()
    const again = openMirror(file)
    if (!again.ok) throw new Error(again.error.message)
    onTestFinished(() => again.value.close())
    expect(stateOf(again.value)).toEqual({ isMirrored: false, variables: [] })
    const other = list.slice(5)
    await keepVersion({ mirror: again.value, newId }, version(other))
    expect(stateOf(again.value)).toEqual({ isMirrored: true, variables: other })
  }
})

test('a mirrored version stays whole while it is read once more', async () => {
  const mirror = newMirror()
  await keepVersion({ mirror, newId }, version(list))
  const states: unknown[] = []
  const { mirror: watch } = watched(mirror, () => states.push(stateOf(mirror)))
  expect(await keepVersion({ mirror: watch, newId }, version(list.slice(5)))).toBe('local')
  expect([...states, stateOf(mirror)]).toEqual([1, 2].map(() => ({ isMirrored: true, variables: list })))
})

test('a version that is deleted and shown again while it is written does not count as mirrored with a part', async () => {
  const mirror = newMirror()
  const { mirror: watch } = watched(mirror, (transaction) => {
    if (transaction === 4) mirror.write((tx) => deleteVersion(tx, 'local', 1))
    if (transaction === 4) mirror.write((tx) => writeVersion(tx, version(null), 'again', false))
  })
  expect(await keepVersion({ mirror: watch, newId }, version(list))).toBe('again')
  expect(stateOf(mirror, 'again')).toEqual({ isMirrored: false, variables: [] })
  await keepVersion({ mirror, newId }, version(list))
  expect(stateOf(mirror, 'again')).toEqual({ isMirrored: true, variables: list })
})

test('two readers of one version do not delete what the other writes', async () => {
  const mirror = newMirror()
  const parts: number[] = []
  const { mirror: watch } = watched(mirror, () => {
    const { isMirrored, variables: there } = stateOf(mirror)
    if (isMirrored && there.length !== list.length) parts.push(there.length)
  })
  const deps = { mirror: watch, newId }
  expect(await Promise.all([keepVersion(deps, version(list)), keepVersion(deps, version(list))])).toEqual(['local', 'local'])
  expect(parts).toEqual([])
  expect(stateOf(mirror)).toEqual({ isMirrored: true, variables: list })
})

test('a version that gets another local id meanwhile is written whole, and one that is deleted is not', async () => {
  const mirror = newMirror()
  const { mirror: moving } = watched(mirror, (transaction) => {
    if (transaction === 5) mirror.write((tx) => rebindVersion(tx, 'local', 'other'))
  })
  expect(await keepVersion({ mirror: moving, newId }, version(list))).toBe('other')
  expect(stateOf(mirror, 'other')).toEqual({ isMirrored: true, variables: list })

  const another = newMirror()
  const { mirror: deleting } = watched(another, (transaction) => {
    if (transaction === 5) another.write((tx) => deleteVersion(tx, 'local', 1))
  })
  expect(await keepVersion({ mirror: deleting, newId }, version(list))).toBe(null)
  expect(another.snapshot((tx) => getVersionByRemote(tx, 'remote'))).toBe(null)
})
