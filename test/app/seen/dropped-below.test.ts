import { describe, expect, test } from 'vitest'
import { valueOf } from '../../support/value-of.ts'
import { createMeeting, moveTo, workspaceId, type Person } from './two-people.ts'

const meet = createMeeting()

const discardTest = async (me: Person) => {
  const create = me.desk.client.queue().find(({ rowKind }) => rowKind === 'environment')
  await valueOf(me.handlers['queue.discard']({ workspaceId, changeId: create?.id ?? '' }))
}

const takeTheirs = async (me: Person) => {
  await me.sync()
  const question = (await me.conflicts()).find(({ kind }) => kind === 'deleted-remotely')
  const { changeId, fingerprint } = question ?? { changeId: '', fingerprint: '' }
  await valueOf(me.handlers['conflicts.resolve']({ workspaceId, changeId, fingerprint, choice: { take: 'theirs' } }))
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
    await drop(me)
    expect(me.value('dev', 'X')).toBe('theirs')
    await valueOf(me.handlers['variables.update']({ workspaceId, id, seen: rev, value: 'later' }))
    await bothSync()
    expect(await me.question()).toMatchObject({ theirs: 'theirs', mine: 'later' })
    expect(them.value('dev', 'X')).toBe('theirs')
  })

  test('is not deleted with its environment from such a screen', async () => {
    const { me, them, bothSync } = await moved()
    const { id, rev } = await me.environment('dev')
    await drop(me)
    expect(await me.handlers['environments.delete']({ workspaceId, id, seen: rev })).toMatchObject({ error: { kind: 'outdated' } })
    await bothSync()
    expect(them.value('dev', 'X')).toBe('theirs')
  })
})
