import type { AppUnderTest, StartApp } from '../fixtures.ts'
import type { ServiceOnStage } from '../service-on-stage.ts'
import { unlock } from './keys.ts'
import { expectSync, syncNow } from './sync.ts'
import { editVariable, expectValue } from './variables.ts'

interface TwoPeople {
  mine: AppUnderTest
  theirs: AppUnderTest
}

/** Two people who both see these variables in Fernweh / Production of one service. `syncSeconds`: between two looks of `mine` for changes. */
async function share(
  startApp: StartApp,
  service: ServiceOnStage,
  values: Readonly<Record<string, string>>,
  syncSeconds?: number,
): Promise<TwoPeople> {
  const mine = await startApp('mine', { workspace: { service, projects: { Fernweh: { Production: values } }, syncSeconds } })
  await expectSync(mine.page, 'synced')
  const theirs = await startApp('theirs', { workspace: { service, key: mine.workspaceKey } })
  for (const [name, value] of Object.entries(values)) await expectValue(theirs.page, name, value)
  return { mine, theirs }
}

/** Two people who both see GREETING, "was this". `syncSeconds`: between two looks of `mine` for changes. */
export const shareGreeting = (startApp: StartApp, service: ServiceOnStage, syncSeconds?: number): Promise<TwoPeople> =>
  share(startApp, service, { GREETING: 'was this' }, syncSeconds)

/** Two people who both see variables of these names, "was" each; `mine` looks for changes every 5 seconds. */
export const shareRows = (startApp: StartApp, service: ServiceOnStage, names: readonly string[]): Promise<TwoPeople> =>
  share(startApp, service, Object.fromEntries(names.map((name) => [name, 'was'])), 5)

/** Both change a variable while the service is away; `theirs` reaches it first, and `mine` is in conflict. */
export async function changeBoth(
  mine: AppUnderTest,
  theirs: AppUnderTest,
  service: ServiceOnStage,
  ...names: readonly string[]
): Promise<void> {
  await service.stop()
  for (const name of names) await editVariable(mine.page, name, 'made this of it')
  await mine.quit()
  for (const name of names) await editVariable(theirs.page, name, 'made that of it')
  await service.start()
  await syncNow(theirs.page)
  await expectSync(theirs.page, 'synced')
  await mine.start()
  await unlock(mine.page)
  await expectSync(mine.page, 'attention')
}
