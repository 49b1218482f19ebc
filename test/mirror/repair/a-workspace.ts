import { copyFileSync, existsSync } from 'node:fs'
import { putBase } from '../../../electron/mirror/base-layer.ts'
import { enqueue } from '../../../electron/mirror/enqueue.ts'
import { keepHistory } from '../../../electron/mirror/history-layer.ts'
import { setState } from '../../../electron/mirror/workspace-state.ts'
import type { Mirror } from '../../../electron/mirror/mirror.ts'
import { openMirror } from '../../../electron/mirror/open-mirror.ts'
import { allEntries } from '../../../electron/mirror/queue-layer.ts'
import { refreshRow } from '../../../electron/mirror/working-layer.ts'
import { isOperation, type Change } from '../../../electron/queue/entry.ts'
import { tempFile } from '../temp-file.ts'

export const opened = (file: string): Mirror => {
  const mirror = openMirror(file)
  if (!mirror.ok) throw new Error(`${mirror.error.kind}: ${mirror.error.message}`)
  return mirror.value
}

/** Ids as long as real ones: how many fit on a page decides what one damaged page costs. */
export const idOf = (kind: string, n: number): string => `00000000-0000-7000-8${kind.slice(0, 3)}-${String(n).padStart(12, '0')}`

let ids = 0
/** Time and ids of a test. */
export const context = () => ({ now: 1_760_000_000_000, newId: () => idOf('fff', (ids += 1)) })

const valueOf = (text: string) => ({ sealed: `v1:${text.padEnd(60, 'A')}`, tag: `tag-of-${text}`.padEnd(44, '='), keyId: 'key1' })

export const project = idOf('aaa', 1)
export const environment = idOf('bbb', 1)

/**
 * A workspace of 200 variables with 60 unsent changes of every kind, one of them so long that it runs over many pages. Each variable is
 * named by its number: VARIABLE_7 is `variable(7)`.
 */
export function fillWorkspace(mirror: Mirror): void {
  const stamps = (id: string) => ({
    remoteId: `remote-${id}`,
    etag: `"${id.slice(-6)}"`,
    createdAt: null,
    updatedAt: null,
    updatedBy: null,
  })
  mirror.write((tx) => {
    putBase(tx, { id: project, kind: 'project', parentId: null, fields: { name: 'Shop', slug: 'shop' }, ...stamps(project) })
    putBase(tx, { id: environment, kind: 'environment', parentId: project, fields: { name: 'Prod', slug: 'prod' }, ...stamps(environment) })
    for (const id of [project, environment]) refreshRow(tx, id)
    for (let n = 1; n <= 200; n += 1) {
      const fields = { name: `VARIABLE_${n}`, value: valueOf(`was ${n}`), type: 'string' as const, isSecret: n % 2 === 0 }
      const row = { id: variable(n), kind: 'variable' as const, parentId: environment, fields, ...stamps(variable(n)) }
      putBase(tx, row)
      refreshRow(tx, row.id)
      if (n % 10 === 0) keepHistory(tx, row, { whose: 'theirs', why: 'changed' }, 1_760_000_000_000)
    }
    setState(tx, 'feed-cursor', 'cursor-7')
    setState(tx, 'last-synced-at', '1760000000000')
  })
  const base = (n: number) => ({ name: `VARIABLE_${n}`, value: valueOf(`was ${n}`), type: 'string' as const, isSecret: n % 2 === 0 })
  const ancestors = [environment, project]
  mirror.write((tx) => {
    const add = (change: Pick<Change, 'kind' | 'rowId' | 'patch' | 'base'>) =>
      enqueue(tx, { rowKind: 'variable', ancestors, ...change }, context())
    for (let n = 1; n <= 30; n += 1) add({ kind: 'update', rowId: variable(n), patch: { value: valueOf(`mine ${n}`) }, base: base(n) })
    for (let n = 31; n <= 45; n += 1) add({ kind: 'delete', rowId: variable(n), patch: {}, base: base(n) })
    for (let n = 201; n <= 214; n += 1) add({ kind: 'create', rowId: variable(n), patch: base(n), base: null })
    add({ kind: 'create', rowId: variable(215), patch: { name: 'VARIABLE_215', value: valueOf('long '.repeat(4_000)) }, base: null })
  })
}

export const variable = (n: number): string => idOf('ccc', n)

/** A closed database of such a workspace; with `log`, its last transactions are still in the write-ahead log. */
export function aWorkspace(log = false): { file: string; queue: Change[] } {
  const file = tempFile()
  const mirror = opened(file)
  if (log) {
    mirror.write((tx) => setState(tx, 'last-synced-at', '1'))
  }
  fillWorkspace(mirror)
  const queue = mirror.snapshot(allEntries).filter((queued) => !isOperation(queued))
  if (!log) {
    mirror.close()
    return { file, queue }
  }
  const crashed = crashedCopy(file)
  mirror.close()
  return { file: crashed, queue }
}

/** A copy of an open database as a crash leaves it: the file, and the log beside it. */
export function crashedCopy(file: string): string {
  const crashed = tempFile()
  copyFileSync(file, crashed)
  if (existsSync(`${file}-wal`)) copyFileSync(`${file}-wal`, `${crashed}-wal`)
  return crashed
}
