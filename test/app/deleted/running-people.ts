import { afterEach } from 'vitest'
import { deskOf } from '../../support/desk.ts'
import { createSyncStage } from '../../support/sync-stage.ts'
import { Person } from '../seen/two-people.ts'

/** People of one service whose engines run, as in the application: what syncs does so by itself. They stop after each test. */
export function runningPeople(): { stage: ReturnType<typeof createSyncStage>; person(): Person } {
  const stage = createSyncStage()
  const running: Person[] = []
  afterEach(async () => {
    for (const person of running.splice(0)) await person.desk.client.engine.stop()
  })
  return {
    stage,
    person() {
      const opened = new Person(deskOf(stage.open(), { isWoken: true }))
      opened.desk.client.engine.start()
      running.push(opened)
      return opened
    },
  }
}

/** One sync of a person, done when it resolves. */
export const syncs = (who: Person): Promise<void> => who.desk.client.engine.syncNow()
