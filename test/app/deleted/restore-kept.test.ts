import { describe, expect, test } from 'vitest'
import { getState, setState } from '../../../electron/mirror/workspace-state.ts'
import { workspaceId } from '../../support/desk.ts'
import { withoutFeed } from '../../support/reduced-service.ts'
import { unreachable, type Network } from '../../support/build-client.ts'
import type { Person } from '../seen/two-people.ts'
import { asked, removals, runningPeople, syncs } from './running-people.ts'
import { valueOf } from '../../support/value-of.ts'

const { stage, person } = runningPeople()

const whole: Network = (forward) => forward()
/** Its variables by their place. */
const variablesOf = (who: Person): Record<string, string> =>
  Object.fromEntries(Object.entries(who.contents()).filter(([place]) => place.split('/').length === 3))

const deletedFor = (who: Person) => valueOf(who.handlers['deleted.list']({ workspaceId }))
/** Two people with a project Shop; in its environment Prod are X and Y, and one version of when X was "old". */
async function twoWithAVersion(): Promise<{ me: Person; them: Person }> {
  const me = person()
  me.desk.client.createProject('Shop')
  me.desk.client.createEnvironment('shop', 'Prod')
  me.set('prod', 'X', 'old')
  me.set('prod', 'OLD', 'of the version alone')
  await syncs(me)
  me.desk.client.snapshot(me.environmentId('prod'), { label: 'first', note: 'a note' })
  await syncs(me)
  me.set('prod', 'X', 'new')
  me.set('prod', 'Y', 'two')
  const old = await me.row('prod', 'OLD')
  await valueOf(me.handlers['variables.delete']({ workspaceId, rows: [{ id: old.id, seen: old.rev }] }))
  await syncs(me)
  const them = person()
  await syncs(them)
  await syncs(them)
  return { me, them }
}

const present = { 'shop/prod/X': 'new', 'shop/prod/Y': 'two' }

test('a deleted project on a service that keeps nothing is created again by undo, which promises no versions', async () => {
  const { them } = await twoWithAVersion()
  them.desk.client.network = withoutFeed
  await syncs(them)
  await removals.project(them)
  await syncs(them)
  const { notice } = await valueOf(them.desk.handlers['undo.undo']({ workspaceId }))
  expect(notice).toContain('can’t restore versions')
  expect(notice).not.toContain('Restore deleted')
})

describe.each(['project', 'environment'] as const)('a deleted %s', (kind) => {
  test.each(['me', 'them'] as const)('that the service has forgotten after its 30 days is restored from what %s had', async (who) => {
    const people = await twoWithAVersion()
    const { me, them } = people
    await removals[kind](me)
    await syncs(me)
    await syncs(them)
    const [first] = await deletedFor(people[who])
    expect(first).toMatchObject({ kind, from: 'service' })
    await stage.service().cleanAfter(31)

    const [row, ...more] = await deletedFor(people[who])
    expect(more).toEqual([])
    expect(row).toMatchObject({ kind, from: 'mirror', variables: 2, versions: 1, by: first?.by, lacks: null })
    await valueOf(people[who].handlers['deleted.restore']({ workspaceId, id: row?.id ?? '', from: 'mirror' }))
    for (const each of [people[who], me, them, me]) await syncs(each)
    expect([variablesOf(me), variablesOf(them)]).toEqual([present, present])
    expect(await deletedFor(people[who])).toEqual([])

    const [version, ...others] = stage.service().stored().versions
    expect(others).toEqual([])
    expect(version).toMatchObject({ note: 'a note' })
    const held = stage.service().savedIn(version?.id ?? '')
    const plain = held.map(({ name, value }) => [name, me.desk.client.cipher.open(value)])
    expect(plain).toEqual([
      ['OLD', 'of the version alone'],
      ['X', 'old'],
    ])
  })

  test('on a service that keeps nothing is restored from what this computer had; what it cannot create waits', async () => {
    const { me, them } = await twoWithAVersion()
    them.desk.client.network = withoutFeed
    await syncs(them)
    await removals[kind](me)
    await syncs(me)
    await syncs(them)
    expect(variablesOf(them)).toEqual({})
    const [row, ...more] = await deletedFor(them)
    expect(more).toEqual([])
    expect(row).toMatchObject({ kind, from: 'mirror', by: 'someone else', variables: 2, versions: 1 })
    expect(row?.lacks).toContain('Missing: 1 version.')
    const keeps = async (who: Person) => (await valueOf(who.handlers['sync.status']({ workspaceId }))).keepsDeleted
    expect([await keeps(me), await keeps(them)]).toEqual([true, false])
    await valueOf(them.handlers['deleted.restore']({ workspaceId, id: row?.id ?? '', from: 'mirror' }))
    await syncs(them)
    expect(variablesOf(them)).toEqual(present)
    expect(them.desk.client.queue().map(({ state }) => state)).toContain('blocked')
    // It learns to.
    them.desk.client.network = whole
    await syncs(them)
    await syncs(me)
    expect(variablesOf(me)).toEqual(present)
    expect(them.desk.client.queue()).toEqual([])
  })

  test('of which a variable was deleted and made again comes back with the newer one, and is counted so', async () => {
    const { me, them } = await twoWithAVersion()
    const x = await me.row('prod', 'X')
    await valueOf(me.handlers['variables.delete']({ workspaceId, rows: [{ id: x.id, seen: x.rev }] }))
    await syncs(me)
    me.set('prod', 'X', 'again')
    await syncs(me)
    const { mirror } = them.desk.client
    const synced = mirror.snapshot((tx) => getState(tx, 'last-synced-at'))
    await syncs(them)
    expect(variablesOf(them)).toEqual({ 'shop/prod/X': 'again', 'shop/prod/Y': 'two' })
    // As if that sync had broken off after it had pulled: the next one finds the rest deleted.
    mirror.write((tx) => setState(tx, 'last-synced-at', synced ?? '0'))
    await removals[kind](me)
    await syncs(me)
    await syncs(them)
    await stage.service().cleanAfter(31)

    const [row] = await deletedFor(them)
    expect(row).toMatchObject({ kind, from: 'mirror', variables: 2 })
    await valueOf(them.handlers['deleted.restore']({ workspaceId, id: row?.id ?? '', from: 'mirror' }))
    for (const each of [them, me]) await syncs(each)
    expect(variablesOf(me)).toEqual({ 'shop/prod/X': 'again', 'shop/prod/Y': 'two' })
  })

  test('under an unsent edit comes back whole where the service restores nothing', async () => {
    const { me, them } = await twoWithAVersion()
    me.desk.client.network = unreachable
    me.set('prod', 'X', 'mine')
    await removals[kind](them)
    await syncs(them)
    await stage.service().cleanAfter(31)
    me.desk.client.network = whole
    await syncs(me)
    const answer = await asked(me)
    expect(await valueOf(answer({ take: 'mine' }))).toEqual({ restored: false })
    await syncs(me)
    await syncs(them)
    const expected = { ...present, 'shop/prod/X': 'mine' }
    expect([variablesOf(me), variablesOf(them)]).toEqual([expected, expected])
  })
})

test('an environment that others deleted while I edited and deleted it comes back with the variable that I had edited', async () => {
  const { me, them } = await twoWithAVersion()
  me.desk.client.network = unreachable
  me.set('prod', 'X', 'mine')
  await removals.environment(me)
  await removals.environment(them)
  await syncs(them)
  me.desk.client.network = whole
  await syncs(me)
  expect(me.desk.client.queue()).toEqual([])
  await stage.service().cleanAfter(31)
  const [row] = await deletedFor(me)
  await valueOf(me.handlers['deleted.restore']({ workspaceId, id: row?.id ?? '', from: 'mirror' }))
  expect(variablesOf(me)).toEqual(present)
})

test('an environment restored before it is known what the service can do has its versions again', async () => {
  const { me } = await twoWithAVersion()
  await removals.environment(me)
  await syncs(me)
  await stage.service().cleanAfter(31)
  const [row] = await deletedFor(me)
  const { client } = me.desk
  client.network = unreachable
  client.mirror.write((tx) => setState(tx, 'service-profile', null))
  await valueOf(me.handlers['deleted.restore']({ workspaceId, id: row?.id ?? '', from: 'mirror' }))
  client.network = whole
  client.skew += 60_000
  await syncs(me)
  expect(client.queue()).toEqual([])
  expect(stage.service().stored().versions).toMatchObject([{ note: 'a note' }])
})

test('a variable whose deletion waits for an answer comes back with an environment that others deleted meanwhile', async () => {
  const { me, them } = await twoWithAVersion()
  const { id, rev: seen } = await me.row('prod', 'X')
  them.set('prod', 'X', 'theirs')
  for (const each of [them, me]) await syncs(each)
  await valueOf(me.handlers['variables.delete']({ workspaceId, rows: [{ id, seen }] }))
  expect(await me.conflicts()).toMatchObject([{ kind: 'changed-remotely' }])
  await removals.environment(them)
  for (const each of [them, me]) await syncs(each)
  await stage.service().cleanAfter(31)
  const [row] = await deletedFor(me)
  await valueOf(me.handlers['deleted.restore']({ workspaceId, id: row?.id ?? '', from: 'mirror' }))
  expect(variablesOf(me)).toEqual({ ...present, 'shop/prod/X': 'theirs' })
})

test('an environment whose project was deleted after it, and came back, is listed with that project and restored into it', async () => {
  const { me } = await twoWithAVersion()
  for (const kind of ['environment', 'project'] as const) {
    await removals[kind](me)
    await syncs(me)
  }
  const project = (await deletedFor(me)).find((row) => row.kind === 'project')
  await valueOf(me.handlers['deleted.restore']({ workspaceId, id: project?.id ?? '', from: 'service' }))
  await stage.service().cleanAfter(31)
  const [row, ...more] = await deletedFor(me)
  expect(more).toEqual([])
  expect(row).toMatchObject({ kind: 'environment', from: 'mirror', slug: 'prod', project: 'Shop' })
  await valueOf(me.handlers['deleted.restore']({ workspaceId, id: row?.id ?? '', from: 'mirror' }))
  expect(variablesOf(me)).toEqual(present)
})

test('an environment that comes back and is deleted again while its variables are read is restored with what this computer had', async () => {
  const { me, them } = await twoWithAVersion()
  them.desk.client.network = withoutFeed
  await syncs(them)
  await removals.environment(me)
  await syncs(me)
  await syncs(them)
  await valueOf(me.handlers['undo.undo']({ workspaceId }))
  await syncs(me)
  let isDeletedAgain = false
  them.desk.client.network = async (forward, request) => {
    if (request.path.includes('/environments/prod/variables') && !isDeletedAgain) {
      isDeletedAgain = true
      await removals.environment(me)
      await syncs(me)
    }
    return withoutFeed(forward, request)
  }
  await syncs(them)
  await syncs(them)
  expect([isDeletedAgain, variablesOf(them)]).toEqual([true, {}])
  expect(await deletedFor(them)).toMatchObject([{ kind: 'environment', from: 'mirror', variables: 2, versions: 1 }])
})

test('what was deleted by itself before its environment was is no part of what is restored', async () => {
  const { me, them } = await twoWithAVersion()
  const y = await me.row('prod', 'Y')
  await valueOf(me.handlers['variables.delete']({ workspaceId, rows: [{ id: y.id, seen: y.rev }] }))
  await removals.environment(me)
  await syncs(me)
  await syncs(them)
  await stage.service().cleanAfter(31)
  const [mine] = await deletedFor(me)
  expect(mine).toMatchObject({ variables: 1 })
  await valueOf(me.handlers['deleted.restore']({ workspaceId, id: mine?.id ?? '', from: 'mirror' }))
  expect(variablesOf(me)).toEqual({ 'shop/prod/X': 'new' })
})

test('a slug that another project has since, or that no project can have, is refused, and another one taken', async () => {
  const { me } = await twoWithAVersion()
  await removals.project(me)
  await syncs(me)
  await stage.service().cleanAfter(31)
  me.desk.client.createProject('Shop')
  const [row] = await deletedFor(me)
  const input = { workspaceId, id: row?.id ?? '', from: 'mirror' } as const
  expect(await me.handlers['deleted.restore'](input)).toMatchObject({ ok: false, error: { kind: 'name-taken' } })
  for (const slug of ['Shop 2!', '../shop', 'shop/2'])
    expect(await me.handlers['deleted.restore']({ ...input, slug })).toMatchObject({
      ok: false,
      error: { kind: 'invalid-input', field: 'slug' },
    })
  await valueOf(me.handlers['deleted.restore']({ ...input, slug: 'shop-2' }))
  await syncs(me)
  expect(variablesOf(me)).toEqual({ 'shop-2/prod/X': 'new', 'shop-2/prod/Y': 'two' })
})

/** Others delete Prod, the service forgets it, and it waits to be created again for an edit in it. */
async function createAgainForAnEdit(me: Person, them: Person): Promise<void> {
  me.desk.client.network = unreachable
  me.set('prod', 'X', 'mine')
  await removals.environment(them)
  await syncs(them)
  await stage.service().cleanAfter(31)
  me.desk.client.network = whole
  await syncs(me)
  const answer = await asked(me)
  await valueOf(answer({ take: 'mine' }))
}

/** Prod is deleted, the service forgets it, and it is created again: by undo with a new local id, for an edit in it with its former one. */
const createdAgain = {
  'by undo': async (me: Person) => {
    await removals.environment(me)
    await syncs(me)
    await stage.service().cleanAfter(31)
    await valueOf(me.handlers['undo.undo']({ workspaceId }))
    await syncs(me)
  },
  'for an edit in it': async (me: Person, them: Person) => {
    await createAgainForAnEdit(me, them)
    await syncs(me)
  },
}
const ways = Object.entries(createdAgain)

test.each(ways)(
  'an environment that was deleted, created again %s and deleted once more is listed as the two that it was, each with what it held',
  async (_how, createAgain) => {
    const { me, them } = await twoWithAVersion()
    await createAgain(me, them)
    await removals.environment(me)
    await syncs(me)
    await stage.service().cleanAfter(31)

    const rows = await deletedFor(me)
    expect(rows).toMatchObject([
      { slug: 'prod', variables: 2, versions: 0 },
      { slug: 'prod', variables: 2, versions: 1 },
    ])
    expect(new Set(rows.map(({ id }) => id)).size).toBe(2)
    const [, first] = rows
    await valueOf(me.handlers['deleted.restore']({ workspaceId, id: first?.id ?? '', from: 'mirror' }))
    await syncs(me)
    expect(stage.service().stored().versions).toMatchObject([{ note: 'a note' }])
    expect(await deletedFor(me)).toMatchObject([{ versions: 0 }])
  },
)

test.each(['waits', 'is sent'])(
  'versions of a deleted environment stay restorable when it is created again for an edit in it, which %s',
  async (when) => {
    const { me, them } = await twoWithAVersion()
    await createAgainForAnEdit(me, them)
    if (when === 'is sent') await syncs(me)
    const [row, ...more] = await deletedFor(me)
    expect(more).toEqual([])
    expect(row).toMatchObject({ from: 'mirror', versions: 1 })
    const input = { workspaceId, id: row?.id ?? '', from: 'mirror' } as const
    expect(await me.handlers['deleted.restore'](input)).toMatchObject({ ok: false, error: { kind: 'name-taken' } })
    await valueOf(me.handlers['deleted.restore']({ ...input, slug: 'prod-2' }))
    await syncs(me)
    expect(variablesOf(me)).toEqual({ 'shop/prod/X': 'mine', 'shop/prod/Y': 'two', 'shop/prod-2/X': 'new', 'shop/prod-2/Y': 'two' })
    expect(stage.service().stored().versions).toMatchObject([{ note: 'a note' }])
  },
)

/** I rename the environment Spare to Used, which others delete, and the service forgets: it waits to be created again. */
async function renameWhatOthersDelete(me: Person, them: Person): Promise<void> {
  const { id, rev: seen } = await me.environment('spare')
  me.desk.client.network = unreachable
  await valueOf(me.handlers['environments.update']({ workspaceId, id, seen, slug: 'used' }))
  await removeAndForget(them, 'spare')
  me.desk.client.network = whole
  await syncs(me)
}

async function removeAndForget(by: Person, slug: string): Promise<void> {
  const { id, rev: seen } = await by.environment(slug)
  await valueOf(by.handlers['environments.delete']({ workspaceId, id, seen }))
  await syncs(by)
  await stage.service().cleanAfter(31)
}

async function twoWithASpare(isSaved: boolean): Promise<{ me: Person; them: Person }> {
  const people = await twoWithAVersion()
  const { client } = people.me.desk
  client.createEnvironment('shop', 'Spare')
  await syncs(people.me)
  if (isSaved) client.snapshot(people.me.environmentId('spare'), { label: 'first' })
  for (const who of ['me', 'them', 'them'] as const) await syncs(people[who])
  return people
}

test('a deleted environment that waits to be created again for its rename is listed under its new slug', async () => {
  const { me, them } = await twoWithASpare(true)
  await renameWhatOthersDelete(me, them)
  const answer = await asked(me)
  await valueOf(answer({ take: 'mine' }))
  expect(me.desk.client.queue()).toMatchObject([{ kind: 'create', state: 'queued' }])
  expect(await deletedFor(me)).toMatchObject([{ slug: 'used', from: 'mirror', versions: 1 }])
})

test('a deleted environment that waits to be created again with all that it had is not listed', async () => {
  const { me, them } = await twoWithASpare(false)
  await renameWhatOthersDelete(me, them)
  them.desk.client.createEnvironment('shop', 'Used')
  for (const each of [them, me]) await syncs(each)
  await removeAndForget(them, 'used')
  await syncs(me)
  const answer = await asked(me)
  await valueOf(answer({ take: 'mine' }))
  expect(me.desk.client.queue()).toMatchObject([{ kind: 'create', state: 'queued' }])
  expect(await deletedFor(me)).toEqual([])
})

test.each(ways)('a deleted environment is not restored into the one that was created in its place %s', async (how, createAgain) => {
  const { me, them } = await twoWithAVersion()
  await createAgain(me, them)
  const y = await me.row('prod', 'Y')
  await valueOf(me.handlers['variables.delete']({ workspaceId, rows: [{ id: y.id, seen: y.rev }] }))
  await syncs(me)
  const [row] = await deletedFor(me)
  const input = { workspaceId, id: row?.id ?? '', from: 'mirror' } as const
  expect(await me.handlers['deleted.restore'](input)).toMatchObject({ ok: false, error: { kind: 'name-taken' } })
  expect(variablesOf(me)).toEqual({ 'shop/prod/X': how === 'by undo' ? 'new' : 'mine' })
})
