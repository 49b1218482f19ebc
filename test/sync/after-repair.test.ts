import { closeSync, openSync, writeSync } from 'node:fs'
import SqliteDatabase from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { advance } from '../../electron/mirror/queue-layer.ts'
import { repairMirror } from '../../electron/mirror/repair/repair-mirror.ts'
import type { EntryEvent } from '../../electron/queue/transition.ts'
import type { SealedValue } from '../../electron/queue/fields.ts'
import { sends, type TestClient, unreachable } from '../support/build-client.ts'
import { createSyncStage } from '../support/sync-stage.ts'

/** What becomes of unsent edits whose records a damaged database has lost, once the service shows these again. */

const { open } = createSyncStage()

/** Two clients that both have shop/prod/TOKEN. */
async function two(): Promise<[TestClient, TestClient]> {
  const [one, other] = [open(), open()]
  one.createProject('Shop')
  one.createEnvironment('shop', 'prod')
  one.setVariable(prod(one), 'TOKEN', 'first')
  await one.sync()
  await other.sync()
  expect(other.contents()).toEqual({ shop: '', 'shop/prod': '', 'shop/prod/TOKEN': 'first' })
  return [one, other]
}

const prod = (client: TestClient): string => client.find('environment', client.find('project', null, 'shop').id, 'prod').id

/** Edits TOKEN, as the row that is called `name` by now. */
const edit = (client: TestClient, name: string, input: { name?: string; value?: string }) =>
  client.updateVariable(client.find('variable', prod(client), name).id, input)

/** The variables of shop/prod as the service has them now: what somebody sees who has never been there before. */
async function onService(): Promise<Record<string, string>> {
  const visitor = open()
  await visitor.sync()
  const under = 'shop/prod/'
  const all = Object.entries(visitor.contents()).filter(([path]) => path.startsWith(under))
  return Object.fromEntries(all.map(([path, value]) => [path.slice(under.length), value]))
}

/** The process dies, every page of the tables is lost, and the file is repaired. */
function forget(client: TestClient, ...tables: readonly ('base' | 'queue' | 'meta')[]): void {
  const { file } = client.mirror
  client.mirror.close()
  const database = new SqliteDatabase(file, { readonly: true })
  const pagesOf = database.prepare<[string], number>('SELECT pageno FROM dbstat WHERE name = ?').pluck()
  const pages = tables.flatMap((table) => pagesOf.all(table))
  database.close()
  const handle = openSync(file, 'r+')
  for (const page of pages) writeSync(handle, Buffer.alloc(4096), 0, 4096, (page - 1) * 4096)
  closeSync(handle)
  repair(client)
}

/** The same of the records that bear these names alone: what is above and beside them is still known. */
function forgetNamed(client: TestClient, ...names: readonly string[]): void {
  const { file } = client.mirror
  client.mirror.close()
  const database = new SqliteDatabase(file)
  for (const name of names) expect(database.prepare('DELETE FROM base WHERE name = ?').run(name).changes).toBe(1)
  database.close()
  const handle = openSync(file, 'r+')
  writeSync(handle, Buffer.alloc(100, 0xa5), 0, 100, 0)
  closeSync(handle)
  repair(client)
}

function repair(client: TestClient): void {
  const repaired = repairMirror(client.mirror.file, { now: client.now(), newId: client.newId })
  if (!repaired.ok) throw new Error(repaired.error.message)
  client.restart()
}

const waiting = (client: TestClient) => client.queue().map(({ kind, state, conflict }) => [kind, state, conflict?.kind ?? null])

/** The record is on the service, and what was typed is one answer to what becomes of it. */
const inQuestion = [['update', 'conflict', 'name-taken']]

describe('an unsent edit of a record that a repair lost', () => {
  test('is a question as soon as the service shows the record, and the edit that it was when its user keeps it', async () => {
    const [one] = await two()
    edit(one, 'TOKEN', { value: 'mine' })
    forget(one, 'base')
    expect(one.queue().every(({ kind, state }) => kind === 'create' && state === 'failed')).toBe(true)
    await one.sync()
    expect(waiting(one)).toEqual(inQuestion)
    expect(await onService()).toEqual({ TOKEN: 'first' })
    one.resolve(one.queue()[0]?.id ?? '', { take: 'mine' })
    await one.sync()
    expect(one.queue()).toEqual([])
    expect(await onService()).toEqual({ TOKEN: 'mine' })
  })

  test('is a record of its own when its user gives it another name, and the one that was lost stays as it is', async () => {
    const [one] = await two()
    edit(one, 'TOKEN', { value: 'mine' })
    forget(one, 'base')
    edit(one, 'TOKEN', { name: 'API_TOKEN' })
    await one.sync()
    expect(one.queue()).toEqual([])
    expect(await onService()).toEqual({ API_TOKEN: 'mine', TOKEN: 'first' })
  })

  test('leaves the old name to a new variable, which is in question with the record', async () => {
    const [one] = await two()
    edit(one, 'TOKEN', { value: 'mine' })
    forget(one, 'base')
    edit(one, 'TOKEN', { name: 'API_TOKEN' })
    one.setVariable(prod(one), 'TOKEN', 'another one')
    await one.sync()
    expect(waiting(one)).toEqual(inQuestion)
    expect(await onService()).toEqual({ API_TOKEN: 'mine', TOKEN: 'first' })
  })

  test('overwrites nothing when others changed the same field meanwhile', async () => {
    const [one, other] = await two()
    edit(one, 'TOKEN', { value: 'mine' })
    forget(one, 'base')
    edit(other, 'TOKEN', { value: 'theirs' })
    await other.sync()
    await one.sync()
    expect(waiting(one)).toEqual(inQuestion)
    expect(await onService()).toEqual({ TOKEN: 'theirs' })
  })

  test('waits, to be created again or discarded, when the record is deleted', async () => {
    const [one, other] = await two()
    edit(one, 'TOKEN', { value: 'mine' })
    forget(one, 'base')
    other.deleteVariable(prod(other), 'TOKEN')
    await other.sync()
    await one.sync()
    expect(waiting(one)).toEqual([['create', 'failed', null]])
    one.retry(one.queue()[0]?.id ?? '')
    await one.sync()
    expect(await onService()).toEqual({ TOKEN: 'mine' })
  })

  test('is not sent before its user has looked, however often sync begins', async () => {
    const [one] = await two()
    edit(one, 'TOKEN', { value: 'mine' })
    forgetNamed(one, 'TOKEN')
    expect(one.queue()).toMatchObject([
      { kind: 'create', state: 'failed', reason: expect.stringContaining('check it, then send it') as unknown },
    ])
    const asked: string[] = []
    one.network = (forward, request) => {
      asked.push(`${request.method} ${request.path}`)
      return request.path.includes('/changes') ? unreachable(forward, request) : forward()
    }
    await one.sync()
    one.restart()
    await one.sync()
    expect(asked.filter((each) => each.startsWith('GET /changes')).length).toBeGreaterThan(1)
    expect(asked.filter((each) => !each.startsWith('GET'))).toEqual([])
  })

  test.each(['environment' as const, 'project' as const])(
    'meets its record, too, when the feed brings its %s after it',
    async (touched) => {
      const [one, other] = await two()
      const project = other.find('project', null, 'shop').id
      other.updateParent(touched, touched === 'project' ? project : prod(other), { name: 'Another name' })
      await other.sync()
      await one.sync()
      edit(one, 'TOKEN', { value: 'mine' })
      forget(one, 'base')
      await one.sync()
      expect(waiting(one)).toEqual(inQuestion)
      expect(await onService()).toEqual({ TOKEN: 'first' })
    },
  )

  test('is not sent unasked when it waited for its user before', async () => {
    const [one] = await two()
    edit(one, 'TOKEN', { value: 'mine' })
    one.mirror.write((tx) => {
      for (const change of one.queue()) advance(tx, change, { is: 'reject', reason: 'The service refused it.' })
    })
    forgetNamed(one, 'TOKEN')
    await one.sync()
    expect(waiting(one)).toEqual(inQuestion)
    expect(await onService()).toEqual({ TOKEN: 'first' })
  })

  test('under another name, is no part of what others create under the old name later', async () => {
    const [one, other] = await two()
    edit(one, 'TOKEN', { name: 'API_TOKEN' })
    forgetNamed(one, 'TOKEN')
    other.deleteVariable(prod(other), 'TOKEN')
    await other.sync()
    await one.sync()
    other.setVariable(prod(other), 'TOKEN', 'another one')
    await other.sync()
    await one.sync()
    expect(waiting(one)).toEqual([['create', 'failed', null]])
    expect(await onService()).toEqual({ TOKEN: 'another one' })
  })

  test('meets its record on a service that lists nothing, by its name', async () => {
    const [one] = await two()
    edit(one, 'TOKEN', { value: 'mine' })
    forgetNamed(one, 'TOKEN')
    const noList = /\/(?:changes|projects|environments|variables|versions|members|roles)$/
    one.network = async (forward, { method, path }) =>
      method === 'GET' && noList.test(path) ? new Response('', { status: 404 }) : forward()
    await one.sync()
    expect(waiting(one)).toEqual(inQuestion)
    expect(await onService()).toEqual({ TOKEN: 'first' })
  })
})

test('an environment that a repair lost is the one of its slug again, and its unsent edits are asked about', async () => {
  const [one] = await two()
  edit(one, 'TOKEN', { value: 'mine' })
  one.setVariable(prod(one), 'NEW', 'new')
  forget(one, 'base')
  await one.sync()
  expect(waiting(one)).toEqual(inQuestion)
  expect(await onService()).toEqual({ TOKEN: 'first', NEW: 'new' })
})

test('what was shown and is neither in base nor queue any more is never made beside the record that it was', async () => {
  const [one] = await two()
  edit(one, 'TOKEN', { value: 'mine' })
  forget(one, 'base', 'queue')
  await one.sync()
  expect(waiting(one)).toEqual(inQuestion)
  expect(await onService()).toEqual({ TOKEN: 'first' })
  one.resolve(one.queue()[0]?.id ?? '', { take: 'mine' })
  await one.sync()
  expect(await onService()).toEqual({ TOKEN: 'mine' })
})

test('a variable that its user made here is not taken for one that a repair forgot, as long as no record is missing', async () => {
  const [one, other] = await two()
  one.setVariable(prod(one), 'NEW', 'mine')
  forget(one, 'queue')
  edit(one, 'NEW', { name: 'NEWER' })
  other.setVariable(prod(other), 'NEW', 'theirs')
  await other.sync()
  await one.sync()
  expect(one.queue()).toEqual([])
  expect(await onService()).toEqual({ NEW: 'theirs', NEWER: 'mine', TOKEN: 'first' })
})

describe('a value that damage altered', () => {
  const harmed = (value: SealedValue): SealedValue => ({ ...value, sealed: `${value.sealed.slice(0, -8)}AAAA${value.sealed.slice(-4)}` })

  async function withHarmed(event: EntryEvent): Promise<TestClient> {
    const [one] = await two()
    edit(one, 'TOKEN', { value: 'mine' })
    one.mirror.write((tx) => {
      for (const change of one.queue()) {
        const patch = change.patch.value && { value: harmed(change.patch.value) }
        const damaged = patch && advance(tx, change, { is: 'revise', id: one.newId(), patch })
        if (damaged) advance(tx, damaged, event)
      }
    })
    return one
  }
  const refused = { ok: false, error: { kind: 'value-unreadable' } }

  test('does not go out with another edit of its row; typed again, all of it goes', async () => {
    const one = await withHarmed({ is: 'reject', reason: 'Its value was damaged.' })
    expect(edit(one, 'TOKEN', { name: 'API_TOKEN' })).toMatchObject(refused)
    await one.sync()
    expect(await onService()).toEqual({ TOKEN: 'first' })
    expect(edit(one, 'TOKEN', { name: 'API_TOKEN', value: 'again' })).toMatchObject({ ok: true })
    await one.sync()
    expect(await onService()).toEqual({ API_TOKEN: 'again' })
  })

  test('is not the answer to a conflict, unless another is typed', async () => {
    const conflict = { kind: 'fields' as const, remote: { name: 'TOKEN' }, by: null }
    const one = await withHarmed({ is: 'park', conflict, reason: 'Choose.' })
    const id = one.queue()[0]?.id ?? ''
    expect(one.resolve(id, { take: 'mine' })).toMatchObject(refused)
    expect(one.resolve(id, { take: 'edit', fields: { value: 'again' } })).toMatchObject({ ok: true })
    await one.sync()
    expect(await onService()).toEqual({ TOKEN: 'again' })
  })
})

test('a deletion of an environment that a repair worked out asks about what others had made there, before it is sent', async () => {
  const [one, other] = await two()
  other.setVariable(prod(other), 'TOKEN', 'theirs')
  await other.sync()
  await one.sync()
  const environment = prod(one)
  one.deleteParent('environment', environment)
  forget(one, 'queue')
  const [recovered] = one.queue()
  expect(recovered).toMatchObject({ kind: 'delete', rowId: environment, state: 'failed' })
  one.mirror.write((tx) => recovered && advance(tx, recovered, { is: 'retry', id: one.newId() }))
  await one.sync()
  expect(one.queue()).toMatchObject([{ state: 'conflict', conflict: { kind: 'changed-below' } }])
  expect(await onService()).toEqual({ TOKEN: 'theirs' })
})

test('a deletion that waited through a repair still asks about what others write after it', async () => {
  const [one, other] = await two()
  // Revisions that no row has any more.
  for (const name of ['A', 'B', 'C']) {
    other.setVariable(prod(other), name, 'for a moment')
    await other.sync()
    await one.sync()
    other.deleteVariable(prod(other), name)
    await other.sync()
    await one.sync()
  }
  one.deleteParent('environment', prod(one))
  forget(one, 'meta')
  expect(one.queue()).toMatchObject([{ kind: 'delete', state: 'queued' }])
  other.setVariable(prod(other), 'TOKEN', 'theirs')
  await other.sync()
  await one.sync()
  expect(one.queue()).toMatchObject([{ state: 'conflict', conflict: { kind: 'changed-below' } }])
  expect(await onService()).toEqual({ TOKEN: 'theirs' })
})

test('a deletion of an environment that waits through a repair asks about a version that others saved since', async () => {
  const [one, other] = await two()
  // A version that the service fails to save holds back the deletion.
  one.snapshot(prod(one))
  one.network = async (forward, request) =>
    sends('create version', request)
      ? Response.json({ success: false, code: 500, message: 'Failed.', data: {} }, { status: 500 })
      : forward()
  one.deleteParent('environment', prod(one))
  other.snapshot(prod(other), { note: 'theirs' })
  await other.sync()
  await one.sync()
  expect(one.queue()).toMatchObject([{ kind: 'delete', state: 'queued' }])
  forgetNamed(one)
  one.network = (forward) => forward()
  one.skew = 3_600_000
  await one.sync()
  expect(one.queue()).toMatchObject([{ kind: 'delete', conflict: { kind: 'changed-below' } }])
  expect(await onService()).toEqual({ TOKEN: 'first' })
})
