import { describe, expect, test } from 'vitest'
import { build } from '../../electron/mirror/tx.ts'
import { loseAnswer, sends, type TestClient, unreachable, type Network } from '../support/build-client.ts'
import { only14, withoutFeed } from '../support/reduced-service.ts'
import { createServiceStage } from '../support/service-stage.ts'

const { open } = createServiceStage()

const connected: Network = (forward) => forward()
const prodOf = (client: TestClient) => client.find('environment', client.find('project', null, 'shop').id, 'prod').id

/** A client with shop/prod on the service and `variables` in it. */
async function shop(variables: Record<string, string> = {}): Promise<{ client: TestClient; prod: string }> {
  const client = open()
  client.createProject('Shop')
  client.createEnvironment('shop', 'Prod')
  const prod = prodOf(client)
  for (const [name, value] of Object.entries(variables)) client.setVariable(prod, name, value)
  await client.sync()
  expect(client.queue()).toEqual([])
  return { client, prod }
}

/** The same with a version `base` of it. */
async function shopWithVersion(variables: Record<string, string>) {
  const { client, prod } = await shop(variables)
  client.snapshot(prod, { label: 'base' })
  await client.sync()
  return { client, prod, base: client.version(prod, 'base').id }
}

async function second() {
  const other = open()
  await other.sync()
  return { other, prod: prodOf(other) }
}

type Sent = 'create version' | 'rollback version'

/** Applies `fault` to the first request that sends such a change, and passes everything else. */
const once = (change: Sent, fault: Network): Network => {
  let done = false
  return (forward, request) => {
    if (done || !sends(change, request)) return forward()
    done = true
    return fault(forward, request)
  }
}

const counting = (change: Sent) => {
  const seen = { count: 0 }
  const network: Network = (forward, request) => {
    if (sends(change, request)) seen.count += 1
    return forward()
  }
  return { seen, network }
}

const failing = (status: number, message = 'No.'): Promise<Response> =>
  Promise.resolve(Response.json({ success: false, code: status, message, data: {} }, { status }))

/** The connection breaks before the request arrives. */
const neverArrived: Network = () =>
  Promise.reject(Object.assign(new TypeError('fetch failed'), { cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }) }))

const valuesIn = (client: TestClient) =>
  Object.fromEntries(
    Object.entries(client.contents())
      .filter(([path]) => path.split('/').length === 3)
      .map(([path, value]) => [path.slice('shop/prod/'.length), value]),
  )

const label = (client: TestClient, prod: string) => client.versions(prod).rows.map((version) => version.label)

describe('a snapshot', () => {
  test('made offline is in the list at once, and on the service when it has been sent, with the label the service gives', async () => {
    const { client, prod } = await shop({ A: '1' })
    client.network = unreachable
    const made = client.snapshot(prod, { note: 'Before the release' })
    await client.sync()
    expect(client.versions(prod).rows).toMatchObject([{ label: null, note: 'Before the release', sync: 'queued', isMirrored: false }])
    client.network = connected
    await client.sync()
    expect(client.operations()).toEqual([])
    expect(client.versions(prod).rows).toMatchObject([
      { id: made.ok ? made.value.id : '', label: 'v1', variableCount: 1, isMirrored: true, sync: 'synced', createdBy: expect.any(String) },
    ])
    const { other, prod: there } = await second()
    expect(other.versions(there).rows).toMatchObject([{ label: 'v1', note: 'Before the release', isMirrored: true }])
  })

  test('holds what was queued before it, and nothing of what was queued after it', async () => {
    const { client, prod } = await shop({ A: 'old', GONE: 'x' })
    client.network = unreachable
    client.setVariable(prod, 'A', 'before')
    client.setVariable(prod, 'B', 'before')
    client.deleteVariable(prod, 'GONE')
    client.snapshot(prod, { label: 'middle' })
    client.setVariable(prod, 'A', 'after')
    client.setVariable(prod, 'C', 'after')
    client.deleteVariable(prod, 'B')
    await client.sync()
    client.restart()
    client.network = connected
    await client.sync()
    expect(client.queueRows()).toEqual([])
    expect(valuesIn(client)).toEqual({ A: 'after', C: 'after' })
    // Rolling back to it would bring A and B as they were when it was taken.
    expect(client.preview(client.version(prod, 'middle').id)).toMatchObject({
      added: 1,
      updated: 1,
      removed: 1,
      names: [
        { name: 'A', does: 'updated' },
        { name: 'B', does: 'added' },
        { name: 'C', does: 'removed' },
      ],
    })
  })

  test('of an environment that is made in the same queue is taken after it', async () => {
    const client = open()
    client.network = unreachable
    client.createProject('Shop')
    client.createEnvironment('shop', 'Prod')
    const prod = prodOf(client)
    client.setVariable(prod, 'A', '1')
    client.snapshot(prod, { label: 'first' })
    client.network = connected
    await client.sync()
    expect(client.version(prod, 'first')).toMatchObject({ variableCount: 1, sync: 'synced' })
  })

  test.each([{ label: 'mine' }, { note: 'only a note' }, {}])(
    'whose answer is lost is found by its id, and not taken twice: %j',
    async (input) => {
      const { client, prod } = await shopWithVersion({ A: '1' })
      client.network = once('create version', loseAnswer)
      const made = client.snapshot(prod, input)
      await client.sync()
      await client.sync()
      expect(client.operations()).toEqual([])
      expect(client.versions(prod).rows).toHaveLength(2)
      expect(client.versions(prod).rows[0]).toMatchObject({ id: made.ok ? made.value.id : '', sync: 'synced' })
    },
  )

  test('whose request never arrived is sent again', async () => {
    const { client, prod } = await shop({ A: '1' })
    client.network = once('create version', () => failing(500))
    client.snapshot(prod, { label: 'mine' })
    await client.sync()
    client.skew = 3_600_000
    await client.sync()
    expect(label(client, prod)).toEqual(['mine'])
  })

  test('whose request never arrived is not taken for one that somebody took since the last sync', async () => {
    const { client, prod } = await shop({ A: '1' })
    const { other, prod: there } = await second()
    other.snapshot(there)
    await other.sync()
    client.network = once('create version', neverArrived)
    const made = client.snapshot(prod)
    await client.sync()
    client.skew = 3_600_000
    await client.sync()
    expect(client.operations()).toEqual([])
    expect(label(client, prod)).toEqual(['v2', 'v1'])
    expect(client.version(prod, 'v2').id).toBe(made.ok ? made.value.id : '')
  })

  test('that is sent a second time is not taken for what somebody took between the two', async () => {
    const { client, prod } = await shop({ A: '1' })
    const { other, prod: there } = await second()
    client.network = (forward, request) => (sends('create version', request) ? neverArrived(forward, request) : forward())
    const made = client.snapshot(prod)
    await client.sync()
    other.snapshot(there)
    await other.sync()
    client.skew = 3_600_000
    await client.sync()
    client.network = connected
    client.skew = 7_200_000
    await client.sync()
    expect(label(client, prod)).toEqual(['v2', 'v1'])
    expect(client.version(prod, 'v2').id).toBe(made.ok ? made.value.id : '')
  })

  test('can be taken back while it waits for a service that does not answer', async () => {
    const { client, prod } = await shop({ A: '1' })
    client.network = (forward, { path }) => (path.endsWith('/workspace') ? forward() : unreachable(forward, { method: '', path }))
    client.snapshot(prod)
    await client.sync()
    const [row] = client.queueRows()
    expect(row).toMatchObject({ kind: 'snapshot', state: 'queued', attempts: 0 })
    expect(client.discard(row?.changeId ?? '')).toMatchObject({ ok: true })
  })

  test('with a label that is taken waits for the user with the service’s words, and holds up no edit', async () => {
    const { client, prod } = await shop({ A: '1' })
    const { other, prod: there } = await second()
    client.network = unreachable
    client.snapshot(prod, { label: 'release' })
    client.setVariable(prod, 'A', '2')
    other.snapshot(there, { label: 'release' })
    await other.sync()
    client.network = connected
    await client.sync()
    expect(client.queueRows()).toMatchObject([{ kind: 'snapshot', state: 'failed', reason: expect.stringContaining('label "release"') }])
    expect(valuesIn(client)).toEqual({ A: '2' })
    await other.sync()
    expect(valuesIn(other)).toEqual({ A: '2' })
  })

  test('that waits behind a change which needs the user says so', async () => {
    const { client, prod } = await shop({ A: '1' })
    const { other, prod: there } = await second()
    client.network = unreachable
    client.setVariable(prod, 'A', 'mine')
    client.snapshot(prod)
    client.setVariable(prod, 'B', 'later')
    other.setVariable(there, 'A', 'theirs')
    await other.sync()
    client.network = connected
    await client.sync()
    expect(client.queueRows()).toMatchObject([
      { kind: 'update', state: 'conflict' },
      { kind: 'snapshot', state: 'queued', waitsFor: { subject: 'variable', name: 'A' } },
      { kind: 'create', state: 'queued' },
    ])
    client.resolve(client.queueRows()[0]?.changeId ?? '', { take: 'mine' })
    await client.sync()
    expect(client.queueRows()).toEqual([])
    expect(client.version(prod, 'v1').variableCount).toBe(1)
  })

  test('on a service without a feed is blocked, and taken once there is one', async () => {
    const { client, prod } = await shop({ A: '1' })
    client.network = only14
    await client.sync()
    client.snapshot(prod)
    await client.sync()
    expect(client.queueRows()).toMatchObject([{ state: 'blocked', reason: expect.stringContaining('can’t create versions') }])
    expect(client.versions(prod).limit).toContain('can’t list versions')
    client.network = connected
    await client.sync()
    expect(client.queueRows()).toEqual([])
    expect(label(client, prod)).toEqual(['v1'])
  })

  test('that the service shows with more variables than it says is not kept, and not asked for again', async () => {
    const { client, prod } = await shopWithVersion({ A: '1' })
    const other = open()
    let asked = 0
    other.network = async (forward, { method, path }) => {
      const answer = await forward()
      if (method !== 'GET' || !/^\/versions\/[^/]+$/.test(path)) return answer
      asked += 1
      const { data } = (await answer.json()) as { data: object }
      const variables = Array.from({ length: 5001 }, (_, index) => ({ name: `N${index}`, value: 'v1:AAAA' }))
      return Response.json({ success: true, data: { ...data, variables } })
    }
    await other.sync()
    await other.sync()
    expect(asked).toBe(1)
    expect(other.versions(prodOf(other)).rows).toMatchObject([{ label: 'base', isMirrored: false, variableCount: 1 }])
    expect(client.versions(prod).rows).toMatchObject([{ label: 'base', isMirrored: true }])
  })

  test('that the service fails at waits, can be cancelled, and everything else goes on', async () => {
    const { client, prod } = await shop({ A: '1' })
    const { other, prod: there } = await second()
    other.createEnvironment('shop', 'Dev')
    other.setVariable(there, 'B', 'theirs')
    await other.sync()
    client.network = (forward, request) => (sends('create version', request) ? failing(503, 'Not now.') : forward())
    client.snapshot(prod, { label: 'mine' })
    await client.sync()
    expect(client.queueRows()).toMatchObject([{ kind: 'snapshot', state: 'queued', attempts: 0 }])
    expect(client.discard(client.operations()[0]?.id ?? '')).toMatchObject({ ok: true })
    client.skew = 3_600_000
    await client.sync()
    expect(client.contents()).toMatchObject({ 'shop/dev': '', 'shop/prod/B': 'theirs' })
  })

  test('of an environment that others renamed is taken of that one', async () => {
    const { client, prod } = await shop({ A: '1' })
    const { other, prod: there } = await second()
    other.updateParent('environment', there, { slug: 'live' })
    other.createEnvironment('shop', 'Prod')
    await other.sync()
    client.snapshot(prod, { label: 'mine' })
    await client.sync()
    expect(client.queueRows()).toEqual([])
    expect(label(client, prod)).toEqual(['mine'])
  })

  test.each([
    { kind: 'environment', first: 'read' },
    { kind: 'environment', first: 'sent' },
    { kind: 'project', first: 'read' },
    { kind: 'project', first: 'sent' },
  ] as const)('of a deleted $kind that somebody deleted too goes with it, when the deletion is $first first', async ({ kind, first }) => {
    const { client, prod } = await shop({ A: 'one' })
    const { other } = await second()
    const idIn = (who: TestClient) => (kind === 'environment' ? prodOf(who) : who.find('project', null, 'shop').id)
    client.network = unreachable
    client.snapshot(prod, { label: 'asked for' })
    client.setVariable(prod, 'LATER', 'typed')
    client.deleteParent(kind, idIn(client))
    other.deleteParent(kind, idIn(other))
    await other.sync()
    client.network =
      first === 'sent' ? connected : (forward, request) => (request.method === 'POST' ? unreachable(forward, request) : forward())
    await client.sync()
    client.network = connected
    await client.sync()
    await client.sync()
    expect(client.entries()).toEqual([])
  })

  test('of an environment that somebody deleted stays in the queue and says so', async () => {
    const { client, prod } = await shop({ A: '1' })
    const { other, prod: there } = await second()
    client.network = unreachable
    client.snapshot(prod, { label: 'kept', note: 'typed by hand' })
    other.deleteParent('environment', there)
    await other.sync()
    client.network = connected
    await client.sync()
    await client.sync()
    expect(client.operations()).toMatchObject([{ kind: 'snapshot', state: 'failed', detail: { label: 'kept', note: 'typed by hand' } }])
    expect(client.discard(client.operations()[0]?.id ?? '')).toMatchObject({ ok: true })
    expect(client.queueRows()).toEqual([])
  })
})

describe('a rollback', () => {
  test('queued offline shows its counts from the mirror, and the service’s agree', async () => {
    const { client, prod, base } = await shopWithVersion({ A: '1', B: '2', KEEP: 'k' })
    client.setVariable(prod, 'A', 'one')
    client.deleteVariable(prod, 'B')
    client.setVariable(prod, 'C', 'new')
    await client.sync()
    client.network = unreachable
    client.restart()
    expect(client.preview(base)).toMatchObject({ added: 1, updated: 1, removed: 1, same: 1, resealed: 0, unsent: 0 })
    expect(client.rollBack(base)).toMatchObject({ ok: true })
    // What the user sees is the environment as it is until the rollback is done.
    expect(valuesIn(client)).toEqual({ A: 'one', C: 'new', KEEP: 'k' })
    expect(client.drift()).toEqual([])
    expect(client.queueRows()).toMatchObject([{ kind: 'rollback', name: 'base', counts: { added: 1, updated: 1, removed: 1 } }])
    client.network = connected
    await client.sync()
    expect(client.queueRows()).toEqual([])
    expect(valuesIn(client)).toEqual({ A: '1', B: '2', KEEP: 'k' })
    expect(client.versions(prod).lastRollback).toMatchObject({
      label: 'base',
      counts: { added: 1, updated: 1, removed: 1 },
      previewed: { added: 1, updated: 1, removed: 1 },
      difference: null,
    })
    expect(client.versions(prod).rows.map(({ note }) => note)).toContain('Before the rollback to base')
    const { other } = await second()
    expect(valuesIn(other)).toEqual({ A: '1', B: '2', KEEP: 'k' })
  })

  test('comes after what was queued before it and before what was queued after it', async () => {
    const { client, prod, base } = await shopWithVersion({ A: '1' })
    client.network = unreachable
    client.setVariable(prod, 'A', 'before')
    client.setVariable(prod, 'B', 'before')
    expect(client.preview(base)).toMatchObject({ added: 0, updated: 1, removed: 1, unsent: 2 })
    client.rollBack(base)
    client.setVariable(prod, 'C', 'after')
    client.network = connected
    await client.sync()
    expect(client.queueRows()).toEqual([])
    expect(valuesIn(client)).toEqual({ A: '1', C: 'after' })
    expect(client.versions(prod).lastRollback).toMatchObject({ difference: null })
  })

  test('an edit queued after it, of a variable that it changed, asks the user', async () => {
    const { client, prod, base } = await shopWithVersion({ A: '1' })
    client.setVariable(prod, 'A', '2')
    await client.sync()
    client.network = unreachable
    client.rollBack(base)
    client.setVariable(prod, 'A', '3')
    client.network = connected
    await client.sync()
    expect(client.queueRows()).toMatchObject([{ kind: 'update', name: 'A', state: 'conflict' }])
    client.resolve(client.queue()[0]?.id ?? '', { take: 'mine' })
    await client.sync()
    expect(valuesIn(client)).toEqual({ A: '3' })
  })

  test('reads its environment while nothing is being sent, so that no answer is overtaken by what was read before it', async () => {
    const { client, prod, base } = await shopWithVersion({ A: '1' })
    client.createEnvironment('shop', 'Stage')
    const stage = client.find('environment', client.find('project', null, 'shop').id, 'stage').id
    client.setVariable(stage, 'B', '1')
    client.setVariable(prod, 'A', '2')
    await client.sync()
    client.rollBack(base)
    client.setVariable(stage, 'B', '2')
    let underWay = 0
    let most = 0
    client.network = async (forward, { path }) => {
      if (!path.endsWith('/changes')) return forward()
      underWay += 1
      most = Math.max(most, underWay)
      const answer = await forward()
      const body = await answer.text()
      underWay -= 1
      return new Response(body, answer)
    }
    await client.sync()
    expect([client.operations(), client.queue()]).toEqual([[], []])
    expect(client.contents()).toMatchObject({ 'shop/prod/A': '1', 'shop/stage/B': '2' })
    expect(most).toBe(1)
  })

  test('to a version of another environment than the one whose preview was shown is not sent', async () => {
    const { client, prod, base } = await shopWithVersion({ A: '1' })
    client.createEnvironment('shop', 'Dev')
    client.setVariable(prod, 'A', '2')
    await client.sync()
    const dev = client.remoteIdOf(client.find('environment', client.find('project', null, 'shop').id, 'dev').id) ?? ''
    client.rollBack(base)
    // As after a repair, where the row of the environment was made again as another one.
    client.mirror.write((tx) => tx.run(build.updateTable('versions').set({ environment_remote_id: dev }).where('id', '=', base)))
    const sent: string[] = []
    client.network = (forward, { method, path }) => {
      if (method === 'POST') sent.push(path)
      return forward()
    }
    await client.sync()
    expect(sent).toEqual([])
    expect(client.operations()).toMatchObject([
      { kind: 'rollback', state: 'failed', reason: expect.stringContaining('another environment') },
    ])
    expect(client.contents()).toMatchObject({ 'shop/prod/A': '2' })
  })

  test('a stale queued rollback over teammates’ work is not sent: it parks with a new preview, and goes when the user agrees to that', async () => {
    const { client, prod, base } = await shopWithVersion({ A: '1' })
    client.setVariable(prod, 'A', '2')
    await client.sync()
    const { other, prod: there } = await second()
    client.network = unreachable
    client.rollBack(base)
    other.setVariable(there, 'A', 'their work')
    other.setVariable(there, 'B', 'their work')
    await other.sync()
    const { seen, network } = counting('rollback version')
    client.network = network
    await client.sync()
    expect(seen.count).toBe(0)
    const [row] = client.queueRows()
    expect(row).toMatchObject({ kind: 'rollback', state: 'conflict', counts: { added: 0, updated: 1, removed: 0 } })
    expect(valuesIn(client)).toEqual({ A: 'their work', B: 'their work' })
    const conflict = client.conflict(row?.changeId ?? '')
    expect(conflict).toMatchObject({
      kind: 'stale-rollback',
      subject: 'version',
      name: 'base',
      rollback: { agreed: { added: 0, updated: 1, removed: 0 }, now: { added: 0, updated: 1, removed: 1 } },
    })
    await client.sync()
    expect(seen.count).toBe(0)
    expect(client.resolve(row?.changeId ?? '', { take: 'mine' })).toMatchObject({ ok: true })
    await client.sync()
    expect(seen.count).toBe(1)
    expect(client.queueRows()).toEqual([])
    expect(valuesIn(client)).toEqual({ A: '1' })
    expect(client.versions(prod).lastRollback).toMatchObject({ previewed: { added: 0, updated: 1, removed: 1 }, difference: null })
  })

  test('a stale one that the user gives up leaves the teammates’ work alone', async () => {
    const { client, prod, base } = await shopWithVersion({ A: '1' })
    const { other, prod: there } = await second()
    client.network = unreachable
    client.setVariable(prod, 'A', '2')
    client.rollBack(base)
    other.setVariable(there, 'B', 'their work')
    await other.sync()
    client.network = connected
    await client.sync()
    client.resolve(client.operations()[0]?.id ?? '', { take: 'theirs' })
    await client.sync()
    expect(client.queueRows()).toEqual([])
    expect(valuesIn(client)).toEqual({ A: '2', B: 'their work' })
  })

  test('agreed to again without a preview goes only if the environment is still what it was when it parked', async () => {
    const { client, base } = await shopWithVersion({ A: '1' })
    const { other, prod: there } = await second()
    client.network = unreachable
    client.rollBack(base)
    other.setVariable(there, 'A', 'first')
    await other.sync()
    client.network = connected
    await client.sync()
    other.setVariable(there, 'A', 'second')
    await other.sync()
    client.resolve(client.operations()[0]?.id ?? '', { take: 'mine' })
    await client.sync()
    expect(client.queueRows()).toMatchObject([{ kind: 'rollback', state: 'conflict' }])
    client.resolve(client.operations()[0]?.id ?? '', { take: 'mine' })
    await client.sync()
    expect(client.queueRows()).toEqual([])
    expect(valuesIn(client)).toEqual({ A: '1' })
  })

  test('with edits made after it parked, agreed to again it comes after them', async () => {
    const { client, prod, base } = await shopWithVersion({ A: '1' })
    const { other, prod: there } = await second()
    client.network = unreachable
    client.rollBack(base)
    other.setVariable(there, 'A', 'theirs')
    await other.sync()
    client.network = connected
    await client.sync()
    client.network = unreachable
    client.setVariable(prod, 'NEW', 'mine')
    const [operation] = client.operations()
    expect(client.resolve(operation?.id ?? '', { take: 'mine' })).toMatchObject({ ok: true })
    client.network = connected
    await client.sync()
    expect(client.queueRows()).toEqual([])
    expect(valuesIn(client)).toEqual({ A: '1' })
  })

  test('whose answer is lost is done when the environment equals the version: nothing is sent twice', async () => {
    const { client, prod, base } = await shopWithVersion({ A: '1' })
    client.setVariable(prod, 'A', '2')
    await client.sync()
    client.rollBack(base)
    const { seen, network } = counting('rollback version')
    const lost = once('rollback version', loseAnswer)
    client.network = (forward, request) => network(() => lost(forward, request), request)
    await client.sync()
    await client.sync()
    expect(seen.count).toBe(1)
    expect(client.queueRows()).toEqual([])
    expect(valuesIn(client)).toEqual({ A: '1' })
    expect(client.versions(prod).lastRollback).toMatchObject({ counts: null, difference: null })
  })

  test.each<{ says: string; left: Record<string, string>; network: Network; sent: number }>([
    { says: 'is sent where the environment was emptied since', left: {}, network: connected, sent: 1 },
    { says: 'is sent where the environment has other values', left: { A: '2' }, network: connected, sent: 1 },
    {
      says: 'whose answer is lost is done, and sent once',
      left: { A: '2' },
      network: once('rollback version', loseAnswer),
      sent: 1,
    },
  ])('to a version whose variables a repair could not save reads them first: one that $says', async ({ left, network: fault, sent }) => {
    const { client, prod, base } = await shopWithVersion({ A: '1' })
    client.deleteVariable(prod, 'A')
    for (const [name, value] of Object.entries(left)) client.setVariable(prod, name, value)
    await client.sync()
    client.rollBack(base)
    // As `rebuildMirror` leaves it.
    client.mirror.write((tx) => {
      tx.run(build.deleteFrom('version_variables'))
      tx.run(build.updateTable('versions').set({ is_mirrored: 0 }))
    })
    const { seen, network } = counting('rollback version')
    client.network = (forward, request) => network(() => fault(forward, request), request)
    await client.sync()
    await client.sync()
    expect(client.queueRows()).toEqual([])
    expect(seen.count).toBe(sent)
    expect(valuesIn(client)).toEqual({ A: '1' })
    expect(client.versions(prod).lastRollback).toMatchObject({ difference: null })
  })

  test('to a version that cannot be read is looked at again, and waits for the user when it is gone', async () => {
    const { client, prod, base } = await shopWithVersion({ A: '1' })
    client.setVariable(prod, 'A', '2')
    await client.sync()
    client.rollBack(base)
    client.mirror.write((tx) => tx.run(build.updateTable('versions').set({ is_mirrored: 0 })))
    let status = 500
    client.network = (forward, { method, path }) =>
      method === 'GET' && path.includes('/versions/') ? Promise.resolve(Response.json({}, { status })) : forward()
    await client.sync()
    expect(client.queueRows()).toMatchObject([{ kind: 'rollback', state: 'queued', nextAttemptAt: expect.any(String) }])
    status = 404
    client.skew = 3_600_000
    await client.sync()
    expect(client.queueRows()).toMatchObject([
      { kind: 'rollback', state: 'failed', reason: expect.stringContaining('no longer exists on the service') },
    ])
    expect(valuesIn(client)).toEqual({ A: '2' })
  })

  test('whose answer is lost, with a teammate’s edit since, parks with a new preview', async () => {
    const { client, prod, base } = await shopWithVersion({ A: '1' })
    client.setVariable(prod, 'A', '2')
    await client.sync()
    const { other, prod: there } = await second()
    client.rollBack(base)
    const { seen, network } = counting('rollback version')
    const lost = once('rollback version', async (forward, request) => {
      await forward()
      await other.sync()
      other.setVariable(there, 'A', 'after the rollback')
      await other.sync()
      return loseAnswer(() => Promise.resolve(new Response('')), request)
    })
    client.network = (forward, request) => network(() => lost(forward, request), request)
    await client.sync()
    await client.sync()
    expect(seen.count).toBe(1)
    expect(client.queueRows()).toMatchObject([{ kind: 'rollback', state: 'conflict' }])
    expect(valuesIn(client)).toEqual({ A: 'after the rollback' })
  })

  test('that never arrived is sent again, on the environment that was agreed to', async () => {
    const { client, prod, base } = await shopWithVersion({ A: '1' })
    client.setVariable(prod, 'A', '2')
    await client.sync()
    client.rollBack(base)
    client.network = once('rollback version', () => failing(500))
    await client.sync()
    expect(client.queueRows()).toMatchObject([{ kind: 'rollback', state: 'sending' }])
    client.skew = 3_600_000
    await client.sync()
    expect(valuesIn(client)).toEqual({ A: '1' })
  })

  test('a crash while it is under way is settled at the next start by looking', async () => {
    const { client, prod, base } = await shopWithVersion({ A: '1' })
    client.setVariable(prod, 'A', '2')
    await client.sync()
    client.rollBack(base)
    let cut = false
    client.network = async (forward, request) => {
      if (cut) return unreachable(forward, request)
      const answer = await forward()
      cut = sends('rollback version', request)
      return cut ? loseAnswer(() => Promise.resolve(answer), request) : answer
    }
    await client.sync()
    expect(client.operations()).toMatchObject([{ kind: 'rollback', state: 'sending' }])
    client.restart()
    client.network = connected
    client.skew = 3_600_000
    await client.sync()
    expect(client.queueRows()).toEqual([])
    expect(valuesIn(client)).toEqual({ A: '1' })
  })

  test('done on the service, with the environment unreadable right after, is finished later with the service’s counts', async () => {
    const { client, prod, base } = await shopWithVersion({ A: '1' })
    client.setVariable(prod, 'A', '2')
    await client.sync()
    client.rollBack(base)
    client.setVariable(prod, 'LATER', 'x')
    const { seen, network } = counting('rollback version')
    let cut = false
    client.network = (forward, request) => {
      if (cut) return unreachable(forward, request)
      cut = sends('rollback version', request)
      return network(forward, request)
    }
    await client.sync()
    expect(client.operations()).toMatchObject([
      { kind: 'rollback', state: 'sending', detail: { said: { added: 0, updated: 1, removed: 0 } } },
    ])
    client.restart()
    client.network = network
    client.skew = 3_600_000
    await client.sync()
    expect(seen.count).toBe(1)
    expect(client.queueRows()).toEqual([])
    expect(valuesIn(client)).toEqual({ A: '1', LATER: 'x' })
    expect(client.versions(prod).lastRollback).toMatchObject({ counts: { updated: 1 }, difference: null })
  })

  test('says when the service’s counts are not those of the preview', async () => {
    const { client, prod, base } = await shopWithVersion({ A: '1', B: '2' })
    client.setVariable(prod, 'A', '2')
    await client.sync()
    // A type is no part of a version's wire form: the preview cannot know that the rollback changes it back.
    client.updateVariable(client.find('variable', prod, 'B').id, { type: 'number' })
    await client.sync()
    client.rollBack(base)
    await client.sync()
    expect(client.versions(prod).lastRollback).toMatchObject({
      counts: { added: 0, updated: 2, removed: 0 },
      previewed: { added: 0, updated: 1, removed: 0 },
      difference: expect.stringContaining('The service counted 0 added, 2 updated and 0 removed; the preview had shown 0 added, 1 updated'),
    })
  })

  test('a value that was only sealed anew counts as the same, and the service’s count of it as expected', async () => {
    const { client, prod, base } = await shopWithVersion({ A: '1', B: 'x' })
    client.setVariable(prod, 'A', '2')
    await client.sync()
    client.setVariable(prod, 'A', '1')
    client.setVariable(prod, 'B', 'y')
    await client.sync()
    expect(client.preview(base)).toMatchObject({ updated: 1, same: 1, resealed: 1 })
    client.rollBack(base)
    await client.sync()
    expect(client.versions(prod).lastRollback).toMatchObject({ counts: { updated: 2 }, previewed: { updated: 1 }, difference: null })
  })

  test('to a version that is deleted waits for the user and says so', async () => {
    const { client, prod, base } = await shopWithVersion({ A: '1' })
    client.setVariable(prod, 'A', '2')
    await client.sync()
    client.rollBack(base)
    const item = { id: client.remoteIdOfVersion(base), status: 'failed', code: 404, message: 'No such version.', missing: 'record' }
    client.network = once('rollback version', () =>
      Promise.resolve(Response.json({ success: true, code: 200, message: 'OK', data: { items: [item] } })),
    )
    await client.sync()
    expect(client.queueRows()).toMatchObject([{ state: 'failed', reason: expect.stringContaining('no longer exists on the service') }])
    expect(valuesIn(client)).toEqual({ A: '2' })
  })

  test('that the service refuses waits with the service’s words', async () => {
    const { client, prod, base } = await shopWithVersion({ A: '1' })
    client.setVariable(prod, 'A', '2')
    client.rollBack(base)
    client.network = once('rollback version', () =>
      Promise.resolve(Response.json({ success: false, code: 403, message: 'Viewers cannot do this.', data: {} }, { status: 403 })),
    )
    await client.sync()
    expect(client.queueRows()).toMatchObject([
      { kind: 'rollback', state: 'failed', reason: expect.stringContaining('Viewers cannot do this.') },
    ])
    client.retry(client.operations()[0]?.id ?? '')
    await client.sync()
    expect(valuesIn(client)).toEqual({ A: '1' })
  })

  test('of an environment that somebody deleted says so and sends nothing', async () => {
    const { client, base } = await shopWithVersion({ A: '1' })
    const { other, prod: there } = await second()
    client.network = unreachable
    client.rollBack(base)
    other.deleteParent('environment', there)
    await other.sync()
    client.network = connected
    await client.sync()
    expect(client.operations()).toMatchObject([{ kind: 'rollback', state: 'failed' }])
    expect(client.contents()).toEqual({ shop: '' })
  })

  test('of an environment whose slug somebody changed hits that environment', async () => {
    const { client, prod, base } = await shopWithVersion({ A: '1' })
    client.setVariable(prod, 'A', '2')
    await client.sync()
    const { other, prod: there } = await second()
    client.rollBack(base)
    other.updateParent('environment', there, { slug: 'live' })
    other.createEnvironment('shop', 'Prod')
    await other.sync()
    await client.sync()
    expect(client.queueRows()).toEqual([])
    expect(client.contents()).toMatchObject({ 'shop/live/A': '1', 'shop/prod': '' })
  })

  test('over work that nobody here has seen is not sent', async () => {
    const { client, prod, base } = await shopWithVersion({ A: '1' })
    client.setVariable(prod, 'A', '2')
    await client.sync()
    const { other, prod: there } = await second()
    client.rollBack(base)
    const { seen, network } = counting('rollback version')
    let isFirst = true
    client.network = async (forward, request) => {
      if (isFirst && sends('rollback version', request)) {
        isFirst = false
        other.setVariable(there, 'B', 'their work')
        await other.sync()
      }
      return network(forward, request)
    }
    await client.sync()
    expect(seen.count).toBe(1)
    expect(client.queueRows()).toMatchObject([{ kind: 'rollback', state: 'conflict' }])
    expect(client.contents()).toMatchObject({ 'shop/prod/A': '2', 'shop/prod/B': 'their work' })
  })

  test('keeps its version where a list of versions was cut short', async () => {
    const { client, prod, base } = await shopWithVersion({ A: '1' })
    client.setVariable(prod, 'A', '2')
    await client.sync()
    client.network = (forward, request) =>
      request.method === 'GET' && request.path.endsWith('/versions')
        ? Promise.resolve(Response.json({ success: true, code: 200, message: 'OK', data: [] }))
        : withoutFeed(forward, request)
    await client.sync()
    expect(client.version(prod, 'base')).toMatchObject({ id: base, isMirrored: true })
    client.rollBack(base)
    await client.sync()
    expect(valuesIn(client)).toEqual({ A: '1' })
  })

  test('is refused while its preview is old, while another waits, and for a snapshot that is not taken yet', async () => {
    const { client, prod, base } = await shopWithVersion({ A: '1' })
    const { fingerprint } = client.preview(base)
    client.network = unreachable
    client.setVariable(prod, 'A', '2')
    expect(client.rollBack(base, fingerprint)).toMatchObject({ ok: false, error: { kind: 'invalid-input', field: 'fingerprint' } })
    expect(client.rollBack(base)).toMatchObject({ ok: true })
    expect(client.rollBack(base)).toMatchObject({ ok: false, error: { kind: 'invalid-input' } })
    const made = client.snapshot(prod)
    expect(client.rollBack(made.ok ? made.value.id : '', 'any')).toMatchObject({ ok: false, error: { kind: 'not-found' } })
    client.discard(client.operations()[0]?.id ?? '')
    expect(client.rollBack(base)).toMatchObject({ ok: true })
  })

  test.each<{ service: string; network: Network }>([
    { service: 'without a feed', network: withoutFeed },
    { service: 'with only the 14 operations', network: only14 },
  ])('works on a service $service', async ({ network }) => {
    const { client, prod, base } = await shopWithVersion({ A: '1', B: '2', KEEP: 'k' })
    client.network = network
    await client.sync()
    client.setVariable(prod, 'A', 'one')
    client.deleteVariable(prod, 'B')
    client.rollBack(base)
    await client.sync()
    expect(client.queueRows()).toEqual([])
    expect(valuesIn(client)).toEqual({ A: '1', B: '2', KEEP: 'k' })
    expect(client.versions(prod).lastRollback).toMatchObject({ counts: { added: 1, updated: 1, removed: 0 }, difference: null })
  })
})
