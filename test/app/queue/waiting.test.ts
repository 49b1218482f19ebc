import { describe, expect, test } from 'vitest'
import { createMeeting, workspaceId, type Person } from '../seen/two-people.ts'
import { sends } from '../../support/build-client.ts'
import { valueOf } from '../../support/value-of.ts'

const meet = createMeeting()

/** A person whose change of X waits for an answer, with a new slug of its environment queued behind it. */
async function stuck(): Promise<Person> {
  const { me, them } = await meet()
  me.set('prod', 'X', 'mine')
  them.set('prod', 'X', 'theirs')
  await them.sync()
  await me.sync()
  const { id, rev } = await me.environment('prod')
  await valueOf(me.handlers['environments.update']({ workspaceId, id, seen: rev, slug: 'live' }))
  await me.sync()
  return me
}

const listed = async (person: Person) =>
  (await valueOf(person.handlers['queue.list']({ workspaceId }))).map(({ subject, state, reason, waitsFor }) => ({
    subject,
    state,
    reason,
    waitsFor,
  }))

test('a change that waits for one in conflict says for which', async () => {
  expect(await listed(await stuck())).toEqual([
    { subject: 'variable', state: 'conflict', reason: expect.any(String), waitsFor: null },
    { subject: 'environment', state: 'queued', reason: null, waitsFor: { changeId: expect.any(String), subject: 'variable', name: 'X' } },
  ])
})

test('all changes that a low role had rejected are sent again at once, and conflicts stay', async () => {
  const { me, them } = await meet()
  for (const name of ['A', 'B', 'X']) me.set('prod', name, 'mine')
  me.desk.client.network = (forward, { method }) =>
    method === 'GET' ? forward() : Promise.resolve(Response.json({ success: false, code: 403, message: 'No.', data: {} }, { status: 403 }))
  await me.sync()
  expect((await listed(me)).map(({ state }) => state)).toEqual(['failed', 'failed', 'failed'])
  them.set('prod', 'X', 'theirs')
  await them.sync()
  me.desk.client.network = (forward) => forward()
  await valueOf(me.handlers['queue.retry']({ workspaceId }))
  await me.sync()
  expect((await listed(me)).map(({ state }) => state)).toEqual(['conflict'])
  await valueOf(me.handlers['queue.retry']({ workspaceId }))
  expect((await listed(me)).map(({ state }) => state)).toEqual(['conflict'])
  await them.sync()
  expect(them.value('prod', 'A')).toBe('mine')
})

test.each([
  {
    what: 'an edit of what others deleted',
    mine: (me: Person) => me.set('prod', 'X', 'mine'),
    theirs: (them: Person) => them.desk.client.deleteVariable(them.environmentId('prod'), 'X'),
    change: { kind: 'update', fields: ['value'] },
    asked: [{ field: 'value', was: { text: 'one' }, mine: { text: 'mine' }, theirs: { state: 'absent' } }],
  },
  {
    what: 'the deletion of what others edited',
    mine: (me: Person) => me.desk.client.deleteVariable(me.environmentId('prod'), 'X'),
    theirs: (them: Person) => them.set('prod', 'X', 'theirs'),
    change: { kind: 'delete', fields: [] },
    asked: [{ field: 'value', was: { text: 'one' }, mine: { state: 'absent' }, theirs: { text: 'theirs' } }],
  },
  {
    what: 'a variable that others created too',
    mine: (me: Person) => me.set('prod', 'NEW', 'mine'),
    theirs: (them: Person) => them.set('prod', 'NEW', 'theirs'),
    change: { kind: 'create' },
    asked: [{ field: 'value', mine: { text: 'mine' }, theirs: { text: 'theirs' } }],
  },
])('$what is listed as what its user did, and asks about what differs alone', async ({ mine, theirs, change, asked }) => {
  const { me, them } = await meet()
  mine(me)
  theirs(them)
  await them.sync()
  await me.sync()
  expect(await valueOf(me.handlers['queue.list']({ workspaceId }))).toMatchObject([change])
  expect((await me.conflicts()).map(({ fields }) => fields)).toMatchObject([asked])
})

test('an edit and a new variable in an environment that others deleted are listed as what they are, and wait for the question about it', async () => {
  const { me, them } = await meet()
  me.set('prod', 'X', 'mine')
  me.set('prod', 'NEW', 'v')
  const { id, rev } = await them.environment('prod')
  await valueOf(them.handlers['environments.delete']({ workspaceId, id, seen: rev }))
  await them.sync()
  await me.sync()
  const queue = await valueOf(me.handlers['queue.list']({ workspaceId }))
  const question = queue.find(({ subject }) => subject === 'environment')
  expect(question).toMatchObject({ state: 'conflict', conflict: 'deleted-remotely', waitsFor: null })
  const waitsFor = { changeId: question?.changeId, subject: 'environment', name: 'Prod' }
  const edit = queue.find(({ name }) => name === 'X')
  expect(edit).toMatchObject({ kind: 'update', fields: ['value'], conflict: null, waitsFor })
  expect(queue.find(({ name }) => name === 'NEW')).toMatchObject({ kind: 'create', conflict: null, waitsFor })
  const shown = await valueOf(me.handlers['queue.show']({ workspaceId, changeId: edit?.changeId ?? '', reveal: true }))
  expect(shown).toMatchObject([{ field: 'value', was: { text: 'one' }, now: { text: 'mine' } }])
  expect((await valueOf(me.handlers['sync.status']({ workspaceId }))).attention).toBe(1)
})

test('a row says that it was deleted there, or that both sides changed it', async () => {
  const { me, them } = await meet()
  for (const slug of ['prod', 'dev']) me.set(slug, 'X', 'mine')
  them.set('prod', 'X', 'theirs')
  them.desk.client.deleteVariable(them.environmentId('dev'), 'X')
  await them.sync()
  await me.sync()
  expect([(await me.row('prod', 'X')).conflict, (await me.row('dev', 'X')).conflict]).toEqual(['fields', 'deleted-remotely'])
})

test('a name that another variable has by now is told with the one who changed that variable', async () => {
  const { me, them } = await meet()
  const { id, rev } = await me.row('prod', 'X')
  await valueOf(me.handlers['variables.update']({ workspaceId, id, seen: rev, name: 'TAKEN' }))
  them.set('prod', 'TAKEN', 'theirs')
  await them.sync()
  await me.sync()
  expect(await me.conflicts()).toMatchObject([{ kind: 'name-taken', remoteBy: 'owner@localhost', remoteAt: expect.any(String) }])
})

test('a new slug that another environment has by now is listed as the change that it is', async () => {
  const { me, them } = await meet()
  const { id, rev } = await me.environment('prod')
  await valueOf(me.handlers['environments.update']({ workspaceId, id, seen: rev, slug: 'live' }))
  them.desk.client.createEnvironment('shop', 'Live')
  await them.sync()
  await me.sync()
  expect(await valueOf(me.handlers['queue.list']({ workspaceId }))).toMatchObject([
    { state: 'conflict', subject: 'environment', kind: 'update', fields: ['slug'] },
  ])
})

test('an environment that others created too, by another name, is listed as created', async () => {
  const { me, them } = await meet()
  const { id: projectId } = await me.project()
  await valueOf(me.handlers['environments.create']({ workspaceId, projectId, name: 'Live for all', slug: 'live' }))
  them.desk.client.createEnvironment('shop', 'Live')
  await them.sync()
  await me.sync()
  expect(await valueOf(me.handlers['queue.list']({ workspaceId }))).toMatchObject([{ state: 'conflict', kind: 'create' }])
})

test('and goes, with nothing more to say, once that one is answered', async () => {
  const me = await stuck()
  const [conflict] = await me.conflicts()
  const { changeId, fingerprint } = conflict ?? { changeId: '', fingerprint: '' }
  await valueOf(me.handlers['conflicts.resolve']({ workspaceId, changeId, fingerprint, choice: { take: 'theirs' } }))
  await me.sync()
  expect(await listed(me)).toEqual([])
  expect(me.value('live', 'X')).toBe('theirs')
})

describe('with a version queued behind it, a change that the service refuses', () => {
  const refuse = (me: Person, what: 'create variable' | 'update variable'): void => {
    me.desk.client.network = (forward, request) =>
      sends(what, request)
        ? Promise.resolve(Response.json({ success: false, code: 422, message: 'Too long.', data: {} }, { status: 422 }))
        : forward()
  }
  const accept = (me: Person): void => {
    me.desk.client.network = (forward) => forward()
  }
  const save = (me: Person) =>
    valueOf(me.handlers['versions.create']({ workspaceId, environmentId: me.environmentId('prod'), label: 'saved', note: '' }))
  const saved = async (me: Person, name: string) => {
    const { client } = me.desk
    const { id } = client.version(me.environmentId('prod'), 'saved')
    return client.savedIn(id).find((variable) => variable.name === name)?.value
  }

  test.each([
    { what: 'create variable', name: 'NEW' },
    { what: 'update variable', name: 'X' },
  ] as const)('is sent as it was corrected, before the version is saved: $what', async ({ what, name }) => {
    const { me } = await meet()
    refuse(me, what)
    me.set('prod', name, 'long')
    await me.sync()
    await save(me)
    me.set('prod', name, 'shorter')
    accept(me)
    await me.sync()
    expect(await listed(me)).toEqual([])
    expect([me.value('prod', name), await saved(me, name)]).toEqual(['shorter', 'shorter'])
  })

  test('is sent as it was corrected while the refusal was on its way', async () => {
    const { me } = await meet()
    me.desk.client.network = async (forward, request) => {
      if (!sends('create variable', request)) return forward()
      accept(me)
      await save(me)
      me.set('prod', 'NEW', 'shorter')
      return Response.json({ success: false, code: 422, message: 'Too long.', data: {} }, { status: 422 })
    }
    me.set('prod', 'NEW', 'long')
    await me.sync()
    expect(await listed(me)).toEqual([])
    expect([me.value('prod', 'NEW'), await saved(me, 'NEW')]).toEqual(['shorter', 'shorter'])
  })

  // Sent before the rollback, the correction would be rolled back with the rest.
  test('waits, and says for what, once it is corrected behind a rollback', async () => {
    const { me } = await meet()
    await save(me)
    me.set('prod', 'X', 'two')
    await me.sync()
    refuse(me, 'update variable')
    me.set('prod', 'X', 'long')
    await me.sync()
    const { id: versionId } = me.desk.client.version(me.environmentId('prod'), 'saved')
    const { fingerprint } = await valueOf(me.handlers['versions.preview-rollback']({ workspaceId, versionId }))
    await valueOf(me.handlers['versions.rollback']({ workspaceId, versionId, fingerprint }))
    me.set('prod', 'X', 'shorter')
    accept(me)
    await me.sync()
    const [refused] = me.desk.client.queue()
    const waitsFor = { changeId: refused?.id, subject: 'variable', name: 'X' }
    expect(await listed(me)).toMatchObject([
      { subject: 'variable', state: 'failed', waitsFor: null },
      { subject: 'version', state: 'queued', waitsFor },
      { subject: 'variable', state: 'queued', waitsFor },
    ])
    await valueOf(me.handlers['queue.discard']({ workspaceId, changeId: refused?.id ?? '' }))
    await me.sync()
    // The environment differs from the preview by now, so the user decides about the rollback.
    expect(await listed(me)).toMatchObject([{ subject: 'version', state: 'conflict' }])
    expect((await me.conflicts()).map(({ kind }) => kind)).toEqual(['stale-rollback'])
    expect(me.value('prod', 'X')).toBe('shorter')
  })

  test('is gone if its new variable is deleted', async () => {
    const { me } = await meet()
    refuse(me, 'create variable')
    me.set('prod', 'NEW', 'long')
    await me.sync()
    await save(me)
    me.desk.client.deleteVariable(me.environmentId('prod'), 'NEW')
    accept(me)
    await me.sync()
    expect(await listed(me)).toEqual([])
    expect([me.value('prod', 'NEW'), await saved(me, 'X')]).toEqual([undefined, 'one'])
  })
})
