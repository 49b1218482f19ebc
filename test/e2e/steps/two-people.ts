import type { AppUnderTest, StartApp } from '../fixtures.ts'
import type { ServiceOnStage } from '../service-on-stage.ts'
import { unlock } from './keys.ts'
import { expectSync, syncNow } from './sync.ts'
import { editVariable, expectValue } from './variables.ts'

/** Two people who both see GREETING, "was this", in Fernweh / Production of one service. `syncSeconds`: between two looks of `mine` for changes. */
export async function shareGreeting(
  startApp: StartApp,
  service: ServiceOnStage,
  syncSeconds?: number,
): Promise<{ mine: AppUnderTest; theirs: AppUnderTest }> {
  const projects = { Fernweh: { Production: { GREETING: 'was this' } } }
  const mine = await startApp('mine', { workspace: { service, projects, syncSeconds } })
  await expectSync(mine.page, 'synced')
  const theirs = await startApp('theirs', { workspace: { service, key: mine.workspaceKey } })
  await expectValue(theirs.page, 'GREETING', 'was this')
  return { mine, theirs }
}

/** Both change a variable while the service is away; `theirs` reaches it first, and `mine` is in conflict. */
export async function changeBoth(mine: AppUnderTest, theirs: AppUnderTest, service: ServiceOnStage, name: string): Promise<void> {
  await service.stop()
  await editVariable(mine.page, name, 'made this of it')
  await mine.quit()
  await editVariable(theirs.page, name, 'made that of it')
  await service.start()
  await syncNow(theirs.page)
  await expectSync(theirs.page, 'synced')
  await mine.start()
  await unlock(mine.page)
  await expectSync(mine.page, 'attention')
}
