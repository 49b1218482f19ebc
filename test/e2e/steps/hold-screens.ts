import type { Page } from '@playwright/test'

/** Loads the page anew and holds back the scripts of screens that load when they are opened, until the returned function is called. */
export async function holdScreens(page: Page): Promise<() => void> {
  const isLetGo = Promise.withResolvers<void>()
  await page.route(/\/assets\/later-.*\.js$/, async (route) => {
    await isLetGo.promise
    await route.continue()
  })
  await page.reload()
  return isLetGo.resolve
}
