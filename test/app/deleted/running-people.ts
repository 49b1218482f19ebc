import { afterEach, expect } from 'vitest'
import type { Commands } from '../../../electron/bridge/contract.ts'
import { deskOf, workspaceId } from '../../support/desk.ts'
import { createSyncStage } from '../../support/sync-stage.ts'
import { valueOf } from '../../support/value-of.ts'
import { Person } from '../seen/two-people.ts'

/** People of one service whose engines run, as in the application: what syncs does so by itself. They stop after each test. */
export function runningPeople() {
  const stage = createSyncStage()
  const running: Person[] = []
  afterEach(async () => {
    for (const person of running.splice(0)) await person.desk.client.engine.stop()
  })
  const person = (): Person => {
    const opened = new Person(deskOf(stage.open(), { isWoken: true }))
    opened.desk.client.engine.start()
    running.push(opened)
    return opened
  }
  return {
    stage,
    person,
    /** Two people who have a project Shop; in its environment Prod the variables of these names are "one". */
    async twoWithAShop(...names: string[]): Promise<{ me: Person; them: Person }> {
      const me = person()
      me.desk.client.createProject('Shop')
      me.desk.client.createEnvironment('shop', 'Prod')
      for (const name of names) me.set('prod', name, 'one')
      await syncs(me)
      const them = person()
      await syncs(them)
      return { me, them }
    },
  }
}

/** One sync of a person, done when it resolves. */
export const syncs = (who: Person): Promise<void> => who.desk.client.engine.syncNow()

/** Deletes the project Shop, or its environment Prod, as it is shown. */
export const removals = {
  project: async (by: Person) => {
    const { id, rev } = await by.project()
    await valueOf(by.handlers['projects.delete']({ workspaceId, id, seen: rev }))
  },
  environment: async (by: Person) => {
    const { id, rev } = await by.environment('prod')
    await valueOf(by.handlers['environments.delete']({ workspaceId, id, seen: rev }))
  },
}

/** The one question of a person, which is about a row that others deleted; call it with the answer. */
export async function asked(who: Person) {
  const [conflict, ...more] = await who.conflicts()
  expect(more).toEqual([])
  expect(conflict).toMatchObject({ kind: 'deleted-remotely' })
  const { changeId, fingerprint } = conflict ?? { changeId: '', fingerprint: '' }
  return (choice: Commands['conflicts.resolve']['args']['choice']) =>
    who.handlers['conflicts.resolve']({ workspaceId, changeId, fingerprint, choice })
}
