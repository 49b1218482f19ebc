import { describe, expect, test } from 'vitest'
import { valueOf } from '../../support/value-of.ts'
import { createMeeting, moveTo, workspaceId, type Person } from './two-people.ts'

const meet = createMeeting()

const discardTest = async (me: Person) => {
  const create = me.desk.client.queue().find(({ rowKind }) => rowKind === 'environment')
  return me.handlers['queue.discard']({ workspaceId, changeId: create?.id ?? '' })
}

const takeTheirs = async (me: Person) => {
  await me.sync()
  const question = (await me.conflicts()).find(({ kind }) => kind === 'deleted-remotely')
  const { changeId, fingerprint } = question ?? { changeId: '', fingerprint: '' }
  return me.handlers['conflicts.resolve']({ workspaceId, changeId, fingerprint, choice: { take: 'theirs' } })
}

const ways = [
  { how: 'whose creation is discarded', isSent: false, drop: discardTest },
  { how: 'that others have deleted, as its user accepts', isSent: true, drop: takeTheirs },
]

/** X of Dev is in question and moved to Test. Without Test it is back in Dev, as others left it. */
describe.each(ways)('a variable in question, moved to an environment $how', ({ isSent, drop }) => {
  const moved = async () => {
    const { me, them, theyDo, bothSync } = await meet()
    if (isSent) {
      me.desk.client.createEnvironment('shop', 'Test')
      await bothSync()
    }
    me.set('dev', 'X', 'mine')
    await theyDo(() => them.set('dev', 'X', 'theirs'))
    if (!isSent) me.desk.client.createEnvironment('shop', 'Test')
    await moveTo(me, 'test', await me.row('dev', 'X'))
    if (isSent) await theyDo(() => them.desk.client.deleteParent('environment', them.environmentId('test')))
    return { me, them, bothSync }
  }

  test('is not overwritten from a screen that did not show theirs', async () => {
    const { me, them, bothSync } = await moved()
    const { id, rev } = await me.row('test', 'X')
    await valueOf(drop(me))
    expect(me.value('dev', 'X')).toBe('theirs')
    await valueOf(me.handlers['variables.update']({ workspaceId, id, seen: rev, value: 'later' }))
    await bothSync()
    expect(await me.question()).toMatchObject({ theirs: 'theirs', mine: 'later' })
    expect(them.value('dev', 'X')).toBe('theirs')
  })

  test('is not deleted with its environment from such a screen', async () => {
    const { me, them, bothSync } = await moved()
    const { id, rev } = await me.environment('dev')
    await valueOf(drop(me))
    expect(await me.handlers['environments.delete']({ workspaceId, id, seen: rev })).toMatchObject({ error: { kind: 'outdated' } })
    await bothSync()
    expect(them.value('dev', 'X')).toBe('theirs')
  })
})

describe.each(ways)('a variable that is not in question, moved to an environment $how', ({ isSent, drop }) => {
  test('is not deleted with its old environment, and goes back once that deletion is discarded', async () => {
    const { me, them, theyDo, bothSync } = await meet()
    me.desk.client.createEnvironment('shop', 'Test')
    if (isSent) await bothSync()
    await moveTo(me, 'test', await me.row('dev', 'X'))
    const { id, rev } = await me.environment('dev')
    await valueOf(me.handlers['environments.delete']({ workspaceId, id, seen: rev }))
    if (isSent) await theyDo(() => them.desk.client.deleteParent('environment', them.environmentId('test')))
    expect(await drop(me)).toMatchObject({ error: { kind: 'invalid-input', message: expect.stringContaining('“Dev”') } })
    expect(me.value('test', 'X')).toBe('one')
    const deletion = me.desk.client.queue().find(({ rowId }) => rowId === id)
    await valueOf(me.handlers['queue.discard']({ workspaceId, changeId: deletion?.id ?? '' }))
    await valueOf(drop(me))
    await bothSync()
    expect([me.contents(), me.desk.client.queue()]).toEqual([them.contents(), []])
    expect([me.value('dev', 'X'), me.value('test', 'X')]).toEqual(['one', undefined])
  })
})
