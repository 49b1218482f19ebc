import { v7 as uuid } from 'uuid'
import { describe, expect, test } from 'vitest'
import type { ChangeAnswer } from '../../service/protocol/changes.ts'
import type { RoleId } from '../../service/protocol/roles.ts'
import type { Call } from './support/client.ts'
import { databases, useServices } from './support/databases.ts'
import { makeEnvironment, readVariables, sealed } from './support/samples.ts'

const send = (call: Call, changes: readonly object[], headers?: Record<string, string>) =>
  call<{ items: ChangeAnswer[] }>('POST', '/changes', { changes }, headers)

/** What became of each item, in short. */
const outcomes = (items: readonly ChangeAnswer[]) => items.map((item) => (item.status === 'done' ? 'done' : item.code))

const cursorOf = async (call: Call): Promise<string> => {
  let cursor = ''
  let more = true
  while (more) {
    const reply = await call<{ nextCursor: string; more: boolean }>('GET', `/changes?limit=1000${cursor === '' ? '' : `&cursor=${cursor}`}`)
    cursor = reply.body.data.nextCursor
    more = reply.body.data.more
  }
  return cursor
}

const changesAfter = async (call: Call, cursor: string) =>
  (await call<{ items: unknown[] }>('GET', `/changes?cursor=${cursor}`)).body.data.items

const recordOf = async (call: Call, resource: string, id: string) => (await call('GET', `/records/${resource}/${id}`)).body.data

const create = (resource: string, fields: object, more: object = {}) => ({ op: 'create', resource, id: uuid(), fields, ...more })
const variable = (parentId: string, name: string, text = name) => create('variable', { name, value: sealed(text) }, { parentId })

/** A project with the environments `dev` and `prod`, and a variable A in the first. */
const makePlaces = async (call: Call, slug = 'app') => {
  const project = create('project', { name: slug, slug })
  const dev = create('environment', { name: 'Dev', slug: 'dev' }, { parentId: project.id })
  const prod = create('environment', { name: 'Prod', slug: 'prod' }, { parentId: project.id })
  const a = variable(dev.id, 'A', 'a')
  const { items } = (await send(call, [project, dev, prod, a])).body.data
  const etag = items[3]?.record?.etag
  return { slug, projectId: project.id, environmentId: dev.id, otherId: prod.id, a: { id: a.id, etag } }
}
type Places = Awaited<ReturnType<typeof makePlaces>>

describe.each(databases)('a batch of changes on %s', (kind) => {
  const start = useServices(kind)

  test('makes a project, an environment and its variables in one request, each with the id its client made', async () => {
    const { call } = await start()
    const project = create('project', { name: 'Web', slug: 'web' })
    const environment = create('environment', { name: 'Dev', slug: 'dev' }, { parentId: project.id })
    const plain = variable(environment.id, 'PLAIN')
    const secret = create('variable', { name: 'SECRET', value: sealed('s'), type: 'number', isSecret: true }, { parentId: environment.id })
    const version = create('version', { label: 'first', note: 'n' }, { parentId: environment.id })
    const member = create('member', { email: 'ada@example.com', roleId: 'viewer' })
    const changes = [project, environment, plain, secret, version, member]
    const reply = await send(call, changes)
    expect(reply.status).toBe(200)
    expect(reply.body).toMatchObject({ success: true, code: 200, message: 'Changes saved.' })
    const { items } = reply.body.data
    expect(items.map((item) => [item.id, item.status])).toEqual(changes.map(({ id }) => [id, 'done']))
    expect(items.map((item) => item.record)).toMatchObject([
      { id: project.id, name: 'Web', slug: 'web', updatedBy: 'owner@localhost' },
      { id: environment.id, projectId: project.id, slug: 'dev' },
      { id: plain.id, environmentId: environment.id, name: 'PLAIN', value: sealed('PLAIN'), type: 'string', isSecret: false },
      { id: secret.id, environmentId: environment.id, type: 'number', isSecret: true },
      { id: version.id, environmentId: environment.id, label: 'first', note: 'n', variableCount: 2 },
      { id: member.id, email: 'ada@example.com', status: 'invited', roleId: 'viewer' },
    ])
    // The same records by id and in the feed, with the same ETags.
    const feed = await call<{ items: { id: string; record: object }[] }>('GET', '/changes')
    for (const [index, { resource, id }] of changes.entries()) {
      const read = await call('GET', `/records/${resource}/${id}`)
      expect(read.body.data).toStrictEqual(items[index]?.record)
      expect(read.etag).toBe(read.body.data['etag'])
      expect(feed.body.data.items.find((entry) => entry.id === id)?.record).toStrictEqual(read.body.data)
    }
  })

  test('sent again without a key it finds what it made, and does nothing twice', async () => {
    const { call } = await start()
    const { environmentId, a } = await makePlaces(call)
    const made = variable(environmentId, 'NEW')
    const changes = [
      made,
      create('version', {}, { parentId: environmentId }),
      create('member', { email: 'ada@example.com', roleId: 'viewer' }),
      { op: 'update', resource: 'variable', id: a.id, ifMatch: a.etag, fields: { value: sealed('b') } },
      { op: 'delete', resource: 'variable', id: uuid() },
    ]
    const first = (await send(call, changes)).body.data.items
    const cursor = await cursorOf(call)
    const second = (await send(call, changes)).body.data.items
    expect(outcomes(first)).toEqual(['done', 'done', 'done', 'done', 'done'])
    expect(outcomes(second)).toEqual(['done', 'done', 'done', 412, 'done'])
    expect(second.map((item) => item.record)).toEqual(first.map((item) => item.record))
    expect(await changesAfter(call, cursor)).toEqual([])
  })

  test('sent again with its Idempotency-Key it gets the same answer, refusals included', async () => {
    const { call } = await start()
    const { environmentId } = await makePlaces(call)
    const changes = [variable(environmentId, 'NEW'), variable(environmentId, 'A'), { op: 'delete', resource: 'variable', id: uuid() }]
    const headers = { 'idempotency-key': 'one' }
    const first = await send(call, changes, headers)
    const cursor = await cursorOf(call)
    expect(outcomes(first.body.data.items)).toEqual(['done', 409, 'done'])
    expect((await send(call, changes, headers)).body).toEqual(first.body)
    expect(await changesAfter(call, cursor)).toEqual([])
    expect((await send(call, changes.slice(1), headers)).status).toBe(422)
  })

  test('an item whose parent was refused is refused, and what stands apart is done', async () => {
    const { call } = await start()
    await makeEnvironment(call)
    const project = create('project', { name: 'Web', slug: 'app' })
    const environment = create('environment', { name: 'Dev', slug: 'dev' }, { parentId: project.id })
    const { items } = (
      await send(call, [
        project,
        environment,
        variable(environment.id, 'A'),
        create('version', {}, { parentId: environment.id }),
        create('project', { name: 'Other', slug: 'other' }),
      ])
    ).body.data
    expect(outcomes(items)).toEqual([409, 404, 404, 404, 'done'])
    expect(items.slice(1, 4)).toMatchObject([{ missing: 'parent' }, { missing: 'parent' }, { missing: 'parent' }])
  })

  test('a stale ifMatch is 412 with the record as it is now', async () => {
    const { call } = await start()
    const { projectId, environmentId, a } = await makePlaces(call)
    const member = create('member', { email: 'ada@example.com', roleId: 'viewer' })
    await send(call, [member])
    const ids = [
      ['project', projectId, { name: 'X' }],
      ['environment', environmentId, { name: 'X' }],
      ['variable', a.id, { isSecret: true }],
      ['member', member.id, { roleId: 'editor' }],
    ] as const
    for (const op of ['update', 'delete']) {
      const changes = ids.map(([resource, id, fields]) => ({ op, resource, id, ifMatch: '"0"', ...(op === 'update' ? { fields } : {}) }))
      const { items } = (await send(call, changes)).body.data
      expect(outcomes(items)).toEqual([412, 412, 412, 412])
      for (const [index, [resource, id]] of ids.entries()) expect(items[index]?.record).toStrictEqual(await recordOf(call, resource, id))
    }
  })

  test('a name, slug, label or e-mail that is taken is 409 with the record that holds it', async () => {
    const { call } = await start()
    const { projectId, environmentId, otherId, a } = await makePlaces(call)
    const version = create('version', { label: 'one' }, { parentId: environmentId })
    const member = create('member', { email: 'Ada@example.com', roleId: 'viewer' })
    const b = variable(environmentId, 'B')
    const twin = variable(otherId, 'A')
    await send(call, [version, member, b, twin])
    const cases = [
      [create('project', { name: 'P', slug: 'app' }), 'project', projectId],
      [create('environment', { name: 'E', slug: 'dev' }, { parentId: projectId }), 'environment', environmentId],
      [{ op: 'update', resource: 'environment', id: otherId, fields: { slug: 'dev' } }, 'environment', environmentId],
      [variable(environmentId, 'A'), 'variable', a.id],
      [{ op: 'update', resource: 'variable', id: b.id, fields: { name: 'A' } }, 'variable', a.id],
      [{ op: 'update', resource: 'variable', id: a.id, fields: { parentId: otherId } }, 'variable', twin.id],
      [create('version', { label: 'one' }, { parentId: environmentId }), 'version', version.id],
      [create('member', { email: 'ADA@example.com', roleId: 'editor' }), 'member', member.id],
    ] as const
    const { items } = (
      await send(
        call,
        cases.map(([change]) => change),
      )
    ).body.data
    expect(outcomes(items)).toEqual(cases.map(() => 409))
    for (const [index, [, resource, id]] of cases.entries()) expect(items[index]?.record).toStrictEqual(await recordOf(call, resource, id))
  })

  test('items of one request see what those before them did', async () => {
    const { call } = await start()
    const { environmentId, a } = await makePlaces(call)
    const first = variable(environmentId, 'NEW', '1')
    const second = variable(environmentId, 'NEW', '2')
    const third = variable(environmentId, 'A', '3')
    const { items } = (
      await send(call, [
        first,
        second,
        first,
        { op: 'update', resource: 'variable', id: first.id, fields: { name: 'OTHER' } },
        second,
        { op: 'delete', resource: 'variable', id: a.id, ifMatch: a.etag },
        third,
        { op: 'delete', resource: 'variable', id: first.id },
        first,
        create('version', {}, { parentId: environmentId }),
      ])
    ).body.data
    expect(outcomes(items)).toEqual(['done', 409, 'done', 'done', 'done', 'done', 'done', 'done', 410, 'done'])
    expect(items[1]?.record).toMatchObject({ id: first.id })
    expect(items.at(-1)?.record).toMatchObject({ variableCount: 2 })
    const live = await readVariables(call)
    expect([...live].map(([name, { id, value }]) => [name, id, value])).toEqual([
      ['NEW', second.id, sealed('2')],
      ['A', third.id, sealed('3')],
    ])
  })

  test('a variable moves to another environment with its id, and may be renamed on the way', async () => {
    const { call } = await start()
    const { otherId, a } = await makePlaces(call)
    await send(call, [variable(otherId, 'A')])
    const cursor = await cursorOf(call)
    const move = {
      op: 'update',
      resource: 'variable',
      id: a.id,
      ifMatch: a.etag,
      fields: { parentId: otherId, name: 'B', value: sealed('moved') },
    }
    const { items } = (await send(call, [move])).body.data
    expect(items[0]?.record).toMatchObject({ id: a.id, environmentId: otherId, name: 'B', value: sealed('moved') })
    expect((await readVariables(call)).size).toBe(0)
    const feed = await call<{ items: { id: string; deleted: boolean }[] }>('GET', `/changes?cursor=${cursor}`)
    expect(feed.body.data.items).toMatchObject([{ id: a.id, deleted: false, record: { environmentId: otherId } }])
    const nowhere = { op: 'update', resource: 'variable', id: a.id, fields: { parentId: uuid() } }
    expect((await send(call, [nowhere])).body.data.items).toMatchObject([{ code: 404, missing: 'parent' }])
  })

  test('ids that nothing has: updates are 404, deletes are done', async () => {
    const { call } = await start()
    await makeEnvironment(call)
    // Of another workspace: its ids mean nothing here.
    const elsewhere = await start()
    const there = await makePlaces(elsewhere.call)
    const member = create('member', { email: 'ada@example.com', roleId: 'viewer' })
    const version = create('version', {}, { parentId: there.environmentId })
    await send(elsewhere.call, [member, version])
    const ids = [
      ['project', there.projectId, { name: 'X' }],
      ['environment', there.environmentId, { name: 'X' }],
      ['variable', there.a.id, { isSecret: true }],
      ['member', member.id, { roleId: 'editor' }],
    ] as const
    const cursor = await cursorOf(call)
    const updates = ids.map(([resource, id, fields]) => ({ op: 'update', resource, id, ifMatch: '*', fields }))
    const rollback = { op: 'rollback', resource: 'version', id: version.id }
    const answers = (await send(call, [...updates, rollback])).body.data.items
    expect(outcomes(answers)).toEqual([404, 404, 404, 404, 404])
    expect(answers).toMatchObject(answers.map(() => ({ missing: 'record' })))
    const creates = [variable(there.environmentId, 'A'), create('version', {}, { parentId: there.environmentId })]
    expect((await send(call, creates)).body.data.items).toMatchObject(creates.map(() => ({ code: 404, missing: 'parent' })))
    const deletes = ids.map(([resource, id]) => ({ op: 'delete', resource, id, ifMatch: '"1"' }))
    expect((await send(call, deletes)).body.data.items).toEqual(ids.map(([, id]) => ({ id, status: 'done', record: null })))
    for (const [resource, id] of [...ids, ['version', version.id]])
      expect((await call('GET', `/records/${resource}/${id}`)).status).toBe(404)
    expect(await changesAfter(call, cursor)).toEqual([])
  })

  test('an id that was deleted is not made again', async () => {
    const { call } = await start()
    const project = create('project', { name: 'Web', slug: 'web' })
    const environment = create('environment', { name: 'Dev', slug: 'dev' }, { parentId: project.id })
    const one = variable(environment.id, 'A')
    const version = create('version', {}, { parentId: environment.id })
    const member = create('member', { email: 'ada@example.com', roleId: 'viewer' })
    const all = [project, environment, one, version, member]
    await send(call, all)
    const { items } = (
      await send(call, [{ op: 'delete', resource: 'project', id: project.id }, { op: 'delete', resource: 'member', id: member.id }, ...all])
    ).body.data
    expect(outcomes(items)).toEqual(['done', 'done', 410, 410, 410, 410, 410])
  })

  test.each([
    { what: 'a name that no variable can have', fields: { name: 'a/b', value: sealed('1') }, code: 422 },
    { what: 'a value that is not sealed', fields: { name: 'B', value: 'plain' }, code: 422 },
    { what: 'a value above 4 MiB', fields: { name: 'B', value: `v1:${'A'.repeat(4 * 1024 * 1024)}` }, code: 413 },
    { what: 'a field it does not know', fields: { name: 'B', value: sealed('1'), admin: true }, code: 422 },
    { what: 'no fields', fields: undefined, code: 422 },
    { what: 'a name that no text can be made of', fields: { name: { toString: 0 }, value: sealed('1') }, code: 422 },
    { what: 'a parent that no text can be made of', more: { id: uuid(), parentId: { toString: 0 } }, code: 422 },
    { what: 'another operation', more: { op: 'upsert' }, code: 422 },
    { what: 'another resource', more: { resource: 'workspace' }, code: 422 },
    { what: 'an id that is no UUID', more: { id: 'one' }, code: 422 },
    { what: 'a key that it does not take', more: { id: uuid(), seen: 'x' }, code: 422 },
    { what: 'an ifMatch that is no ETag', more: { op: 'delete', fields: undefined, parentId: undefined, ifMatch: 'x' }, code: 400 },
  ])('an item with $what is $code, and the others are done', async ({ code, ...given }) => {
    const { call } = await start()
    const { environmentId, a } = await makePlaces(call)
    const bad = {
      ...variable(environmentId, 'B'),
      id: a.id,
      ...('fields' in given ? { fields: given.fields, id: uuid() } : {}),
      ...given.more,
    }
    const { items } = (await send(call, [variable(environmentId, 'C'), bad, variable(environmentId, 'D')])).body.data
    expect(outcomes(items)).toEqual(['done', code, 'done'])
    expect(items[1]).toStrictEqual({ id: bad.id, status: 'failed', code, message: expect.stringMatching(/^\w.*\.$/) as string })
    expect([...(await readVariables(call)).keys()]).toEqual(['A', 'C', 'D'])
  })

  test.each([
    { what: 'no body', body: undefined },
    { what: 'no items', body: { changes: [] } },
    { what: '201 items', body: { changes: Array.from({ length: 201 }, () => ({ id: uuid() })) } },
    { what: 'an item without an id', body: { changes: [{ op: 'delete', resource: 'variable' }] } },
  ])('a request with $what is 422', async ({ body }) => {
    const { call } = await start()
    expect((await call('POST', '/changes', body)).status).toBe(422)
  })

  test.each<{ role: RoleId; may: (string | number)[] }>([
    { role: 'owner', may: ['done', 'done', 'done', 'done', 'done', 'done', 'done', 'done', 'done'] },
    { role: 'admin', may: ['done', 'done', 'done', 'done', 'done', 'done', 403, 'done', 'done'] },
    { role: 'editor', may: [403, 'done', 'done', 'done', 'done', 403, 403, 403, 403] },
    { role: 'viewer', may: [403, 403, 403, 403, 403, 403, 403, 403, 403] },
  ])('each item needs its right: $role', async ({ role, may }) => {
    const { call, memberCall } = await start()
    const { projectId, environmentId, otherId, a } = await makePlaces(call)
    const version = create('version', {}, { parentId: environmentId })
    await send(call, [version])
    const member = await memberCall(role)
    const { items } = (
      await send(member, [
        create('project', { name: 'P', slug: 'p' }),
        create('environment', { name: 'E', slug: 'e' }, { parentId: projectId }),
        { op: 'update', resource: 'variable', id: a.id, fields: { isSecret: true } },
        create('version', {}, { parentId: environmentId }),
        { op: 'rollback', resource: 'version', id: version.id },
        create('member', { email: 'a@example.com', roleId: 'viewer' }),
        create('member', { email: 'b@example.com', roleId: 'owner' }),
        { op: 'delete', resource: 'environment', id: otherId },
        { op: 'delete', resource: 'project', id: projectId },
      ])
    ).body.data
    expect(outcomes(items)).toEqual(may)
  })

  test('a changed role counts for the items after it and for the next request, a removed member opens nothing', async () => {
    const { call, memberCall } = await start()
    const admin = await memberCall('admin')
    const members = await call<{ items: { id: string; email: string }[] }>('GET', '/members')
    const id = members.body.data.items.find(({ email }) => email.startsWith('admin-'))?.id
    const demote = { op: 'update', resource: 'member', id, ifMatch: '*', fields: { roleId: 'viewer' } }
    const reply = await send(admin, [create('project', { name: 'P', slug: 'p' }), demote, create('project', { name: 'Q', slug: 'q' })])
    expect(outcomes(reply.body.data.items)).toEqual(['done', 'done', 403])
    expect((await admin('GET', '/audit')).status).toBe(403)
    await send(call, [{ op: 'delete', resource: 'member', id }])
    expect((await admin('GET', '/workspace')).status).toBe(401)
  })

  test('a rollback makes the environment equal the version and says how', async () => {
    const { call } = await start()
    const { environmentId, a } = await makePlaces(call)
    const version = create('version', { label: 'one' }, { parentId: environmentId })
    const b = variable(environmentId, 'B')
    const change = { op: 'update', resource: 'variable', id: a.id, fields: { value: sealed('changed') } }
    const rollback = { op: 'rollback', resource: 'version', id: version.id }
    const { items } = (await send(call, [version, b, change, rollback])).body.data
    expect(items[3]).toMatchObject({
      status: 'done',
      record: { id: version.id, label: 'one' },
      counts: { added: 0, updated: 1, removed: 1 },
    })
    expect([...(await readVariables(call))].map(([name, { value }]) => [name, value])).toEqual([['A', sealed('a')]])
  })

  // What happens between the look and the item, and whether deleting the environment, deleting its project and rolling back are refused.
  test.each<{ what: string; act: (call: Call, places: Places) => Promise<unknown>; refused: boolean[] }>([
    { what: 'nothing', act: () => Promise.resolve(), refused: [false, false, false] },
    {
      what: 'a new variable',
      act: (call, { environmentId }) => send(call, [variable(environmentId, 'NEW')]),
      refused: [true, true, true],
    },
    {
      what: 'a changed variable',
      act: (call, { a }) => call('PATCH', `/variables/${a.id}`, { isSecret: true }),
      refused: [true, true, true],
    },
    {
      what: 'a deleted variable',
      act: (call, { slug }) => call('DELETE', `/projects/${slug}/environments/dev/variables/A`),
      refused: [false, false, true],
    },
    {
      what: 'variables deleted in bulk',
      act: (call, { slug }) => call('DELETE', `/projects/${slug}/environments/dev/variables`, { names: ['A'] }),
      refused: [false, false, true],
    },
    {
      what: 'a variable that moved away',
      act: (call, { a, otherId }) => send(call, [{ op: 'update', resource: 'variable', id: a.id, fields: { parentId: otherId } }]),
      refused: [false, true, true],
    },
    {
      what: 'a new version',
      act: (call, { environmentId }) => send(call, [create('version', {}, { parentId: environmentId })]),
      refused: [true, true, false],
    },
    {
      what: 'a renamed environment',
      act: (call, { slug }) => call('PATCH', `/projects/${slug}/environments/dev`, { name: 'X' }),
      refused: [true, true, true],
    },
    {
      what: 'a renamed project',
      act: (call, { slug }) => call('PATCH', `/projects/${slug}`, { name: 'X' }),
      refused: [false, true, false],
    },
    {
      what: 'a variable elsewhere in the project',
      act: (call, { otherId }) => send(call, [variable(otherId, 'N')]),
      refused: [false, true, false],
    },
    {
      what: 'a new environment',
      act: (call, { slug }) => call('POST', `/projects/${slug}/environments`, { name: 'E', slug: 'e' }),
      refused: [false, true, false],
    },
    {
      what: 'a new project',
      act: (call, { slug }) => send(call, [create('project', { name: 'P', slug: `${slug}-2` })]),
      refused: [false, false, false],
    },
  ])('$what since the cursor that was seen', async ({ act, refused }) => {
    const { call } = await start()
    for (const [index, stale] of refused.entries()) {
      const places = await makePlaces(call, `app${index}`)
      const version = create('version', {}, { parentId: places.environmentId })
      await send(call, [version])
      const seen = await cursorOf(call)
      await act(call, places)
      const change = [
        { op: 'delete', resource: 'environment', id: places.environmentId, seen },
        { op: 'delete', resource: 'project', id: places.projectId, seen },
        { op: 'rollback', resource: 'version', id: version.id, seen },
      ][index]
      if (change === undefined) throw new Error('there are three')
      const before = change.resource === 'version' ? null : await recordOf(call, change.resource, change.id)
      const [item] = (await send(call, [change])).body.data.items
      expect(item, `${change.op} ${change.resource}`).toMatchObject(stale ? { status: 'failed', code: 412 } : { status: 'done' })
      if (stale) expect(item?.record).toStrictEqual(before)
    }
  })

  test.each(['x', 'abc.1', ''])('a seen cursor %j of no history here is 412', async (seen) => {
    const { call } = await start()
    const { environmentId } = await makeEnvironment(call)
    const { items } = (await send(call, [{ op: 'delete', resource: 'environment', id: environmentId, seen }])).body.data
    expect(outcomes(items)).toEqual([412])
  })

  test('the audit list says of each item that was done what a single route says', async () => {
    const { call } = await start()
    const { environmentId, a } = await makePlaces(call)
    const made = variable(environmentId, 'NEW')
    await send(call, [
      made,
      made,
      { op: 'update', resource: 'variable', id: a.id, fields: { value: sealed('2') } },
      { op: 'update', resource: 'variable', id: a.id, ifMatch: '"0"', fields: { value: sealed('3') } },
      { op: 'delete', resource: 'variable', id: made.id },
      { op: 'delete', resource: 'variable', id: made.id },
      create('version', { label: 'one' }, { parentId: environmentId }),
      { op: 'delete', resource: 'environment', id: environmentId },
    ])
    const audit = await call<{ items: { action: string; resourceId: string; detail: object }[] }>('GET', '/audit?limit=5')
    expect(audit.body.data.items.toReversed().map(({ action, detail }) => [action, detail])).toEqual([
      ['variable.create', { name: 'NEW' }],
      ['variable.update', { name: 'A', fields: ['value'] }],
      ['variable.delete', { name: 'NEW' }],
      ['version.create', { label: 'one' }],
      ['environment.delete', { name: 'Dev', slug: 'dev' }],
    ])
  })

  test('200 variables are made, changed and deleted in one request each', async () => {
    const { call } = await start()
    const { environmentId } = await makeEnvironment(call)
    const made = Array.from({ length: 200 }, (_, index) => variable(environmentId, `N${index}`))
    const first = (await send(call, made)).body.data.items
    expect(new Set(outcomes(first))).toEqual(new Set(['done']))
    expect([...(await readVariables(call)).values()].map(({ id }) => id)).toEqual(made.map(({ id }) => id))
    const updates = made.map(({ id }, index) => ({
      op: 'update',
      resource: 'variable',
      id,
      ifMatch: first[index]?.record?.etag,
      fields: { value: sealed(`new ${index}`) },
    }))
    expect(new Set(outcomes((await send(call, updates)).body.data.items))).toEqual(new Set(['done']))
    expect((await readVariables(call)).get('N7')?.value).toBe(sealed('new 7'))
    expect(
      new Set(
        outcomes(
          (
            await send(
              call,
              made.map(({ id }) => ({ op: 'delete', resource: 'variable', id })),
            )
          ).body.data.items,
        ),
      ),
    ).toEqual(new Set(['done']))
    expect((await readVariables(call)).size).toBe(0)
  })

  test.each(['workspace', 'nothing', 'variables'])('there are no records of the kind %s', async (resource) => {
    const { call, workspaceId } = await start()
    expect((await call('GET', `/records/${resource}/${workspaceId}`)).status).toBe(404)
  })
})
