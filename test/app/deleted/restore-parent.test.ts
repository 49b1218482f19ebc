import { describe, expect, test, vi } from 'vitest'
import { unreachable, type Network } from '../../support/build-client.ts'
import { workspaceId } from '../../support/desk.ts'
import { valueOf } from '../../support/value-of.ts'
import type { Person } from '../seen/two-people.ts'
import { asked, removals, runningPeople, syncs } from './running-people.ts'

const { twoWithAShop } = runningPeople()
const whole: Network = (forward) => forward()

/** What I do while I am offline and they delete the project or environment around it; in the end I am asked about it. */
async function deletedUnder(kind: keyof typeof removals, edit: (me: Person) => unknown) {
  const { me, them } = await twoWithAShop('X', 'Y')
  me.desk.client.network = unreachable
  await edit(me)
  await removals[kind](them)
  await syncs(them)
  expect(them.value('prod', 'X')).toBeUndefined()
  me.desk.client.network = whole
  await syncs(me)
  return { me, them, answer: await asked(me) }
}

/** One edits X offline while the other does; they are asked which (`shown`: X on a screen then), and before they answer its environment is deleted. */
async function deletedUnderQuestion() {
  const { me, them } = await twoWithAShop('X', 'Y')
  me.desk.client.network = unreachable
  me.set('prod', 'X', 'mine')
  them.set('prod', 'X', 'theirs')
  await syncs(them)
  me.desk.client.network = whole
  await syncs(me)
  const shown = await me.row('prod', 'X')
  await removals.environment(them)
  await syncs(them)
  expect(them.value('prod', 'X')).toBeUndefined()
  await syncs(me)
  return { me, them, shown, answer: await asked(me) }
}

describe.each(['project', 'environment'] as const)('a %s that others deleted', (kind) => {
  test('under an unsent edit is restored whole, with the edit in it', async () => {
    const { me, them, answer } = await deletedUnder(kind, (who) => who.set('prod', 'X', 'mine'))
    expect(await valueOf(answer({ take: 'mine' }))).toEqual({ restored: true })
    await syncs(me)
    await syncs(them)
    for (const each of [me, them]) expect(each.contents()).toMatchObject({ 'shop/prod/X': 'mine', 'shop/prod/Y': 'one' })
    expect(await me.conflicts()).toEqual([])
    expect(me.desk.client.queue()).toEqual([])
  })

  test('under an unsent edit is asked about with the name of the one who deleted it', async () => {
    const { me } = await deletedUnder(kind, (who) => who.set('prod', 'X', 'mine'))
    await vi.waitFor(async () => expect(await me.conflicts()).toMatchObject([{ subject: kind, remoteBy: expect.stringMatching(/./) }]))
    expect(me.desk.pushes).toContainEqual({ push: 'changed', workspaceId, tables: ['queue'] })
  })

  test('has a variable that was renamed here once, by its new name, when it is restored', async () => {
    const { me, them, answer } = await deletedUnder(kind, async (who) =>
      who.desk.client.updateVariable((await who.row('prod', 'X')).id, { name: 'RENAMED' }),
    )
    await valueOf(answer({ take: 'mine' }))
    await syncs(me)
    await syncs(them)
    for (const each of [me, them])
      expect(each.contents()).toEqual({ shop: '', 'shop/prod': '', 'shop/prod/RENAMED': 'one', 'shop/prod/Y': 'one' })
    expect(me.desk.client.queue()).toEqual([])
  })
})

test('a question that was open about a variable is open again when its deleted environment is restored', async () => {
  const { me, them, answer } = await deletedUnderQuestion()
  await valueOf(answer({ take: 'mine' }))
  await syncs(me)
  await syncs(them)
  expect(them.value('prod', 'X')).toBe('theirs')
  expect(await me.question()).toMatchObject({ mine: 'mine', theirs: 'theirs' })
})

test('what was restored while the connection broke is not written over before it has been read', async () => {
  const { me, them, answer } = await deletedUnderQuestion()
  let isBroken = false
  me.desk.client.network = (forward, { path }) => {
    if (isBroken) return Promise.reject(new TypeError('fetch failed'))
    isBroken = path.includes('/deleted/')
    return forward()
  }
  await valueOf(answer({ take: 'mine' }))
  me.desk.client.network = whole
  await syncs(me)
  await syncs(them)
  expect(them.value('prod', 'X')).toBe('theirs')
  expect(await me.question()).toMatchObject({ mine: 'mine', theirs: 'theirs' })
})

test('a screen of an edit that was in question, and was given up with its environment, has not shown theirs when others restore that', async () => {
  const { me, them, shown, answer } = await deletedUnderQuestion()
  await valueOf(answer({ take: 'theirs' }))
  await syncs(me)
  const [deleted] = await valueOf(them.handlers['deleted.list']({ workspaceId }))
  await valueOf(them.handlers['deleted.restore']({ workspaceId, id: deleted?.id ?? '', from: 'service' }))
  await syncs(me)
  expect(me.value('prod', 'X')).toBe('theirs')
  await valueOf(me.handlers['variables.update']({ workspaceId, id: shown.id, seen: shown.rev, value: 'more of mine' }))
  await syncs(me)
  await syncs(them)
  expect(them.value('prod', 'X')).toBe('theirs')
  expect(await me.question()).toMatchObject({ kind: 'fields', mine: 'more of mine', theirs: 'theirs' })
})

test('with the key of another workspace nothing deleted is listed or restored, and the question stays', async () => {
  const { me, answer } = await deletedUnderQuestion()
  const another = { id: 'another', name: 'Another', slug: 'another', icon: 'icon', createdAt: '2026-01-01T00:00:00.000Z' }
  const requested: string[] = []
  me.desk.client.network = (_forward, { path }) => {
    requested.push(path)
    return Promise.resolve(Response.json({ success: true, code: 200, message: 'OK', data: another }))
  }
  const refused = { ok: false, error: { kind: 'wrong-workspace' } }
  expect([await answer({ take: 'mine' }), await me.handlers['deleted.list']({ workspaceId })]).toMatchObject([refused, refused])
  expect(new Set(requested)).toEqual(new Set(['/workspace']))
  expect(await me.conflicts()).toMatchObject([{ kind: 'deleted-remotely' }])
})

test('an environment that others deleted, given another name, is created under that name', async () => {
  const { me, them, answer } = await deletedUnderQuestion()
  await valueOf(answer({ take: 'edit', fields: { name: 'Live', slug: 'live' } }))
  await syncs(me)
  await syncs(them)
  expect(them.contents()).toMatchObject({ 'shop/live/X': 'mine' })
})

test('an environment whose deleted project they made again comes back whole in that one, and the old one stays deleted', async () => {
  const { me, them } = await deletedUnder('project', (who) => who.set('prod', 'X', 'mine'))
  them.desk.client.createProject('Shop')
  await syncs(them)
  await syncs(me)
  await valueOf((await asked(me))({ take: 'mine' }))
  await syncs(me)
  await syncs(them)
  for (const each of [me, them]) expect(each.contents()).toEqual({ shop: '', 'shop/prod': '', 'shop/prod/X': 'mine', 'shop/prod/Y': 'one' })
  expect(me.desk.client.queue()).toEqual([])
})

test('a variable that was moved out of an environment is where it was moved to when others restore that environment', async () => {
  const { me, them } = await twoWithAShop('X')
  me.desk.client.createEnvironment('shop', 'Dev')
  await syncs(me)
  await syncs(them)
  me.desk.client.network = unreachable
  const { id, rev } = await me.row('prod', 'X')
  const { rev: seen } = await me.environment('dev')
  const move = { environmentId: me.environmentId('dev'), seen, onTaken: 'skip', move: true } as const
  await valueOf(me.handlers['variables.copy-to']({ workspaceId, rows: [{ id, seen: rev }], ...move }))
  await removals.environment(them)
  await syncs(them)
  me.desk.client.network = whole
  await syncs(me)
  expect(await me.conflicts()).toMatchObject([{ kind: 'deleted-remotely' }])

  const [deleted] = await valueOf(them.handlers['deleted.list']({ workspaceId }))
  await valueOf(them.handlers['deleted.restore']({ workspaceId, id: deleted?.id ?? 'none', from: 'service' }))
  await syncs(me)
  await syncs(them)
  expect(await me.conflicts()).toEqual([])
  for (const each of [me, them]) expect(each.contents()).toEqual({ shop: '', 'shop/dev': '', 'shop/dev/X': 'one', 'shop/prod': '' })
})
