import { describe, expect, test, vi } from 'vitest'
import { workspaceId } from '../../support/desk.ts'
import type { Person } from '../seen/two-people.ts'
import { removals, runningPeople, syncs } from './running-people.ts'
import { valueOf } from '../../support/value-of.ts'

const { twoWithAShop } = runningPeople()

const deletedBy = (person: Person) => valueOf(person.handlers['deleted.list']({ workspaceId }))

describe('a deleted project', () => {
  test('is listed with who deleted it and what was in it, and comes back whole for everybody', async () => {
    const { me, them } = await twoWithAShop('X')
    await removals.project(me)
    await syncs(me)
    await syncs(them)
    expect(them.contents()).toEqual({})

    const [row, ...more] = await deletedBy(them)
    expect(more).toEqual([])
    expect(row).toMatchObject({ kind: 'project', name: 'Shop', slug: 'shop', project: null, environments: 1, variables: 1 })
    expect(row?.by).not.toBe('')
    await valueOf(them.handlers['deleted.restore']({ workspaceId, id: row?.id ?? 'none', from: 'service' }))
    expect(them.value('prod', 'X')).toBe('one')
    await syncs(me)
    expect(me.value('prod', 'X')).toBe('one')
    expect(await deletedBy(me)).toEqual([])
  })

  test('whose slug is used again takes another one', async () => {
    const { me } = await twoWithAShop('X')
    await removals.project(me)
    await syncs(me)
    me.desk.client.createProject('Shop')
    await syncs(me)
    const [row] = await deletedBy(me)
    const input = { workspaceId, id: row?.id ?? 'none', from: 'service' } as const
    expect(await me.handlers['deleted.restore'](input)).toMatchObject({ ok: false, error: { kind: 'name-taken' } })
    for (const slug of ['Shop 2!', '..', 'shop/2'])
      expect(await me.handlers['deleted.restore']({ ...input, slug })).toMatchObject({
        ok: false,
        error: { kind: 'invalid-input', field: 'slug' },
      })
    await valueOf(me.handlers['deleted.restore']({ ...input, slug: 'shop-2' }))
    expect(me.contents()).toMatchObject({ 'shop-2/prod/X': 'one' })
  })

  test('that was restored already cannot be restored again, and says so', async () => {
    const { me } = await twoWithAShop('X')
    await removals.project(me)
    await syncs(me)
    const [row] = await deletedBy(me)
    const input = { workspaceId, id: row?.id ?? 'none', from: 'service' } as const
    await valueOf(me.handlers['deleted.restore'](input))
    expect(await me.handlers['deleted.restore'](input)).toMatchObject({ ok: false, error: { kind: 'not-found' } })
  })

  test('that someone else restored meanwhile is not created a second time from what this computer kept', async () => {
    const { me, them } = await twoWithAShop('X')
    await removals.project(me)
    await syncs(me)
    await syncs(them)
    const [row] = await deletedBy(them)
    const input = { workspaceId, id: row?.id ?? 'none' }
    await valueOf(them.handlers['deleted.restore']({ ...input, from: 'service' }))
    expect(await me.handlers['deleted.restore']({ ...input, from: 'mirror' })).toMatchObject({ ok: false, error: { kind: 'not-found' } })
    expect(me.value('prod', 'X')).toBe('one')
    expect(me.desk.client.queue()).toEqual([])
  })
})

test('a deleted environment is listed with its project, and its restoring names the row to open', async () => {
  const { me } = await twoWithAShop('X')
  await removals.environment(me)
  await syncs(me)
  const [row] = await deletedBy(me)
  expect(row).toMatchObject({ kind: 'environment', name: 'Prod', project: 'Shop', variables: 1 })
  const { environmentId } = await valueOf(me.handlers['deleted.restore']({ workspaceId, id: row?.id ?? 'none', from: 'service' }))
  expect(environmentId).toBe(me.environmentId('prod'))
  expect(me.value('prod', 'X')).toBe('one')
})

test.each(['project', 'environment'] as const)('the history says who deleted the %s that a variable was in', async (kind) => {
  const { me, them } = await twoWithAShop('X')
  await removals[kind](them)
  await syncs(them)
  await syncs(me)
  const history = () => valueOf(me.handlers['history.list']({ workspaceId, environmentId: null, variableId: null }))
  await vi.waitFor(async () => expect(await history()).toMatchObject([{ name: 'X', why: 'deleted', by: 'owner@localhost' }]))
  expect(me.desk.pushes).toContainEqual({ push: 'changed', workspaceId, tables: ['environments'] })
})
