import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterEach, describe, expect, test } from 'vitest'
import { startFuzzService, type FuzzService } from '../fuzz/fuzz-service.ts'
import { asShown, resolveAsShown } from '../support/as-shown.ts'
import { sends, TestClient, unreachable, type Network } from '../support/build-client.ts'
import { deskOf, workspaceId } from '../support/desk.ts'
import { withoutFeed } from '../support/reduced-service.ts'
import { seededRandom } from '../support/seeded-random.ts'

/** A variable that was moved and then touched again ends as its user left it, whether the move had been sent in between or not. */

const parent = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
const open: { close(): Promise<void> }[] = []

afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close()
})

function join(service: FuzzService): TestClient {
  const client = new TestClient({ service, key: new Uint8Array(32), random: seededRandom(open.length), parent, fetch: service.fetch })
  open.push(client)
  return client
}

const environmentOf = (client: TestClient, slug: string): string =>
  client.find('environment', client.find('project', null, 'shop').id, slug).id

interface Mover {
  client: TestClient
  /** Moves a variable by its name, from one environment to another; over one of its name where there is one. */
  move(name: string, from: string, to: string): Promise<void>
  undo(): Promise<void>
  /** Imports a text over an environment, which deletes what the text leaves out. */
  replace(environment: string, text: string): Promise<void>
}

/** Who moves variables at a client. */
function moverAt(client: TestClient): Mover {
  const { handlers } = deskOf(client)
  const must = <T>(result: { ok: true; value: T } | { ok: false; error: { message: string } }): T => {
    if (!result.ok) throw new Error(result.error.message)
    return result.value
  }
  return {
    client,
    async move(name, from, to) {
      const { id } = client.find('variable', environmentOf(client, from), name)
      const rows = [{ id, seen: asShown }]
      const args = { workspaceId, rows, seen: asShown, environmentId: environmentOf(client, to), onTaken: 'overwrite' as const, move: true }
      must(await handlers['variables.copy-to'](args))
    },
    async undo() {
      must(await handlers['undo.undo']({ workspaceId }))
    },
    async replace(environment, text) {
      const environmentId = environmentOf(client, environment)
      must(await handlers['import.apply']({ workspaceId, environmentId, text, format: 'env', mode: 'replace', seen: asShown }))
    },
  }
}

/** shop with dev, test and prod; A in dev, B in prod. */
async function mover(): Promise<{ me: Mover; other: TestClient }> {
  const service = await startFuzzService(parent, {})
  open.push(service)
  const client = join(service)
  client.createProject('Shop')
  for (const name of ['Dev', 'Test', 'Prod']) client.createEnvironment('shop', name)
  client.setVariable(environmentOf(client, 'dev'), 'A', 'one')
  client.setVariable(environmentOf(client, 'prod'), 'B', 'b')
  await client.sync()
  const other = join(service)
  await other.sync()
  return { me: moverAt(client), other }
}

/** A service that fails to save versions: what was queued after one waits. */
const failsToSave: Network = async (forward, request) =>
  sends('create version', request) ? Response.json({ success: false, code: 500, message: 'Failed.', data: {} }, { status: 500 }) : forward()

const places = (client: TestClient): Record<string, string> =>
  Object.fromEntries(Object.entries(client.contents()).filter(([path]) => path.split('/').length === 3))

const steps: { next: string; does: (me: Mover) => Promise<void> | void; ends: Record<string, string> }[] = [
  { next: 'left as it is', does: () => undefined, ends: { 'shop/prod/A': 'one', 'shop/prod/B': 'b' } },
  {
    next: 'edited where it is now',
    does: ({ client }) => client.setVariable(environmentOf(client, 'prod'), 'A', 'two'),
    ends: { 'shop/prod/A': 'two', 'shop/prod/B': 'b' },
  },
  {
    next: 'renamed where it is now',
    does: ({ client }) => void client.renameVariable(environmentOf(client, 'prod'), 'A', 'C'),
    ends: { 'shop/prod/B': 'b', 'shop/prod/C': 'one' },
  },
  { next: 'moved on', does: (me) => me.move('A', 'prod', 'test'), ends: { 'shop/prod/B': 'b', 'shop/test/A': 'one' } },
  { next: 'moved back', does: (me) => me.move('A', 'prod', 'dev'), ends: { 'shop/dev/A': 'one', 'shop/prod/B': 'b' } },
  {
    next: 'deleted where it is now',
    does: ({ client }) => client.deleteVariable(environmentOf(client, 'prod'), 'A'),
    ends: { 'shop/prod/B': 'b' },
  },
  {
    next: 'overwritten by an import',
    does: (me) => me.replace('prod', 'A=imported'),
    ends: { 'shop/prod/A': 'imported' },
  },
  {
    next: 'undone',
    does: (me) => me.undo(),
    ends: { 'shop/dev/A': 'one', 'shop/prod/B': 'b' },
  },
  {
    next: 'moved over another',
    async does(me) {
      me.client.setVariable(environmentOf(me.client, 'test'), 'A', 'there before')
      await me.move('A', 'prod', 'test')
    },
    ends: { 'shop/prod/B': 'b', 'shop/test/A': 'one' },
  },
  {
    next: 'and its environment deleted',
    does: ({ client }) => void client.deleteParent('environment', environmentOf(client, 'dev')),
    ends: { 'shop/prod/A': 'one', 'shop/prod/B': 'b' },
  },
]

describe.each([
  { when: 'offline, before the move is sent', isSent: false },
  { when: 'online, after the move was sent', isSent: true },
])('a moved variable, $when', ({ isSent }) => {
  test.each(steps)('then $next', async ({ does, ends }) => {
    const { me, other } = await mover()
    if (!isSent) me.client.network = unreachable
    await me.move('A', 'dev', 'prod')
    await me.client.sync()
    await does(me)
    expect(places(me.client)).toEqual(ends)
    expect(me.client.drift()).toEqual([])
    me.client.network = (forward) => forward()
    me.client.skew = 3_600_000
    await me.client.sync()
    expect(me.client.queue()).toEqual([])
    expect(places(me.client)).toEqual(ends)
    await other.sync()
    expect(places(other)).toEqual(ends)
  })
})

test('a moved variable keeps its record, its history and its id', async () => {
  const { me, other } = await mover()
  const { id } = me.client.find('variable', environmentOf(me.client, 'dev'), 'A')
  const remoteId = me.client.remoteIdOf(id)
  await me.move('A', 'dev', 'prod')
  me.client.setVariable(environmentOf(me.client, 'prod'), 'A', 'two')
  await me.client.sync()
  expect(me.client.find('variable', environmentOf(me.client, 'prod'), 'A').id).toBe(id)
  expect(me.client.remoteIdOf(id)).toBe(remoteId)
  expect(me.client.historyOf(id)).toEqual([{ whose: 'mine', value: 'one' }])
  await other.sync()
  expect(other.localIdOf(remoteId ?? '')).not.toBeNull()
})

test('a move that a basic service can’t take waits with what was typed since, and leaves the original and what has its name', async () => {
  const { me, other } = await mover()
  me.client.setVariable(environmentOf(me.client, 'test'), 'B', 'there before')
  await me.client.sync()
  const before = places(me.client)
  me.client.network = withoutFeed
  await me.client.sync()
  await me.move('B', 'prod', 'test')
  expect([me.client.queue(), places(me.client)]).toEqual([[], before])
  await me.move('A', 'dev', 'prod')
  me.client.setVariable(environmentOf(me.client, 'prod'), 'A', 'two')
  await me.client.sync()
  const [waiting, ...more] = me.client.queue()
  expect([waiting?.state, more]).toEqual(['blocked', []])
  await other.sync()
  expect(places(other)).toEqual(before)
  me.client.network = (forward) => forward()
  await me.client.sync()
  await me.client.sync()
  await other.sync()
  expect([me.client.queue(), places(other)]).toEqual([[], { 'shop/prod/A': 'two', 'shop/prod/B': 'b', 'shop/test/B': 'there before' }])
})

describe('a move meets what others did', () => {
  test('an edit of what others moved into an environment that has not come yet is sent, and the variable is shown there', async () => {
    const { me, other } = await mover()
    me.client.createEnvironment('shop', 'New')
    await me.move('A', 'dev', 'new')
    await me.client.sync()
    other.setVariable(environmentOf(other, 'dev'), 'A', 'two')
    await other.sync()
    await other.sync()
    await me.client.sync()
    expect(places(me.client)).toEqual({ 'shop/new/A': 'two', 'shop/prod/B': 'b' })
    expect(places(other)).toEqual(places(me.client))
  })

  test('an edit of theirs goes along', async () => {
    const { me, other } = await mover()
    await me.move('A', 'dev', 'prod')
    other.renameVariable(environmentOf(other, 'dev'), 'A', 'C')
    await other.sync()
    await me.client.sync()
    expect(places(me.client)).toEqual({ 'shop/prod/B': 'b', 'shop/prod/C': 'one' })
  })

  test('moved elsewhere by them, it asks; mine moves it, theirs leaves it', async () => {
    for (const take of ['mine', 'theirs'] as const) {
      const { me, other } = await mover()
      const desk = deskOf(other)
      const { id } = other.find('variable', environmentOf(other, 'dev'), 'A')
      const rows = [{ id, seen: asShown }]
      const args = { workspaceId, rows, seen: asShown, environmentId: environmentOf(other, 'test'), onTaken: 'skip' as const, move: true }
      expect(await desk.handlers['variables.copy-to'](args)).toMatchObject({ ok: true })
      await other.sync()
      await me.move('A', 'dev', 'prod')
      await me.client.sync()
      const [parked] = me.client.queue()
      expect(parked).toMatchObject({ state: 'conflict', conflict: { kind: 'fields' } })
      me.client.resolve(parked?.id ?? '', { take })
      await me.client.sync()
      expect(me.client.queue()).toEqual([])
      expect(places(me.client)).toEqual({ [take === 'mine' ? 'shop/prod/A' : 'shop/test/A']: 'one', 'shop/prod/B': 'b' })
      await other.sync()
      expect(places(other)).toEqual(places(me.client))
    }
  })

  test('the environment it leaves deleted by them, it asks, and is created where it goes', async () => {
    const { me, other } = await mover()
    await me.move('A', 'dev', 'prod')
    other.deleteParent('environment', environmentOf(other, 'dev'))
    await other.sync()
    await me.client.sync()
    const [parked] = me.client.queue()
    expect(parked).toMatchObject({ kind: 'create', state: 'conflict', conflict: { kind: 'deleted-remotely' } })
    me.client.resolve(parked?.id ?? '', { take: 'mine' })
    await me.client.sync()
    expect(places(me.client)).toEqual({ 'shop/prod/A': 'one', 'shop/prod/B': 'b' })
    await other.sync()
    expect(places(other)).toEqual(places(me.client))
  })

  test('moved elsewhere by them before they deleted the environment it leaves, it asks where that environment is missed first', async () => {
    const { me, other } = await mover()
    me.client.network = withoutFeed
    await me.client.sync()
    const desk = deskOf(other)
    const { id } = other.find('variable', environmentOf(other, 'dev'), 'A')
    const args = { workspaceId, seen: asShown, environmentId: environmentOf(other, 'test'), onTaken: 'skip' as const, move: true }
    expect(await desk.handlers['variables.copy-to']({ ...args, rows: [{ id, seen: asShown }] })).toMatchObject({ ok: true })
    other.deleteParent('environment', environmentOf(other, 'dev'))
    await other.sync()
    await me.move('A', 'dev', 'prod')
    await me.client.sync()
    expect(me.client.queue()).toMatchObject([{ kind: 'update', state: 'conflict', conflict: { kind: 'fields' } }])
  })
})

describe('a variable that was moved out of an environment which its user then deleted', () => {
  test('does not go with that environment when the move is discarded: that is refused, with the reason', async () => {
    const { me, other } = await mover()
    const { client } = me
    await me.move('A', 'dev', 'prod')
    client.deleteParent('environment', environmentOf(client, 'dev'))
    client.setVariable(environmentOf(client, 'prod'), 'A', 'typed')
    const before = client.queue()
    const move = before.find(({ patch }) => patch.parent !== undefined)
    expect(client.discard(move?.id ?? '')).toMatchObject({ ok: false, error: { kind: 'invalid-input' } })
    expect([client.queue(), client.drift()]).toEqual([before, []])
    await client.sync()
    expect(places(client)).toEqual({ 'shop/prod/A': 'typed', 'shop/prod/B': 'b' })
    await other.sync()
    expect(places(other)).toEqual(places(client))
  })

  test('is given up with its move when the environment that it went to is deleted too: no screen shows it', async () => {
    const { me } = await mover()
    const { client } = me
    await me.move('A', 'dev', 'prod')
    const move = client.queue().find(({ patch }) => patch.parent !== undefined)
    client.deleteParent('project', client.find('project', null, 'shop').id)
    expect(client.discard(move?.id ?? '').ok).toBe(true)
    await client.sync()
    expect([client.queue(), places(client)]).toEqual([[], {}])
  })

  test('nor when others’ side of the move is chosen', async () => {
    const { me, other } = await mover()
    const { client } = me
    await me.move('A', 'dev', 'prod')
    other.setVariable(environmentOf(other, 'prod'), 'A', 'theirs')
    await other.sync()
    client.deleteParent('environment', environmentOf(client, 'dev'))
    await client.sync()
    const question = client.queue().find(({ conflict }) => conflict?.kind === 'name-taken')
    expect(question).toBeDefined()
    expect(client.resolve(question?.id ?? '', { take: 'theirs' })).toMatchObject({ ok: false, error: { kind: 'invalid-input' } })
    expect(client.drift()).toEqual([])
    client.resolve(question?.id ?? '', { take: 'edit', fields: { name: 'MINE' } })
    await client.sync()
    await client.sync()
    expect(places(client)).toEqual({ 'shop/prod/A': 'theirs', 'shop/prod/B': 'b', 'shop/prod/MINE': 'one' })
  })
})

describe('a new variable that was moved on after a version of its environment was asked for', () => {
  async function movedOn(): Promise<{ me: Mover; other: TestClient }> {
    const { me, other } = await mover()
    const { client } = me
    client.createEnvironment('shop', 'Stage')
    client.setVariable(environmentOf(client, 'stage'), 'NEW', 'typed')
    expect(client.snapshot(environmentOf(client, 'stage')).ok).toBe(true)
    await me.move('NEW', 'stage', 'prod')
    client.setVariable(environmentOf(client, 'prod'), 'NEW', 'typed over')
    return { me, other }
  }

  test('is created where it went, when the new environment is discarded', async () => {
    const { me, other } = await movedOn()
    const { client } = me
    const create = client.queue().find(({ kind, rowKind }) => kind === 'create' && rowKind === 'environment')
    expect(client.discard(create?.id ?? '').ok).toBe(true)
    expect(client.drift()).toEqual([])
    await client.sync()
    expect([client.queue(), client.operations()]).toEqual([[], []])
    const left = { 'shop/dev/A': 'one', 'shop/prod/B': 'b', 'shop/prod/NEW': 'typed over' }
    expect(places(client)).toEqual(left)
    await other.sync()
    expect(places(other)).toEqual(left)
  })

  test('is created where it went, when somebody deletes the environment that its user deletes too', async () => {
    const { me, other } = await mover()
    const { client } = me
    client.setVariable(environmentOf(client, 'dev'), 'NEW', 'typed')
    expect(client.snapshot(environmentOf(client, 'dev')).ok).toBe(true)
    await me.move('NEW', 'dev', 'prod')
    client.deleteParent('environment', environmentOf(client, 'dev'))
    other.deleteParent('environment', environmentOf(other, 'dev'))
    await other.sync()
    await client.sync()
    await client.sync()
    expect([client.queue(), client.drift()]).toEqual([[], []])
    const left = { 'shop/prod/B': 'b', 'shop/prod/NEW': 'typed' }
    expect(places(client)).toEqual(left)
    await other.sync()
    expect(places(other)).toEqual(left)
  })

  test('keeps what was typed later when its move is discarded, and others delete the environment it was to go to', async () => {
    const { me, other } = await movedOn()
    const { client } = me
    const prod = environmentOf(client, 'prod')
    expect(client.snapshot(prod).ok).toBe(true)
    client.setVariable(prod, 'NEW', 'typed last')
    const move = client.queue().find(({ patch }) => patch.parent !== undefined)
    expect(client.discard(move?.id ?? '').ok).toBe(true)
    other.deleteParent('environment', environmentOf(other, 'prod'))
    await other.sync()
    await client.sync()
    await client.sync()
    expect([client.queue(), client.drift()]).toEqual([[], []])
    const left = { 'shop/dev/A': 'one', 'shop/stage/NEW': 'typed last' }
    expect(places(client)).toEqual(left)
    await other.sync()
    expect(places(other)).toEqual(left)
  })

  test('is gone when the environment it went to is discarded, too', async () => {
    const { me } = await mover()
    const { client } = me
    client.createEnvironment('shop', 'Stage')
    client.createEnvironment('shop', 'Next')
    client.setVariable(environmentOf(client, 'stage'), 'NEW', 'typed')
    expect(client.snapshot(environmentOf(client, 'stage')).ok).toBe(true)
    await me.move('NEW', 'stage', 'next')
    for (const { id } of client.queue().filter(({ kind, rowKind }) => kind === 'create' && rowKind === 'environment')) client.discard(id)
    expect([client.queue(), client.operations(), client.drift()]).toEqual([[], [], []])
  })
})

describe('a deletion of an environment', () => {
  test('over a change of others that its user did not see asks, and deletes nothing until told', async () => {
    const { me, other } = await mover()
    other.setVariable(environmentOf(other, 'prod'), 'NEW', 'unseen')
    await other.sync()
    me.client.deleteParent('environment', environmentOf(me.client, 'prod'))
    await me.client.sync()
    await me.client.sync()
    expect(me.client.queue()).toMatchObject([{ kind: 'delete', state: 'conflict', conflict: { kind: 'changed-below' } }])
    await other.sync()
    expect(places(other)).toMatchObject({ 'shop/prod/NEW': 'unseen', 'shop/prod/B': 'b' })
    me.client.resolve(me.client.queue()[0]?.id ?? '', { take: 'mine' })
    await me.client.sync()
    expect(me.client.queue()).toEqual([])
    expect(places(me.client)).toEqual({ 'shop/dev/A': 'one' })
  })

  test('asks about a variable that others moved into it, and keeps what its user typed there in the history', async () => {
    const { me, other } = await mover()
    const { id } = other.find('variable', environmentOf(other, 'dev'), 'A')
    other.deleteParent('environment', environmentOf(other, 'prod'))
    other.updateVariable(id, { value: 'typed elsewhere' })
    await me.move('A', 'dev', 'prod')
    await me.client.sync()
    await other.sync()
    const [question, edit] = other.queue()
    expect(question).toMatchObject({ kind: 'delete', state: 'conflict', conflict: { kind: 'changed-below' } })
    expect(edit).toMatchObject({ kind: 'update', rowId: id, state: 'queued' })
    expect(other.conflict(question?.id ?? '')?.news).toEqual({ words: '1 variable was added', unsent: 1 })
    other.resolve(question?.id ?? '', { take: 'mine' })
    await other.sync()
    expect([other.queue(), other.drift(), places(other)]).toEqual([[], [], {}])
    expect(other.historyOf(id)).toContainEqual({ whose: 'mine', value: 'typed elsewhere' })
  })

  test.each([
    { take: 'mine' as const, left: { 'shop/dev/A': undefined, 'shop/prod/A': 'typed elsewhere', 'shop/prod/B': 'b' } },
    { take: 'theirs' as const, left: { 'shop/prod/A': undefined } },
  ])(
    'that others deleted as well, with a variable in it that its user edited elsewhere, asks about that one: $take',
    async ({ take, left }) => {
      const { me, other } = await mover()
      const { id } = other.find('variable', environmentOf(other, 'dev'), 'A')
      other.deleteParent('environment', environmentOf(other, 'prod'))
      other.updateVariable(id, { value: 'typed elsewhere' })
      await me.move('A', 'dev', 'prod')
      await me.client.sync()
      // Refused, the edit waits while the move is read.
      other.network = async (forward, request) =>
        sends('update variable', request)
          ? Response.json({ success: false, code: 422, message: 'No.', data: {} }, { status: 422 })
          : forward()
      await other.sync()
      me.client.deleteParent('environment', environmentOf(me.client, 'prod'))
      await me.client.sync()
      other.network = (forward) => forward()
      await other.sync()
      const question = other.queue().find(({ rowKind }) => rowKind === 'environment')
      const edit = other.queue().find(({ rowKind }) => rowKind === 'variable')
      expect(question).toMatchObject({ kind: 'create', state: 'conflict', conflict: { kind: 'deleted-remotely' } })
      expect(edit).toMatchObject({ rowId: id, kind: 'create', state: 'queued' })
      const { handlers } = deskOf(other, { isWoken: true })
      other.engine.start()
      await resolveAsShown(handlers, { changeId: question?.id ?? '', choice: { take } })
      await other.engine.syncNow()
      await other.engine.stop()
      await other.sync()
      expect([other.queue(), other.drift()]).toEqual([[], []])
      for (const [at, value] of Object.entries(left)) expect(places(other)[at]).toBe(value)
      expect(take === 'mine' || other.historyOf(id).some(({ value }) => value === 'typed elsewhere')).toBe(true)
      await me.client.sync()
      expect(places(me.client)).toEqual(places(other))
    },
  )

  test('keeps in the history, too, what its user typed into a variable that others moved into it and then deleted', async () => {
    const { me, other } = await mover()
    const { id } = other.find('variable', environmentOf(other, 'dev'), 'A')
    other.deleteParent('environment', environmentOf(other, 'prod'))
    other.updateVariable(id, { value: 'typed elsewhere' })
    await me.move('A', 'dev', 'prod')
    await me.client.sync()
    await other.sync()
    me.client.deleteVariable(environmentOf(me.client, 'prod'), 'A')
    await me.client.sync()
    await other.sync()
    const [question, edit] = other.queue()
    expect(edit).toMatchObject({ kind: 'create', rowId: id, conflict: { kind: 'deleted-remotely' } })
    other.resolve(question?.id ?? '', { take: 'mine' })
    await other.sync()
    expect([other.queue(), other.drift(), places(other)]).toEqual([[], [], {}])
    expect(other.historyOf(id)).toContainEqual({ whose: 'mine', value: 'typed elsewhere' })
  })

  test.each([
    { take: 'theirs', choice: { take: 'theirs' as const }, left: { 'shop/prod/NEW': 'theirs' } },
    {
      take: 'another name',
      choice: { take: 'edit' as const, fields: { name: 'MINE' } },
      left: { 'shop/prod/NEW': 'theirs', 'shop/prod/MINE': 'typed' },
    },
  ])('keeps what its user had typed when a question in it is answered meanwhile: $take', async ({ choice, left }) => {
    const { me, other } = await mover()
    const { client } = me
    client.setVariable(environmentOf(client, 'prod'), 'NEW', 'typed')
    client.snapshot(environmentOf(client, 'prod'))
    client.network = failsToSave
    client.deleteParent('environment', environmentOf(client, 'prod'))
    other.setVariable(environmentOf(other, 'prod'), 'NEW', 'theirs')
    await other.sync()
    await client.sync()
    const question = client.queue().find(({ conflict }) => conflict?.kind === 'name-taken')
    expect([question?.patch.value, places(client)]).toEqual([expect.anything(), { 'shop/dev/A': 'one' }])
    client.resolve(question?.id ?? '', choice)
    for (const { id, kind, rowKind } of client.queue()) if (kind === 'delete' && rowKind === 'environment') client.discard(id)
    expect(places(client)).toMatchObject(left)
    const kept = [...Object.values(places(client)), ...client.historyOf(question?.rowId ?? '').map(({ value }) => value)]
    expect([kept, client.drift()]).toEqual([expect.arrayContaining(['typed']), []])
  })

  test('of others, in a project that its user has deleted, leaves what was typed there in the history', async () => {
    const { me, other } = await mover()
    const { client } = me
    const { id } = client.find('variable', environmentOf(client, 'dev'), 'A')
    client.updateVariable(id, { value: 'typed' })
    client.snapshot(environmentOf(client, 'dev'))
    client.network = failsToSave
    client.deleteParent('project', client.find('project', null, 'shop').id)
    other.deleteParent('environment', environmentOf(other, 'dev'))
    await other.sync()
    await client.sync()
    const question = client.queue().find(({ conflict }) => conflict?.kind === 'deleted-remotely')
    expect(question).toMatchObject({ rowKind: 'environment' })
    client.resolve(question?.id ?? '', { take: 'theirs' })
    expect([client.historyOf(id).map(({ value }) => value), client.drift()]).toEqual([expect.arrayContaining(['typed']), []])
  })

  test('asks, once it is done, about what its user typed into a variable that others had moved into it and deleted before', async () => {
    const { me, other } = await mover()
    const { id } = other.find('variable', environmentOf(other, 'dev'), 'A')
    // A version that the service fails to save holds back the deletion.
    other.snapshot(environmentOf(other, 'prod'))
    other.network = failsToSave
    other.deleteParent('environment', environmentOf(other, 'prod'))
    other.updateVariable(id, { value: 'typed elsewhere' })
    await me.move('A', 'dev', 'prod')
    me.client.updateVariable(me.client.find('variable', environmentOf(me.client, 'prod'), 'A').id, { value: 'theirs' })
    await me.client.sync()
    await other.sync()
    const edit = other.queue().find(({ rowKind }) => rowKind === 'variable')
    expect(edit).toMatchObject({ rowId: id, conflict: { kind: 'fields' } })
    other.resolve(edit?.id ?? '', { take: 'mine' })
    me.client.deleteVariable(environmentOf(me.client, 'prod'), 'A')
    await me.client.sync()
    other.network = (forward) => forward()
    other.skew = 3_600_000
    await other.sync()
    const kept = other.queue()
    expect(kept.find(({ rowKind }) => rowKind === 'environment')).toMatchObject({ kind: 'create', conflict: { kind: 'deleted-remotely' } })
    expect(kept.find(({ rowId }) => rowId === id)).toMatchObject({ kind: 'create', state: 'queued' })
    expect([places(other), other.drift()]).toEqual([{ 'shop/prod/A': 'typed elsewhere' }, []])
  })
})

/** All is sent, and both see the same. */
async function bothHave(client: TestClient, other: TestClient, ends: Record<string, string>): Promise<void> {
  await client.sync()
  await other.sync()
  expect([client.queue(), places(client), places(other)]).toEqual([[], ends, ends])
}

describe('a variable that was moved on from a new environment', () => {
  /** `does`: what is done to A in between. */
  async function discardedOnTheWay(does: (client: TestClient) => void = () => undefined) {
    const { me, other } = await mover()
    const { client } = me
    client.createEnvironment('shop', 'New')
    await me.move('A', 'dev', 'new')
    does(client)
    // The next move stays an entry of its own: the version is to have the variable.
    client.snapshot(environmentOf(client, 'new'))
    await me.move('A', 'new', 'prod')
    client.discard(client.queue().find(({ rowKind }) => rowKind === 'environment')?.id ?? '')
    return { client, other }
  }

  test('takes along what was typed there when that environment is discarded', async () => {
    const { client, other } = await discardedOnTheWay((at) => at.setVariable(environmentOf(at, 'new'), 'A', 'typed'))
    const ends = { 'shop/prod/A': 'typed', 'shop/prod/B': 'b' }
    expect([places(client), client.drift()]).toEqual([ends, []])
    await bothHave(client, other, ends)
  })

  test('goes where it went when that environment is discarded', async () => {
    const { client, other } = await discardedOnTheWay()
    expect([places(client), client.drift()]).toEqual([{ 'shop/prod/A': 'one', 'shop/prod/B': 'b' }, []])
    other.setVariable(environmentOf(other, 'dev'), 'A', 'theirs')
    await other.sync()
    await bothHave(client, other, { 'shop/prod/A': 'theirs', 'shop/prod/B': 'b' })
  })
})

test('a move back is made, too, where others have made the move meanwhile, while it waited behind a question', async () => {
  const { me, other } = await mover()
  const { client } = me
  const { id } = client.find('variable', environmentOf(client, 'dev'), 'A')
  client.updateVariable(id, { value: 'mine' })
  // The move stays an entry of its own: the version is to have the variable.
  client.snapshot(environmentOf(client, 'dev'))
  await me.move('A', 'dev', 'prod')
  other.updateVariable(other.find('variable', environmentOf(other, 'dev'), 'A').id, { value: 'theirs' })
  await other.sync()
  await moverAt(other).move('A', 'dev', 'prod')
  await other.sync()
  await client.sync()
  const [edit] = client.queue()
  expect(edit).toMatchObject({ rowId: id, state: 'conflict', conflict: { kind: 'fields' } })
  await me.move('A', 'prod', 'dev')
  const ends = { 'shop/dev/A': 'mine', 'shop/prod/B': 'b' }
  expect([places(client), client.drift()]).toEqual([ends, []])
  client.resolve(edit?.id ?? '', { take: 'mine' })
  await bothHave(client, other, ends)
})

test('a move that was queued after a snapshot of where it goes stays behind it when others have deleted the variable', async () => {
  const { me, other } = await mover()
  const { client } = me
  const [dev, prod] = ['dev', 'prod'].map((slug) => environmentOf(client, slug)) as [string, string]
  client.setVariable(dev, 'A', 'mine')
  client.snapshot(prod, { label: 'before the move' })
  await me.move('A', 'dev', 'prod')
  other.deleteVariable(environmentOf(other, 'dev'), 'A')
  await other.sync()
  await client.sync()
  const [question] = client.queue()
  expect(question).toMatchObject({ kind: 'create', state: 'conflict', ancestors: [dev, expect.any(String)] })
  if (question === undefined) throw new Error('nothing is asked')
  client.resolve(question.id, { take: 'mine' })
  await client.sync()
  await client.sync()
  expect(client.entries()).toEqual([])
  expect(client.contents()).toMatchObject({ 'shop/prod/A': 'mine', 'shop/prod/B': 'b' })
  expect(client.savedIn(client.version(prod, 'before the move').id).map(({ name }) => name)).toEqual(['B'])
})
