import { expect, test } from 'vitest'
import type { Commands } from '../../../electron/bridge/contract.ts'
import type { Result } from '../../../electron/bridge/result.ts'
import { workspaceId } from '../../support/desk.ts'
import { unreachable } from '../../support/build-client.ts'
import { type Person, valueOf } from '../seen/two-people.ts'
import { runningPeople, syncs } from './running-people.ts'

const { person } = runningPeople()

const kinds = [
  {
    kind: 'project',
    remove: async (them: Person) => {
      const { id, rev } = await them.project()
      return them.handlers['projects.delete']({ workspaceId, id, seen: rev })
    },
  },
  {
    kind: 'environment',
    remove: async (them: Person) => {
      const { id, rev } = await them.environment('prod')
      return them.handlers['environments.delete']({ workspaceId, id, seen: rev })
    },
  },
]

/** One edits X offline while the other does; they are asked which, and before they answer it is deleted with all around it. */
async function deletedUnderMe(remove: (them: Person) => Promise<Result<unknown>>) {
  const me = person()
  me.desk.client.createProject('Shop')
  me.desk.client.createEnvironment('shop', 'Prod')
  for (const name of ['X', 'Y']) me.set('prod', name, 'one')
  await syncs(me)
  const them = person()
  await syncs(them)
  me.desk.client.network = unreachable
  me.set('prod', 'X', 'mine')
  them.set('prod', 'X', 'theirs')
  await syncs(them)
  me.desk.client.network = (forward) => forward()
  await syncs(me)
  await valueOf(remove(them))
  await syncs(them)
  expect(them.value('prod', 'X')).toBeUndefined()
  await syncs(me)
  const [conflict, ...more] = await me.conflicts()
  expect(more).toEqual([])
  expect(conflict).toMatchObject({ kind: 'deleted-remotely' })
  const { changeId, fingerprint } = conflict ?? { changeId: '', fingerprint: '' }
  return {
    me,
    them,
    answer: (choice: Commands['conflicts.resolve']['args']['choice']) =>
      me.handlers['conflicts.resolve']({ workspaceId, changeId, fingerprint, choice }),
  }
}

test.each(kinds)('a $kind that others deleted under an unsent edit is restored whole, with the edit in it', async ({ remove }) => {
  const me = person()
  me.desk.client.createProject('Shop')
  me.desk.client.createEnvironment('shop', 'Prod')
  for (const name of ['X', 'Y']) me.set('prod', name, 'one')
  await syncs(me)
  const them = person()
  await syncs(them)

  me.desk.client.network = unreachable
  me.set('prod', 'X', 'mine')
  await valueOf(remove(them))
  await syncs(them)
  expect(them.value('prod', 'X')).toBeUndefined()
  me.desk.client.network = (forward) => forward()
  await syncs(me)

  const [conflict] = await me.conflicts()
  expect(conflict).toMatchObject({ kind: 'deleted-remotely' })
  const { changeId, fingerprint } = conflict ?? { changeId: '', fingerprint: '' }
  await valueOf(me.handlers['conflicts.resolve']({ workspaceId, changeId, fingerprint, choice: { take: 'mine' } }))
  await syncs(me)
  await syncs(them)
  for (const each of [me, them]) expect(each.contents()).toMatchObject({ 'shop/prod/X': 'mine', 'shop/prod/Y': 'one' })
  expect(await me.conflicts()).toEqual([])
  expect(me.desk.client.queue()).toEqual([])
})

const [, environment] = kinds
const removeEnvironment = (them: Person): Promise<Result<unknown>> => environment?.remove(them) ?? Promise.reject(new Error('no such kind'))

test.each(kinds)(
  'a variable renamed in a $kind that others deleted is there once, by its new name, when that is restored',
  async ({ remove }) => {
    const me = person()
    me.desk.client.createProject('Shop')
    me.desk.client.createEnvironment('shop', 'Prod')
    for (const name of ['X', 'Y']) me.set('prod', name, 'one')
    await syncs(me)
    const them = person()
    await syncs(them)
    me.desk.client.network = unreachable
    me.desk.client.updateVariable((await me.row('prod', 'X')).id, { name: 'RENAMED' })
    await valueOf(remove(them))
    await syncs(them)
    me.desk.client.network = (forward) => forward()
    await syncs(me)
    const [{ changeId, fingerprint } = { changeId: '', fingerprint: '' }] = await me.conflicts()
    await valueOf(me.handlers['conflicts.resolve']({ workspaceId, changeId, fingerprint, choice: { take: 'mine' } }))
    await syncs(me)
    await syncs(them)
    for (const each of [me, them])
      expect(each.contents()).toEqual({ shop: '', 'shop/prod': '', 'shop/prod/RENAMED': 'one', 'shop/prod/Y': 'one' })
    expect(me.desk.client.queue()).toEqual([])
  },
)

test('a question that was open about a variable is open again when its deleted environment is restored', async () => {
  const { me, them, answer } = await deletedUnderMe(removeEnvironment)
  await valueOf(answer({ take: 'mine' }))
  await syncs(me)
  await syncs(them)
  expect(them.value('prod', 'X')).toBe('theirs')
  expect(await me.question()).toMatchObject({ mine: 'mine', theirs: 'theirs' })
})

test('what was restored while the connection broke is not written over before it has been read', async () => {
  const { me, them, answer } = await deletedUnderMe(removeEnvironment)
  let isBroken = false
  me.desk.client.network = (forward, { path }) => {
    if (isBroken) return Promise.reject(new TypeError('fetch failed'))
    isBroken = path.includes('/deleted/')
    return forward()
  }
  await valueOf(answer({ take: 'mine' }))
  me.desk.client.network = (forward) => forward()
  await syncs(me)
  await syncs(them)
  expect(them.value('prod', 'X')).toBe('theirs')
  expect(await me.question()).toMatchObject({ mine: 'mine', theirs: 'theirs' })
})

test('with the key of another workspace nothing deleted is listed or restored, and the question stays', async () => {
  const { me, answer } = await deletedUnderMe(removeEnvironment)
  const another = { id: 'another', name: 'Another', slug: 'another', icon: 'icon', createdAt: '2026-01-01T00:00:00.000Z' }
  const asked: string[] = []
  me.desk.client.network = (_forward, { path }) => {
    asked.push(path)
    return Promise.resolve(Response.json({ success: true, code: 200, message: 'OK', data: another }))
  }
  const refused = { ok: false, error: { kind: 'wrong-workspace' } }
  expect([await answer({ take: 'mine' }), await me.handlers['deleted.list']({ workspaceId })]).toMatchObject([refused, refused])
  expect(new Set(asked)).toEqual(new Set(['/workspace']))
  expect(await me.conflicts()).toMatchObject([{ kind: 'deleted-remotely' }])
})

test('an environment that others deleted, given another name, is created under that name', async () => {
  const { me, them, answer } = await deletedUnderMe(removeEnvironment)
  await valueOf(answer({ take: 'edit', fields: { name: 'Live', slug: 'live' } }))
  await syncs(me)
  await syncs(them)
  expect(them.contents()).toMatchObject({ 'shop/live/X': 'mine' })
})
