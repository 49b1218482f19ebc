import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { BaseRow } from '../../../electron/queue/entry.ts'
import type { Outcome, PushItem, SyncPort } from '../../../electron/sync/port.ts'
import { startFaultProxy, type Fault, type FaultProxy } from '../../support/fault-proxy.ts'
import { failure, startFaultServer, success, type FaultServer } from '../../support/fault-server.ts'
import { startService, type StartedService } from '../../support/start-service.ts'
import { cipher, portTo, Shelf, variable } from './shelf.ts'

let service: StartedService
let proxy: FaultProxy
let port: SyncPort
/** What another client sees and does. */
let others: Shelf
let theirPort: SyncPort
let mine: Shelf
let place = 0

beforeAll(async () => {
  service = await startService()
  proxy = await startFaultProxy(service.url)
})
afterAll(async () => {
  await proxy.close()
  await service.close()
})

/** Pushes, and keeps what was confirmed. */
async function push(shelf: Shelf, by: SyncPort, ...items: PushItem[]): Promise<readonly Outcome[]> {
  const outcomes = await by.push(items)
  for (const [index, outcome] of outcomes.entries()) {
    if (outcome.is !== 'confirmed') continue
    if (outcome.row !== null) shelf.put(outcome.row)
    else if (items[index]?.base != null) shelf.base.delete(items[index].base.remoteId)
  }
  return outcomes
}

async function pushOne(...[shelf, by, item]: [Shelf, SyncPort, PushItem]): Promise<Outcome> {
  const [outcome] = await push(shelf, by, item)
  if (outcome === undefined) throw new Error('no outcome')
  return outcome
}

/** A project of its own for each test, with the environments dev and prod, and A and B in dev. */
let home: string
const at = (path = ''): BaseRow => mine.at(home + path)
const theirs = (path = ''): BaseRow => others.at(home + path)

beforeEach(async () => {
  proxy.decide(() => 'none')
  place += 1
  home = `home-${place}`
  port = portTo(proxy.url, service.apiKey)
  theirPort = portTo(service.url, service.apiKey)
  mine = new Shelf()
  others = new Shelf()
  for (const each of [port, theirPort]) await each.identify(service.workspaceId)
  await push(mine, port, mine.create('project', null, { name: home, slug: home }))
  await push(
    mine,
    port,
    mine.create('environment', at(), { name: 'Dev', slug: 'dev' }),
    mine.create('environment', at(), { name: 'Prod', slug: 'prod' }),
  )
  await push(mine, port, mine.create('variable', at('/dev'), variable('A', 'a')), mine.create('variable', at('/dev'), variable('B', 'b')))
  await mine.pull(port)
  await others.pull(theirPort)
  proxy.log.length = 0
})

/** How nginx answers a body above its limit. */
const tooLarge: Fault = {
  replace: {
    status: 413,
    headers: { 'content-type': 'text/html' },
    body: '<html><head><title>413 Request Entity Too Large</title></head><body><center><h1>413 Request Entity Too Large</h1></center></body></html>',
  },
}

/** Requests since the test began. */
const requests = (): string[] => proxy.log.map(({ method, url }) => `${method} ${url.split('?')[0]}`)

describe('each verb of a change', () => {
  test('is one request, and one for 200 of them', async () => {
    const many = Array.from({ length: 200 }, (_, index) => mine.create('variable', at('/dev'), variable(`N${index}`, 'n')))
    expect((await push(mine, port, ...many)).every(({ is }) => is === 'confirmed')).toBe(true)
    const rows = mine.rows('variable', at('/dev').remoteId)
    const changed = rows.slice(0, 200).map((row) => mine.update(row, { value: cipher.seal('changed') }))
    expect((await push(mine, port, ...changed)).every(({ is }) => is === 'confirmed')).toBe(true)
    expect(requests()).toEqual(['POST /changes', 'POST /changes'])
    const deleted = mine.rows('variable', at('/dev').remoteId).slice(0, 200)
    expect((await push(mine, port, ...deleted.map((row) => mine.remove(row)))).every(({ is }) => is === 'confirmed')).toBe(true)
    expect(requests()).toHaveLength(3)
    await others.pull(theirPort)
    expect(others.rows('variable', theirs('/dev').remoteId)).toHaveLength(2)
  })

  test('larger than one request takes is split, and arrives whole', async () => {
    const large = Array.from({ length: 8 }, (_, index) => mine.create('variable', at('/dev'), variable(`L${index}`, 'x'.repeat(700_000))))
    expect((await push(mine, port, ...large)).map(({ is }) => is)).toEqual(large.map(() => 'confirmed'))
    expect(requests().length).toBeGreaterThan(1)
    // Every test after this one would pull them.
    expect(await pushOne(mine, port, mine.remove(at()))).toMatchObject({ is: 'confirmed' })
  })

  test('larger than a proxy takes goes in smaller requests, and only what is too large alone is refused', async () => {
    const taken: number[] = []
    proxy.decide(({ method, body }) => {
      if (method !== 'POST') return 'none'
      if (body.length > 1024 * 1024) return tooLarge
      taken.push((JSON.parse(body) as { changes: unknown[] }).changes.length)
      return 'none'
    })
    const create = (name: string, length: number) => mine.create('variable', at('/dev'), variable(name, 'x'.repeat(length)))
    const small = Array.from({ length: 100 }, (_, index) => create(`S${index}`, 1000))
    const large = Array.from({ length: 6 }, (_, index) => create(`L${index}`, 220_000))
    const outcomes = await push(mine, port, ...small, create('HUGE', 790_000), ...large)
    expect(outcomes.filter(({ is }) => is !== 'confirmed')).toEqual([
      { is: 'refused', message: expect.stringContaining('a proxy in front of it') as string },
    ])
    expect(outcomes[small.length]?.is).toBe('refused')
    expect(taken.length).toBeLessThan(10)
    await others.pull(theirPort)
    const arrived = others.rows('variable', theirs('/dev').remoteId).map(({ fields }) => fields.name)
    expect(arrived).toEqual(['A', 'B', ...[...small, ...large].map(({ entry }) => 'patch' in entry && entry.patch.name)])
    expect(await pushOne(mine, port, mine.remove(at()))).toMatchObject({ is: 'confirmed' })
  })

  test('is refused one by one where nothing is small enough', async () => {
    proxy.decide(() => tooLarge)
    const outcomes = await push(mine, port, ...['X', 'Y', 'Z'].map((name) => mine.create('variable', at('/dev'), variable(name, 'x'))))
    expect(outcomes.map(({ is }) => is)).toEqual(['refused', 'refused', 'refused'])
  })

  test('shows the record as the service has it then', async () => {
    expect(await pushOne(mine, port, mine.update(at('/dev'), { name: 'Development', slug: 'development' }))).toMatchObject({
      is: 'confirmed',
      row: { fields: { name: 'Development', slug: 'development' }, parentRemoteId: at().remoteId },
    })
    expect(await pushOne(mine, port, mine.move(at('/development/A'), at('/prod'), { name: 'A2' }))).toMatchObject({
      is: 'confirmed',
      row: { fields: { name: 'A2' }, parentRemoteId: at('/prod').remoteId },
    })
    expect(await pushOne(mine, port, mine.remove(at('/prod')))).toMatchObject({ is: 'confirmed', row: null })
    await others.pull(theirPort)
    expect(Object.keys(others.contents(theirs().remoteId))).toEqual(['development', 'development/B'])
  })

  test.each<[string, (() => Promise<unknown>) | null, () => PushItem, object]>([
    [
      'an update of what others changed',
      () => push(others, theirPort, others.update(theirs('/dev/A'), { value: cipher.seal('theirs') })),
      () => mine.update(at('/dev/A'), { value: cipher.seal('mine') }),
      { is: 'stale', current: { fields: { name: 'A' } } },
    ],
    [
      'a deletion of what others changed',
      () => push(others, theirPort, others.update(theirs('/dev/A'), { name: 'A9' })),
      () => mine.remove(at('/dev/A')),
      { is: 'stale', current: { fields: { name: 'A9' } } },
    ],
    [
      'an update of what others deleted',
      () => push(others, theirPort, others.remove(theirs('/dev/A'))),
      () => mine.update(at('/dev/A'), { name: 'A1' }),
      { is: 'missing', what: 'record' },
    ],
    [
      'a deletion of what others deleted',
      () => push(others, theirPort, others.remove(theirs('/dev/A'))),
      () => mine.remove(at('/dev/A')),
      { is: 'confirmed', row: null },
    ],
    [
      'a create in what others deleted',
      () => push(others, theirPort, others.remove(theirs('/dev'))),
      () => mine.create('variable', at('/dev'), variable('C', 'c')),
      { is: 'missing', what: 'parent' },
    ],
    [
      'a move to what others deleted',
      () => push(others, theirPort, others.remove(theirs('/prod'))),
      () => mine.move(at('/dev/A'), at('/prod')),
      { is: 'missing', what: 'parent' },
    ],
    [
      'a create of a name that is taken',
      null,
      () => mine.create('variable', at('/dev'), variable('A', 'mine')),
      { is: 'taken', holder: { fields: { name: 'A' } } },
    ],
    [
      'a rename to a name that is taken',
      null,
      () => mine.update(at('/dev/A'), { name: 'B' }),
      { is: 'taken', holder: { fields: { name: 'B' } } },
    ],
    [
      'a move to where the name is taken',
      () => push(others, theirPort, others.create('variable', theirs('/prod'), variable('A', 'there'))),
      () => mine.move(at('/dev/A'), at('/prod')),
      { is: 'taken', holder: { fields: { name: 'A' } } },
    ],
    [
      'a slug that is taken',
      null,
      () => mine.create('environment', at(), { name: 'x', slug: 'prod' }),
      { is: 'taken', holder: { fields: { slug: 'prod' } } },
    ],
    [
      'a value that is not sealed',
      null,
      () => mine.update(at('/dev/A'), { value: { ...cipher.seal(''), sealed: 'plain' } }),
      { is: 'refused' },
    ],
    ['a name that the service refuses', null, () => mine.create('variable', at('/dev'), variable('a/b', 'x')), { is: 'refused' }],
    [
      'a deletion of an environment in which others changed something since',
      () => push(others, theirPort, others.update(theirs('/dev/A'), { value: cipher.seal('theirs') })),
      () => mine.remove(at('/dev'), mine.cursor),
      { is: 'changed-below' },
    ],
    [
      'a deletion of an environment that was seen as it is',
      null,
      () => mine.remove(at('/dev'), mine.cursor),
      { is: 'confirmed', row: null },
    ],
    [
      'a change whose parent is not known',
      null,
      () => ({ ...mine.create('variable', at('/dev'), variable('C', 'c')), parent: null }),
      { is: 'missing', what: 'parent' },
    ],
    [
      'a change whose row is not known',
      null,
      () => ({ ...mine.update(at('/dev/A'), { name: 'A1' }), base: null }),
      { is: 'missing', what: 'record' },
    ],
  ])('answers %s', async (_name, before, item, expected) => {
    await before?.()
    const other = mine.create('variable', at('/prod'), variable('OTHER', 'o'))
    expect(await port.push([item(), other])).toMatchObject([expected, expect.anything()])
  })

  test('of a record without a known ETag is not written over what others made of it', async () => {
    await pushOne(others, theirPort, others.update(theirs('/dev/A'), { value: cipher.seal('theirs') }))
    const unknown = { ...at('/dev/A'), etag: null }
    expect(await pushOne(mine, port, mine.update(unknown, { value: cipher.seal('mine') }))).toMatchObject({ is: 'stale' })
    await others.pull(theirPort)
    expect(others.contents(theirs().remoteId)).toMatchObject({ 'dev/A': 'theirs' })
  })

  test('of a create that was made and deleted since finds the record missing', async () => {
    const item = mine.create('variable', at('/dev'), variable('C', 'c'))
    await push(mine, port, item)
    await push(mine, port, mine.remove(at('/dev/C')))
    expect(await port.push([item])).toMatchObject([{ is: 'missing', what: 'record' }])
    expect(await port.reconcile(item)).toEqual({ ok: true, value: { is: 'row', row: null, holder: null } })
  })
})

describe('an answer that is lost', () => {
  const lost: Fault[] = ['drop-after', 'cut-answer', { replaceAfter: { status: 500 } }, { replaceAfter: { status: 200, body: '<html>' } }]

  test.each<[string, () => PushItem, object]>([
    ['a create', () => mine.create('variable', at('/dev'), variable('C', 'c')), { is: 'row', row: { fields: { name: 'C' } } }],
    ['an update', () => mine.update(at('/dev/A'), { name: 'A1' }), { is: 'row', row: { fields: { name: 'A1' } } }],
    ['a move', () => mine.move(at('/dev/A'), at('/prod')), { is: 'row', row: { fields: { name: 'A' } } }],
    ['a deletion', () => mine.remove(at('/dev/A')), { is: 'row', row: null }],
    [
      'a snapshot',
      () =>
        mine.operation(
          { kind: 'snapshot', rowKind: 'version', detail: { label: 'one', remoteId: mine.create('project', null, {}).entry.id } },
          { parent: mine.parentOf(at('/dev')) },
        ),
      { is: 'done', version: { label: 'one', variableCount: 2 } },
    ],
    [
      'an invitation',
      () => mine.operation({ kind: 'invite', rowKind: 'member', detail: { email: `${home}@example.com`, roleId: 'viewer' } }),
      { is: 'done', member: { roleId: 'viewer' } },
    ],
  ])('to %s is unknown, and one read tells what was done', async (_name, make, expected) => {
    const item = make()
    proxy.decide(({ method }) => (method === 'POST' ? 'drop-after' : 'none'))
    expect(await port.push([item])).toMatchObject([{ is: 'unknown' }])
    proxy.decide(() => 'none')
    proxy.log.length = 0
    expect(await port.reconcile(item)).toMatchObject({ ok: true, value: expected })
    expect(requests()).toHaveLength(1)
    // Sent again it is not done twice.
    expect(['confirmed', 'stale']).toContain((await port.push([item]))[0]?.is)
  })

  test.each(lost.map((fault): [string, Fault] => [JSON.stringify(fault), fault]))(
    'by %s is reconciled all the same',
    async (_name, fault) => {
      const item = mine.create('variable', at('/dev'), variable('C', 'c'))
      proxy.decide(({ method }) => (method === 'POST' ? fault : 'none'))
      expect(await port.push([item])).toMatchObject([{ is: 'unknown' }])
      proxy.decide(() => 'none')
      expect(await port.reconcile(item)).toMatchObject({ ok: true, value: { row: { remoteId: recordOf(item) } } })
    },
  )

  test.each<[string, Fault, object]>([
    ['a service that is busy', { replace: { status: 429, headers: { 'retry-after': '7' } } }, { kind: 'busy', retryAfterMs: 7000 }],
    ['a refused key', { replace: { status: 401 } }, { kind: 'unauthorized' }],
    ['a sign-in page', { replace: { status: 302, headers: { location: '/login' } } }, { kind: 'not-a-service' }],
  ])('because of %s was not sent', async (_name, fault, failed) => {
    proxy.decide(({ method }) => (method === 'POST' ? fault : 'none'))
    const items = [mine.update(at('/dev/A'), { name: 'A1' }), mine.update(at('/dev/B'), { name: 'B1' })]
    expect(await port.push(items)).toMatchObject([
      { is: 'unsent', failure: failed },
      { is: 'unsent', failure: failed },
    ])
  })
})

test('without a connection nothing is sent', async () => {
  const closed = await startFaultProxy(service.url)
  await closed.close()
  const nowhere = portTo(closed.url, service.apiKey)
  expect(await nowhere.push([mine.update(at('/dev/A'), { name: 'A1' })])).toMatchObject([{ is: 'unsent', failure: { kind: 'offline' } }])
  expect(await nowhere.identify(service.workspaceId)).toMatchObject({ ok: false, error: { kind: 'offline' } })
  expect([await nowhere.probe(), await port.probe()]).toEqual([false, true])
})

const recordOf = ({ entry }: PushItem): string | null => ('remoteId' in entry ? entry.remoteId : null)

describe('an operation', () => {
  const snapshot = (label: string): PushItem =>
    mine.operation(
      { kind: 'snapshot', rowKind: 'version', detail: { label, remoteId: mine.create('project', null, {}).entry.id } },
      { parent: mine.parentOf(at('/dev')) },
    )

  test('takes a version and rolls back to it, unless something changed since it was seen', async () => {
    const [taken] = await port.push([snapshot('one')])
    expect(taken).toMatchObject({ is: 'confirmed', version: { label: 'one', variables: null } })
    const remoteId = taken?.is === 'confirmed' ? (taken.version?.remoteId ?? '') : ''
    expect(await port.readVersion(remoteId)).toMatchObject({ ok: true, value: { variables: [{ name: 'A' }, { name: 'B' }] } })
    await push(mine, port, mine.remove(at('/dev/A')))
    await mine.pull(port)
    const rollback = mine.operation(
      {
        kind: 'rollback',
        rowKind: 'version',
        detail: { label: 'one', agreed: { counts: { added: 1, updated: 0, removed: 0 }, resealed: 0, fingerprint: '' } },
      },
      { remoteId, seen: mine.cursor },
    )
    await others.pull(theirPort)
    await push(others, theirPort, others.update(theirs('/dev/B'), { name: 'B9' }))
    expect(await port.push([rollback])).toEqual([{ is: 'changed-below' }])
    await mine.pull(port)
    expect(await port.push([{ ...rollback, seen: mine.cursor }])).toMatchObject([
      { is: 'confirmed', counts: { added: 2, updated: 0, removed: 1 } },
    ])
    expect(await port.reconcile(rollback)).toEqual({ ok: true, value: { is: 'undone' } })
    expect(await port.push([{ ...rollback, remoteId: null }])).toMatchObject([{ is: 'missing', what: 'record' }])
    expect(await port.readVersion('nobody')).toEqual({ ok: true, value: null })
  })

  test('invites a member, changes the role and removes them', async () => {
    const invite = (email: string) => mine.operation({ kind: 'invite', rowKind: 'member', detail: { email, roleId: 'viewer' } })
    const email = `of-${home}@example.com`
    const [invited] = await port.push([invite(email)])
    expect(invited).toMatchObject({ is: 'confirmed', member: { email, roleId: 'viewer' } })
    expect(await port.push([invite(email)])).toMatchObject([{ is: 'taken', member: { email } }])
    const member = invited?.is === 'confirmed' ? invited.member : undefined
    if (member === undefined) throw new Error('no member')
    const setRole = (roleId: string) =>
      mine.operation(
        { kind: 'set-role', rowKind: 'member', detail: { email, roleId, base: 'viewer' } },
        { member, remoteId: member.remoteId },
      )
    expect(await port.push([setRole('editor')])).toMatchObject([{ is: 'confirmed', member: { roleId: 'editor' } }])
    expect(await port.reconcile(setRole('editor'))).toMatchObject({ ok: true, value: { is: 'done' } })
    expect(await port.push([setRole('admin')])).toMatchObject([{ is: 'stale', current: null, member: { roleId: 'editor' } }])
    expect(await port.push([setRole('king')])).toMatchObject([{ is: 'refused' }])
    const remove = mine.operation({ kind: 'remove', rowKind: 'member', detail: { email } }, { member })
    expect(await port.reconcile(remove)).toEqual({ ok: true, value: { is: 'undone' } })
    expect(await port.push([remove])).toMatchObject([{ is: 'confirmed', row: null }])
    expect(await port.reconcile(remove)).toEqual({ ok: true, value: { is: 'done' } })
    expect(await port.push([setRole('viewer')])).toMatchObject([{ is: 'missing', what: 'record' }])
  })
})

describe('a pull', () => {
  test('comes after the API key was seen to open the workspace of the mirror', async () => {
    expect(await port.identify(service.workspaceId)).toEqual({ ok: true, value: true })
    expect(await port.identify('of another team')).toEqual({ ok: true, value: false })
    expect(await portTo(service.url, 'wrong').identify(service.workspaceId)).toMatchObject({ ok: false, error: { kind: 'unauthorized' } })
  })

  test('reads everything, then what is new, a request to a page', async () => {
    const fresh = new Shelf()
    const reader = portTo(proxy.url, service.apiKey)
    expect(await fresh.pull(reader)).toBeNull()
    expect(fresh.contents()).toEqual(others.contents())
    expect(fresh.roles.map(({ id }) => id)).toContain('owner')
    expect(fresh.memberRows.size).toBeGreaterThan(0)
    proxy.log.length = 0
    await push(others, theirPort, others.update(theirs('/dev/A'), { value: cipher.seal('new') }), others.remove(theirs('/dev/B')))
    expect(await fresh.pull(reader)).toBeNull()
    expect(requests()).toEqual(['GET /changes'])
    expect(fresh.contents()).toEqual(others.contents())
  })

  test('gives much in slices, and a cursor that goes on after each', async () => {
    const items = Array.from({ length: 200 }, (_, index) => mine.create('variable', at('/dev'), variable(`N${index}`, 'n')))
    await push(mine, port, ...items)
    await push(mine, port, ...items.map((_, index) => mine.create('variable', at('/prod'), variable(`N${index}`, 'n'))))
    const fresh = new Shelf()
    await fresh.pull(port)
    expect(Math.max(...fresh.pages)).toBeLessThanOrEqual(250)
    expect(fresh.contents()).toEqual({ ...others.contents(), ...mine.contents() })
  })

  test('of a service that was restored begins anew, and reads what never came before it is deleted', async () => {
    mine.cursor = 'an-older-epoch'
    const stray = { ...at('/dev/A'), remoteId: 'never-there', id: 'never-there', fields: { ...at('/dev/A').fields, name: 'STRAY' } }
    const lost = { ...at('/dev'), remoteId: 'no-environment', id: 'no-environment', fields: { slug: 'lost' } }
    const below = { ...stray, remoteId: 'below', id: 'below', parentId: lost.id }
    for (const row of [stray, lost, below]) mine.base.set(row.id, row)
    const before = mine.restarts
    expect(await mine.pull(port)).toBeNull()
    expect(mine.restarts).toBe(before + 1)
    expect(mine.base.has('never-there') || mine.base.has('no-environment') || mine.base.has('below')).toBe(false)
    expect(requests().filter((each) => each.startsWith('GET /records'))).toEqual(
      expect.arrayContaining(['GET /records/variable/never-there', 'GET /records/environment/no-environment']),
    )
    expect(requests()).not.toContain('GET /records/variable/below')
    expect(mine.cursor).not.toBeNull()
  })

  test('that was cut short while everything was read anew gives out no cursor', async () => {
    mine.cursor = null
    proxy.decide(({ url }) => (url.startsWith('/records') ? { replace: { status: 503 } } : 'none'))
    mine.base.set('stray', { ...at('/dev/A'), remoteId: 'stray', id: 'stray' })
    expect(await mine.pull(port)).toMatchObject({ kind: 'busy' })
    expect(mine.cursor).toBeNull()
    proxy.decide(() => 'none')
    expect(await mine.pull(port)).toBeNull()
    expect(mine.base.has('stray')).toBe(false)
  })

  test('reads what a restored service has lost in pages, and gives out the cursor with the last of them', async () => {
    for (let n = 0; n < 120; n += 1) mine.base.set(`lost ${n}`, { ...at('/dev/A'), remoteId: `lost ${n}`, id: `lost ${n}` })
    const pages: { deleted: number; cursor: string | null }[] = []
    for await (const page of port.pull(null, mine)) {
      if (!page.ok) throw new Error(page.error.message)
      const { deltas, cursor } = page.value
      pages.push({ deleted: deltas.filter((delta) => delta.is === 'deleted' && delta.remoteId.startsWith('lost')).length, cursor })
    }
    const lost = pages.filter(({ deleted }) => deleted > 0)
    expect(lost.map(({ deleted }) => deleted)).toEqual([50, 50, 20])
    expect(pages.slice(0, -1).every(({ cursor }) => cursor === null)).toBe(true)
    expect(pages.at(-1)?.cursor).not.toBeNull()
  })
})

describe('a body that is not the service’s', () => {
  let fake: FaultServer
  beforeAll(async () => {
    fake = await startFaultServer()
  })
  afterAll(() => fake.close())
  afterEach(() => fake.forget())

  test.each<[string, ReturnType<typeof success>]>([
    ['a feed that never ends', success({ items: [], nextCursor: 'same', more: true })],
    [
      'an unreadable record',
      success({ items: [{ resource: 'project', id: 'p', deleted: false, record: {} }], nextCursor: 'a', more: false }),
    ],
    ['a page', { headers: {}, body: '<html>' }],
  ])('as %s ends a pull', async (_name, answer) => {
    const shelf = new Shelf()
    shelf.cursor = 'before'
    fake.answer(({ url }) =>
      url.startsWith('/changes?cursor')
        ? answer
        : url.startsWith('/changes')
          ? success({ items: [], nextCursor: 'a', more: false })
          : failure(500, 'x'),
    )
    const fakePort = portTo(fake.url, 'key')
    await fakePort.identify(service.workspaceId)
    expect(await shelf.pull(fakePort)).toMatchObject({ kind: 'not-a-service' })
    expect(['before', 'same']).toContain(shelf.cursor)
  })

  test('disowning its own cursors for ever ends a pull', async () => {
    const shelf = new Shelf()
    fake.answer(({ url }) => (url.includes('cursor=') ? failure(410, 'x') : success({ items: [], nextCursor: 'gone', more: true })))
    expect(await shelf.pull(portTo(fake.url, 'key'))).toMatchObject({ kind: 'not-a-service' })
  })
})
