import type { AppUnderTest } from '../fixtures.ts'
import type { ServiceOnStage } from '../service-on-stage.ts'
import { unlock } from './keys.ts'
import { expectSync, syncNow } from './sync.ts'
import { addVariable, editVariable, expectValue } from './variables.ts'
import { connectWithKey, connectWithNewKey, createProject } from './workspaces.ts'

/** Both people see GREETING, "was this", in Fernweh / Production of one service. */
export async function shareGreeting(mine: AppUnderTest, theirs: AppUnderTest, service: ServiceOnStage): Promise<void> {
  const key = await connectWithNewKey(mine.page, service)
  await createProject(mine.page, 'Fernweh', 'Production')
  await addVariable(mine.page, 'GREETING', 'was this')
  await expectSync(mine.page, 'synced')
  await connectWithKey(theirs.page, service, key)
  await expectValue(theirs.page, 'GREETING', 'was this')
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
