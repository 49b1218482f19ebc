import SqliteDatabase from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import type { Mirror } from '../../electron/mirror/mirror.ts'
import { migrate } from '../../electron/mirror/migrate.ts'
import { allMigrations } from '../../electron/mirror/migrations.ts'
import { openMirror } from '../../electron/mirror/open-mirror.ts'
import { allEntries } from '../../electron/mirror/queue-layer.ts'
import { checkWorking } from '../../electron/mirror/working-layer.ts'
import type { Entry } from '../../electron/queue/entry.ts'
import { tempFile } from './temp-file.ts'

const value = (text: string) => ({ sealed: `v1:${text}`, tag: text, keyId: 'k' })

/** A change as an older Holdfast stored it. */
interface OldRow {
  id: string
  kind: string
  row_kind?: string
  row_id: string
  ancestors?: string[]
  patch?: object
  base?: object | null
  key_now?: string | null
  key_before?: string | null
  state?: string
  attempts?: number
  after?: string | null
  sent_to?: object | null
  sought?: object | null
  batch?: object | null
  conflict?: object | null
}

const json = (part: object | null | undefined) => (part == null ? null : JSON.stringify(part))

/** Opens a database whose queue was written before entries had one life. */
function carriedOver(rows: readonly OldRow[], prepare: (database: SqliteDatabase.Database) => void = () => undefined): Mirror {
  const file = tempFile()
  const database = new SqliteDatabase(file)
  migrate(database, allMigrations.slice(0, 13))
  const insert =
    database.prepare(`INSERT INTO queue (id, kind, row_kind, row_id, parent_id, ancestors, patch, base, key_now, key_before, state,
    attempts, after, sent_to, sought, batch, conflict, created_at) VALUES (@id, @kind, @row_kind, @row_id, @parent_id, @ancestors, @patch, @base,
    @key_now, @key_before, @state, @attempts, @after, @sent_to, @sought, @batch, @conflict, 1)`)
  prepare(database)
  for (const row of rows) {
    const { ancestors = ['env', 'project'], patch = {}, base = null, conflict, sent_to: sentTo, sought, batch } = row
    insert.run({
      row_kind: 'variable',
      state: 'queued',
      attempts: 0,
      after: null,
      key_now: null,
      key_before: null,
      ...row,
      parent_id: ancestors[0] ?? null,
      ancestors: JSON.stringify(ancestors),
      patch: JSON.stringify(patch),
      base: json(base),
      conflict: json(conflict),
      sent_to: json(sentTo),
      sought: json(sought),
      batch: json(batch),
    })
  }
  database.close()
  const opened = openMirror(file)
  if (!opened.ok) throw new Error(opened.error.message)
  onTestFinished(() => opened.value.close())
  return opened.value
}

const entriesOf = (...rows: readonly OldRow[]): Entry[] => carriedOver(rows).snapshot(allEntries)

test('a move that was never sent is one change, of what it edits beside, and the row keeps its id', () => {
  const was = { name: 'A', value: value('1'), type: 'string', isSecret: true }
  const copy = {
    id: 'made',
    kind: 'create',
    row_id: 'copy',
    ancestors: ['other', 'project'],
    patch: { ...was, value: value('2') },
    key_now: 'A',
  }
  const gone = { id: 'gone', kind: 'delete', row_id: 'original', base: was, after: 'copy', key_before: 'A' }
  const mirror = carriedOver([copy, gone], (database) => {
    for (const [id, kind, parent, name] of [
      ['project', 'project', null, 'Shop'],
      ['env', 'environment', 'project', 'prod'],
      ['other', 'environment', 'project', 'dev'],
      ['original', 'variable', 'env', 'A'],
    ]) {
      const sealed = kind === 'variable' ? ['v1:1', '1', 'k', 'string', 1] : [null, null, null, null, null]
      const columns = [id, kind, parent, name, null, ...sealed]
      database
        .prepare(
          `INSERT INTO base (id, kind, parent_id, name, slug, sealed, tag, key_id, type, is_secret, remote_id) VALUES (?,?,?,?,?,?,?,?,?,?,?)`,
        )
        .run(...columns, `remote ${id}`)
      if (id !== 'original') database.prepare(`INSERT INTO working VALUES (?,?,?,?,?,?,?,?,?,?)`).run(...columns)
    }
    database.prepare(`INSERT INTO working VALUES ('copy','variable','other','A',NULL,'v1:2','2','k','string',1)`).run()
  })
  expect(mirror.snapshot(allEntries)).toMatchObject([
    {
      id: 'made',
      kind: 'update',
      rowId: 'original',
      patch: { parent: 'other', value: value('2') },
      base: { ...was, parent: 'env' },
      ancestors: ['other', 'project'],
      leaves: ['env', 'project'],
      remoteId: null,
    },
  ])
  expect(mirror.snapshot(checkWorking)).toEqual([])
})

test('a move whose copy was sent stays a create and a delete, which waits for its user', () => {
  const copy = { id: 'made', kind: 'create', row_id: 'copy', patch: { name: 'A' }, state: 'sending', attempts: 1, key_now: 'A' }
  const entries = entriesOf(copy, { id: 'gone', kind: 'delete', row_id: 'original', base: { name: 'A' }, after: 'copy', key_before: 'A' })
  expect(entries).toMatchObject([
    { kind: 'create', state: 'sending', remoteId: 'made' },
    { kind: 'delete', state: 'failed', reason: expect.stringContaining('Check that the copy has arrived') as unknown },
  ])
})

test.each<{ says: string; row: OldRow; becomes: object }>([
  {
    says: 'a create without an answer is still being sent, under the id of its record',
    row: {
      id: 'c',
      kind: 'create',
      row_id: 'r',
      patch: { name: 'A' },
      state: 'sending',
      attempts: 1,
      sent_to: { project: 'p', environment: 'e' },
    },
    becomes: { id: 'c', state: 'sending', remoteId: 'c', patch: { name: 'A' } },
  },
  {
    says: 'one of several in a request too',
    row: {
      id: 'u',
      kind: 'update',
      row_id: 'r',
      patch: { name: 'B' },
      base: { name: 'A' },
      state: 'sending',
      attempts: 1,
      batch: { id: 'b', size: 2 },
    },
    becomes: { state: 'sending', patch: { name: 'B' }, base: { name: 'A' } },
  },
  {
    says: 'what a repair looked for waits for its user',
    row: { id: 's', kind: 'create', row_id: 'r', patch: { name: 'A' }, sought: { key: 'A', base: null } },
    becomes: { state: 'failed', reason: 'Recovered from a damaged database: check it, then send it.' },
  },
  {
    says: 'the deletion of an environment saw what is here now',
    row: { id: 'd', kind: 'delete', row_kind: 'environment', row_id: 'e', ancestors: ['project'], base: { name: 'E' } },
    becomes: { kind: 'delete', seen: 0 },
  },
  {
    says: 'a conflict keeps the other side',
    row: {
      id: 'x',
      kind: 'update',
      row_id: 'r',
      patch: { name: 'B' },
      base: { name: 'A' },
      state: 'conflict',
      conflict: { kind: 'fields', theirs: { name: 'C' }, by: 'ada' },
    },
    becomes: { state: 'conflict', conflict: { kind: 'fields', remote: { name: 'C' }, by: 'ada' } },
  },
  {
    says: 'a conflict with a deleted row too',
    row: { id: 'x', kind: 'create', row_id: 'r', state: 'conflict', conflict: { kind: 'deleted-remotely', theirs: null, by: null } },
    becomes: { conflict: { kind: 'deleted-remotely', remote: null, by: null } },
  },
  {
    says: 'a snapshot gets the id of its version',
    row: { id: 'v', kind: 'snapshot', row_kind: 'version', row_id: 'ver', patch: { label: 'L', after: null, beside: [], looks: 2 } },
    becomes: { state: 'queued', detail: { label: 'L', remoteId: 'v' } },
  },
  {
    says: 'one without an answer waits for its user: nothing says which version it is',
    row: { id: 'v', kind: 'snapshot', row_kind: 'version', row_id: 'ver', patch: { after: null }, state: 'sending', attempts: 1 },
    becomes: { state: 'failed', reason: expect.stringContaining('Look at the versions') as unknown },
  },
  {
    says: 'a new role keeps what its user saw',
    row: {
      id: 'm',
      kind: 'set-role',
      row_kind: 'member',
      row_id: 'ada',
      ancestors: [],
      patch: { email: 'a@b.c', roleId: 'x', was: 'y', theirs: 'z' },
    },
    becomes: { detail: { email: 'a@b.c', roleId: 'x', base: 'y', remote: 'z' } },
  },
])('$says', ({ row, becomes }) => {
  expect(entriesOf(row)).toMatchObject([becomes])
})
