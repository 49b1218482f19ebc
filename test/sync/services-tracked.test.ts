import { describe, expect, test } from 'vitest'
import { trackNames, untrackNames } from '../../electron/app/tracked-names/track-names.ts'
import { getBase, putBase } from '../../electron/mirror/base-layer.ts'
import { enqueue } from '../../electron/mirror/enqueue.ts'
import { allTracked } from '../../electron/mirror/tracked-layer.ts'
import { mergeableOf } from '../../electron/queue/fields.ts'
import { asShown } from '../support/as-shown.ts'
import { type TestClient, unreachable, type Network } from '../support/build-client.ts'
import { deskOf, workspaceId } from '../support/desk.ts'
import { only14, withoutFeed, withoutEtags } from '../support/reduced-service.ts'
import { createServiceStage } from '../support/service-stage.ts'
import { valueOf } from '../support/value-of.ts'

const stage = createServiceStage()

/** A client, to whom the service offers the 14 operations alone unless the network says otherwise. */
function open(network: Network = only14): TestClient {
  const client = stage.open()
  client.network = network
  return client
}

/** What a colleague does by the web application of that service: whatever it is, the records are there afterwards. */
async function elsewhere(work: (client: TestClient) => void): Promise<void> {
  const client = open((forward) => forward())
  await client.sync()
  work(client)
  await client.sync()
  expect(client.queue()).toEqual([])
}

const prodOf = (client: TestClient) => client.find('environment', client.find('project', null, 'shop').id, 'prod').id

const withShop = (variables: Record<string, string>) =>
  elsewhere((client) => {
    client.createProject('Shop')
    client.createEnvironment('shop', 'Prod')
    for (const [name, value] of Object.entries(variables)) client.setVariable(prodOf(client), name, value)
  })

const trackIn = (client: TestClient, project: string, environment: string | null, names: string[]) =>
  client.mirror.write((tx) => trackNames(tx, client.newId, { project, environment, names }))

const statesOf = (client: TestClient) => Object.fromEntries(client.mirror.snapshot(allTracked).map(({ key: name, state }) => [name, state]))

describe('on a service with the 14 operations alone', () => {
  test('what it cannot list is known as soon as an environment is tracked, and open screens are told', async () => {
    await withShop({ A: '1' })
    const client = open()
    await client.sync()
    expect(client.members().limit).toContain('can’t list members')
    trackIn(client, 'shop', 'prod', ['A'])
    // As the timer does, and not the user, who would have everything asked for anew.
    client.engine.start()
    await expect.poll(() => client.contents()).toHaveProperty('shop/prod/A')
    await client.engine.stop()
    expect(client.versions(prodOf(client)).limit).toContain('can’t list versions')
    expect([...client.told]).toEqual(expect.arrayContaining(['versions', 'members']))
  })

  test('what the user names is mirrored, and type and secrecy stay unknown', async () => {
    await withShop({ A: '1', B: '2', C: '3' })
    const client = open()
    await client.sync()
    expect(client.contents()).toEqual({})
    trackIn(client, 'shop', 'prod', ['A', 'B', 'NOT_THERE'])
    await client.sync()
    expect(client.contents()).toEqual({ shop: '', 'shop/prod': '', 'shop/prod/A': '1', 'shop/prod/B': '2' })
    expect(client.find('variable', prodOf(client), 'A').fields).toEqual({ name: 'A', value: expect.anything() })
    expect(statesOf(client)).toEqual({ shop: 'there', prod: 'there', A: 'there', B: 'there', NOT_THERE: 'missing' })
    expect(client.engine.status().problem).toBeNull()
    expect(client.drift()).toEqual([])
  })

  test('two records that bear one name for a while stop no sync, and what the service has is tracked in the end', async () => {
    await withShop({ A: 'first' })
    const client = open()
    trackIn(client, 'shop', 'prod', ['A'])
    await client.sync()
    const first = client.find('variable', prodOf(client), 'A').id
    await elsewhere((colleague) => {
      colleague.renameVariable(prodOf(colleague), 'A', 'OLD')
      colleague.setVariable(prodOf(colleague), 'A', 'second')
    })
    // As it is between the answer to a create and the next look at the one that bore the name before.
    client.mirror.write((tx) => {
      const row = getBase(tx, first)
      if (row !== null) putBase(tx, { ...row, id: 'second', remoteId: 'not-read-yet' })
    })
    client.network = unreachable
    await client.sync()
    expect(client.engine.status().problem?.kind).toBe('offline')
    client.network = only14
    await client.sync()
    expect(client.contents()).toEqual({ shop: '', 'shop/prod': '', 'shop/prod/A': 'second' })
    expect(statesOf(client)).toEqual({ shop: 'there', prod: 'there', A: 'there' })
  })

  test('what is tracked offline is read when the service is back', async () => {
    await withShop({ A: '1' })
    const client = open()
    client.network = unreachable
    trackIn(client, 'shop', 'prod', ['A'])
    await client.sync()
    expect(statesOf(client)).toEqual({ shop: 'waiting', prod: 'waiting', A: 'waiting' })
    client.network = only14
    client.restart()
    await client.sync()
    expect(client.contents()).toMatchObject({ 'shop/prod/A': '1' })
  })

  test.each([
    ['a project', 'shop', /\/projects\/shop$/],
    ['a project, while what is in it is read', 'shop', /\/environments\/prod$/],
    ['an environment, while what is in it is read', 'prod', /\/variables\/A$/],
    ['a variable', 'A', /\/variables\/A$/],
  ])('what is no longer tracked stays away, though an answer about it was under way: %s', async (_, name, asked) => {
    await withShop({ A: '1' })
    const client = open()
    trackIn(client, 'shop', 'prod', ['A'])
    await client.sync()
    client.network = async (forward, request) => {
      const answer = await only14(forward, request)
      if (asked.test(request.path)) {
        const ids = client.mirror.snapshot(allTracked).flatMap(({ id, key: tracked }) => (tracked === name ? [id] : []))
        expect(client.mirror.write((tx) => untrackNames(tx, { now: client.now(), newId: client.newId }, ids))).toMatchObject({ ok: true })
      }
      return answer
    }
    await client.sync()
    client.network = only14
    await client.sync()
    const left = ['shop', 'prod', 'A'].slice(0, ['shop', 'prod', 'A'].indexOf(name))
    expect(Object.keys(statesOf(client))).toEqual(left)
    expect(Object.keys(client.contents())).toEqual(left.map((_one, depth) => left.slice(0, depth + 1).join('/')))
  })

  test('an environment stays tracked while a variable that is moved out of it waits to be sent', async () => {
    await withShop({ A: '1' })
    await elsewhere((other) => void other.createEnvironment('shop', 'Dev'))
    const client = open()
    trackIn(client, 'shop', 'prod', ['A'])
    trackIn(client, 'shop', 'dev', [])
    await client.sync()
    const shop = client.find('project', null, 'shop').id
    const [dev, prod] = [client.find('environment', shop, 'dev').id, prodOf(client)]
    const moved = client.find('variable', prod, 'A')
    const change = { kind: 'update', rowKind: 'variable', rowId: moved.id, patch: { parent: dev }, base: mergeableOf(moved) } as const
    const edit = { now: client.now(), newId: client.newId }
    client.mirror.write((tx) => enqueue(tx, { ...change, ancestors: [dev, shop], leaves: [prod, shop] }, edit))
    const ids = client.mirror.snapshot(allTracked).flatMap(({ id, key: tracked }) => (tracked === 'prod' ? [id] : []))
    expect(client.mirror.write((tx) => untrackNames(tx, edit, ids))).toMatchObject({
      ok: false,
      error: { kind: 'unsent-edits', message: expect.stringContaining('prod has an unsent change.') },
    })
    expect(client.contents()).toMatchObject({ 'shop/dev/A': '1' })
  })

  test('edits and deletes of what is tracked go through, and what was deleted here is no longer tracked', async () => {
    await withShop({ A: '1', B: '2' })
    const client = open()
    trackIn(client, 'shop', 'prod', ['A', 'B'])
    await client.sync()
    client.setVariable(prodOf(client), 'A', 'changed')
    client.deleteVariable(prodOf(client), 'B')
    await client.sync()
    expect(client.queue()).toEqual([])
    expect(statesOf(client)).toEqual({ shop: 'there', prod: 'there', A: 'there' })
    await elsewhere((other) => expect(other.contents()).toMatchObject({ 'shop/prod/A': 'changed' }))
  })

  test('what a colleague changes, deletes and makes again arrives', async () => {
    await withShop({ A: '1', B: '2' })
    const client = open()
    trackIn(client, 'shop', 'prod', ['A', 'B'])
    await client.sync()
    await elsewhere((other) => {
      other.setVariable(prodOf(other), 'A', 'theirs')
      other.deleteVariable(prodOf(other), 'B')
    })
    await client.sync()
    expect(client.contents()).toEqual({ shop: '', 'shop/prod': '', 'shop/prod/A': 'theirs' })
    expect(statesOf(client)).toMatchObject({ A: 'there', B: 'missing' })
    await elsewhere((other) => other.setVariable(prodOf(other), 'B', 'again'))
    await client.sync()
    expect(client.contents()).toMatchObject({ 'shop/prod/B': 'again' })
  })

  test('a record made anew under a tracked name takes the place of the old one', async () => {
    await withShop({ A: '1' })
    const client = open()
    trackIn(client, 'shop', 'prod', ['A'])
    await client.sync()
    await elsewhere((other) => other.deleteVariable(prodOf(other), 'A'))
    await elsewhere((other) => other.setVariable(prodOf(other), 'A', 'another record'))
    await client.sync()
    expect(client.contents()).toEqual({ shop: '', 'shop/prod': '', 'shop/prod/A': 'another record' })
    expect(client.drift()).toEqual([])
  })

  test('both changing one field is a conflict there too', async () => {
    await withShop({ A: '1' })
    const client = open()
    trackIn(client, 'shop', 'prod', ['A'])
    await client.sync()
    await elsewhere((other) => other.setVariable(prodOf(other), 'A', 'theirs'))
    client.setVariable(prodOf(client), 'A', 'mine')
    await client.sync()
    const [parked] = client.queue()
    expect(parked).toMatchObject({ state: 'conflict', conflict: { kind: 'fields' } })
    client.resolve(parked?.id ?? '', { take: 'mine' })
    await client.sync()
    expect(client.queue()).toEqual([])
    await elsewhere((other) => expect(other.contents()).toMatchObject({ 'shop/prod/A': 'mine' }))
  })

  test('an edit of what somebody deleted asks, and is not dropped', async () => {
    await withShop({ A: '1' })
    const client = open()
    trackIn(client, 'shop', 'prod', ['A'])
    await client.sync()
    await elsewhere((other) => other.deleteVariable(prodOf(other), 'A'))
    client.setVariable(prodOf(client), 'A', 'mine')
    await client.sync()
    expect(client.queue()).toMatchObject([{ state: 'conflict', conflict: { kind: 'deleted-remotely' } }])
    expect(client.contents()).toMatchObject({ 'shop/prod/A': 'mine' })
  })

  test('a new variable waits, says why, and settles once somebody has made it there', async () => {
    await withShop({ A: '1' })
    const client = open()
    trackIn(client, 'shop', 'prod', ['A'])
    await client.sync()
    client.setVariable(prodOf(client), 'NEW', 'made here')
    await client.sync()
    expect(client.queue()).toMatchObject([
      { state: 'blocked', reason: 'This service can’t create variables. The change is kept here until it can.' },
    ])
    await elsewhere((other) => other.setVariable(prodOf(other), 'NEW', 'made here'))
    await client.sync()
    expect(client.queue()).toEqual([])
    expect(statesOf(client)).toMatchObject({ NEW: 'there' })
  })

  test('a new variable that somebody made with another value asks', async () => {
    await withShop({ A: '1' })
    const client = open()
    trackIn(client, 'shop', 'prod', ['A'])
    await client.sync()
    client.setVariable(prodOf(client), 'NEW', 'mine')
    await client.sync()
    await elsewhere((other) => other.setVariable(prodOf(other), 'NEW', 'theirs'))
    await client.sync()
    expect(client.queue()).toMatchObject([{ state: 'conflict', conflict: { kind: 'name-taken' } }])
  })

  test('a new project and all in it wait, and go on when somebody makes the project', async () => {
    const client = open()
    client.createProject('Shop')
    client.createEnvironment('shop', 'Prod')
    await client.sync()
    expect(client.queue()).toMatchObject([
      { state: 'blocked', rowKind: 'project' },
      { state: 'queued', rowKind: 'environment' },
    ])
    await elsewhere((other) => other.createProject('Shop'))
    await client.sync()
    expect(client.queue()).toEqual([])
    expect(statesOf(client)).toEqual({ shop: 'there', prod: 'there' })
  })

  test('a renamed environment keeps what is tracked in it, also when two swap their names', async () => {
    await withShop({ A: '1' })
    await elsewhere((other) => {
      other.createEnvironment('shop', 'Dev')
      other.setVariable(other.find('environment', other.find('project', null, 'shop').id, 'dev').id, 'D', 'of dev')
    })
    const client = open()
    trackIn(client, 'shop', 'prod', ['A'])
    trackIn(client, 'shop', 'dev', ['D'])
    await client.sync()
    const shop = client.find('project', null, 'shop').id
    const [dev, prod] = [client.find('environment', shop, 'dev').id, client.find('environment', shop, 'prod').id]
    client.updateParent('environment', dev, { slug: 'free' })
    client.updateParent('environment', prod, { slug: 'dev' })
    client.updateParent('environment', dev, { slug: 'prod' })
    await client.sync()
    await client.sync()
    expect(client.queue()).toEqual([])
    expect(client.contents()).toEqual({ shop: '', 'shop/dev': '', 'shop/dev/A': '1', 'shop/prod': '', 'shop/prod/D': 'of dev' })
    expect(Object.values(statesOf(client)).every((state) => state === 'there')).toBe(true)
  })

  test('an environment goes that was renamed elsewhere when another has its old slug, also where that one was seen first', async () => {
    await withShop({})
    const client = open()
    trackIn(client, 'shop', 'prod', [])
    await client.sync()
    const shop = client.find('project', null, 'shop').id
    client.createEnvironment('shop', 'New')
    await client.sync()
    // Nothing was read between the two.
    await elsewhere((other) => {
      const here = other.find('project', null, 'shop').id
      other.updateParent('environment', other.find('environment', here, 'prod').id, { slug: 'live' })
    })
    await elsewhere((other) => {
      const here = other.find('project', null, 'shop').id
      other.updateParent('environment', other.find('environment', here, 'new').id, { slug: 'prod' })
    })
    client.mirror.write((tx) => {
      const made = getBase(tx, client.find('environment', shop, 'new').id)
      if (made !== null) putBase(tx, { ...made, fields: { ...made.fields, slug: 'prod' } })
    })
    await client.sync()
    await client.sync()
    expect(client.contents()).toEqual({ shop: '', 'shop/prod': '' })
    expect(client.children('environment', shop)).toMatchObject([{ fields: { name: 'New', slug: 'prod' } }])
  })

  test('one name that the service fails to read holds up no other, and is not taken for gone', async () => {
    await withShop({ A: '1', B: '2' })
    const client = open()
    trackIn(client, 'shop', 'prod', ['A', 'B'])
    await client.sync()
    await elsewhere((other) => other.setVariable(prodOf(other), 'B', 'theirs'))
    client.network = (forward, request) =>
      request.path.endsWith('/variables/A') ? Promise.resolve(Response.json({ success: false }, { status: 500 })) : only14(forward, request)
    await client.sync()
    expect(client.contents()).toMatchObject({ 'shop/prod/A': '1', 'shop/prod/B': 'theirs' })
    expect(client.engine.status().problem).toMatchObject({ kind: 'service' })
  })

  test.each([
    { what: 'the project', path: /\/projects\/shop$/ },
    { what: 'an environment in it', path: /\/environments\/prod$/ },
    { what: 'a variable in it', path: /\/variables\/A$/ },
  ])('a project is not deleted while the service refuses to show $what, and says why', async ({ path }) => {
    await withShop({ A: '1', B: '2' })
    const client = open()
    trackIn(client, 'shop', 'prod', ['A', 'B'])
    await client.sync()
    client.deleteParent('project', client.find('project', null, 'shop').id)
    await elsewhere((other) => other.setVariable(prodOf(other), 'A', 'theirs'))
    client.network = (forward, request) =>
      request.method === 'GET' && path.test(request.path)
        ? Promise.resolve(Response.json({ success: false, code: 403, message: 'No.', data: {} }, { status: 403 }))
        : only14(forward, request)
    await client.sync()
    expect(client.queue()).toMatchObject([{ kind: 'delete', state: 'queued', reason: expect.stringContaining('wasn’t deleted') }])
    client.network = only14
    client.retry(client.queue()[0]?.id ?? '')
    await client.sync()
    expect(client.queue()).toMatchObject([{ kind: 'delete', conflict: { kind: 'changed-below' } }])
  })

  test('an edit that comes back with its project is sent, too, when its name is no longer tracked', async () => {
    await withShop({ A: '1' })
    const client = open()
    const { handlers } = deskOf(client)
    trackIn(client, 'shop', 'prod', ['A'])
    await client.sync()
    const project = client.find('project', null, 'shop').id
    // The service refuses the edit, which waits for its user then.
    client.setVariable(prodOf(client), 'A', 'typed')
    client.network = (forward, request) =>
      request.method === 'PATCH'
        ? Promise.resolve(Response.json({ success: false, code: 422, message: 'No.', data: {} }, { status: 422 }))
        : only14(forward, request)
    await client.sync()
    client.network = unreachable
    await valueOf(handlers['projects.delete']({ workspaceId, id: project, seen: asShown }))
    await valueOf(
      handlers['tracked.remove']({
        workspaceId,
        ids: client.mirror.snapshot(allTracked).flatMap(({ id, key }) => (key === 'A' ? [id] : [])),
      }),
    )
    await valueOf(handlers['undo.undo']({ workspaceId }))
    client.network = only14
    const [edit] = client.queue()
    expect(edit).toMatchObject({ kind: 'update', state: 'failed' })
    client.retry(edit?.id ?? '')
    await client.sync()
    expect([client.queue(), client.drift()]).toEqual([[], []])
    await elsewhere((other) => expect(other.contents()).toMatchObject({ 'shop/prod/A': 'typed' }))
  })

  test('a connection that breaks in the middle takes nothing away', async () => {
    await withShop({ A: '1', B: '2' })
    const client = open()
    trackIn(client, 'shop', 'prod', ['A', 'B'])
    await client.sync()
    client.network = (forward, request) => (request.path.includes('/environments') ? unreachable : only14)(forward, request)
    await client.sync()
    expect(Object.keys(client.contents())).toHaveLength(4)
    expect(client.engine.status().problem).toMatchObject({ kind: 'offline' })
  })

  test('a project that is gone takes what is below it along, in a handful of requests', async () => {
    await withShop(Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`N${n}`, String(n)])))
    const client = open()
    trackIn(
      client,
      'shop',
      'prod',
      Array.from({ length: 30 }, (_, n) => `N${n}`),
    )
    await client.sync()
    await elsewhere((other) => other.deleteParent('project', other.find('project', null, 'shop').id))
    let requests = 0
    client.network = (forward, request) => {
      requests += 1
      return only14(forward, request)
    }
    await client.sync()
    expect(client.contents()).toEqual({})
    expect(requests).toBeLessThan(20)
    expect(Object.values(statesOf(client)).every((state) => state === 'missing')).toBe(true)
  })
})

test('when the service learns to list, all of it comes, and what waited goes', async () => {
  await withShop({ A: '1', B: '2' })
  const client = open()
  trackIn(client, 'shop', 'prod', ['A'])
  await client.sync()
  expect(client.limits()).not.toEqual([])
  client.setVariable(prodOf(client), 'NEW', 'made here')
  await client.sync()
  client.network = (forward) => forward()
  await client.sync()
  expect(client.queue()).toEqual([])
  expect(client.limits()).toEqual([])
  expect(client.contents()).toEqual({ shop: '', 'shop/prod': '', 'shop/prod/A': '1', 'shop/prod/B': '2', 'shop/prod/NEW': 'made here' })
})

test('a service that lists projects and nothing below them is read name by name from there on', async () => {
  await withShop({ A: '1' })
  const client = open((forward, request) => (request.path.endsWith('/projects') ? withoutFeed : only14)(forward, request))
  await client.sync()
  expect(client.contents()).toEqual({ shop: '' })
  trackIn(client, 'shop', 'prod', ['A'])
  await client.sync()
  expect(client.contents()).toMatchObject({ 'shop/prod/A': '1' })
})

test.each<[string, Network]>([
  ['with ETags', withoutFeed],
  ['without any', (forward, request) => withoutEtags(() => withoutFeed(forward, request), request)],
  ['that shows ETags beside its records and heeds none', noHeaders],
])('a service without a feed %s gets no write before the record was read', async (_what, network) => {
  await withShop({ A: '1' })
  const mine = open(network)
  await mine.sync()
  await elsewhere((theirs) => theirs.setVariable(prodOf(theirs), 'A', 'theirs'))
  mine.setVariable(prodOf(mine), 'A', 'mine')
  await mine.sync()
  expect(mine.queue()).toMatchObject([{ state: 'conflict', conflict: { kind: 'fields' } }])
})

/** Takes the ETag headers of the answers away, and If-Match is not heeded. */
async function noHeaders(forward: () => Promise<Response>, request: { method: string; path: string }): Promise<Response> {
  const answer = await withoutFeed(forward, request)
  const headers = new Headers(answer.headers)
  headers.delete('etag')
  return new Response(await answer.text(), { status: answer.status, headers })
}
