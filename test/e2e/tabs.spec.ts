import type { Page } from '@playwright/test'
import { startHostProcess } from './drivers/start-in-browser.ts'
import { expect, test } from './fixtures.ts'
import { unlock } from './steps/keys.ts'
import { expectValue } from './steps/variables.ts'

const fieldOf = (page: Page) => page.getByRole('textbox', { name: 'Value of GREETING' })

const typeIn = async (page: Page, text: string) => {
  await page.bringToFront()
  await page.getByTestId('value-cell').click()
  await page.keyboard.press('Enter')
  await fieldOf(page).fill(text)
}

const restoreFromClosed = (page: Page) =>
  page.locator('.toast').filter({ hasText: 'Found unsaved text from a closed tab' }).getByRole('button', { name: 'Restore' }).click()

test('each of two tabs keeps what is typed in it, and the other one offers it once that is closed', async ({ startApp, tabs }) => {
  test.skip(tabs === null, 'A window has no second tab.')
  const { page: first } = await startApp('holdfast', { workspace: { projects: { Fernweh: { Production: { GREETING: 'hello' } } } } })
  // Opened from the first, it has what the first has stored, as a duplicated tab does.
  const opened = first.context().waitForEvent('page')
  await first.evaluate(() => void window.open(location.href))
  const second = await opened
  await typeIn(first, 'typed in the first')
  await typeIn(second, 'typed in the second')
  const lockAndUnlock = async (pages: readonly Page[], from: Page) => {
    await from.keyboard.press('ControlOrMeta+Shift+L')
    for (const page of pages) await expect(page.getByText('You locked Holdfast.')).toBeVisible()
    await unlock(from)
  }
  await lockAndUnlock([first, second], second)
  await expect(fieldOf(second)).toHaveValue('typed in the second')
  await first.bringToFront()
  await expect(fieldOf(first)).toHaveValue('typed in the first')
  await first.reload()
  await expect(fieldOf(first)).toHaveValue('typed in the first')

  await first.close()
  await second.bringToFront()
  await restoreFromClosed(second)
  await expect(fieldOf(second)).toHaveValue('typed in the second')
  await second.locator('.toast').filter({ hasText: 'GREETING' }).getByRole('button', { name: 'Restore' }).click()
  await expect(fieldOf(second)).toHaveValue('typed in the first')
  await fieldOf(second).press('Enter')
  await expectValue(second, 'GREETING', 'typed in the first')
})

test('two browsers that are open do not take each other’s drafts', async ({ startApp, tabs }) => {
  test.skip(tabs === null, 'A window has no second browser.')
  const app = await startApp('holdfast', { workspace: { projects: { Fernweh: { Production: { GREETING: 'hello' } } } } })
  await app.quit()
  const host = await startHostProcess({ dataDir: app.dataDir, keychain: 'none', ownProcess: true })
  const contexts = [await tabs?.newContext(), await tabs?.newContext()]
  const newPage = async (index: number) => (await contexts[index]?.newPage()) as Page
  try {
    const [first, second] = [await newPage(0), await newPage(1)]
    await first.goto(host.url)
    await unlock(first)
    await typeIn(first, 'typed in the first')
    await second.goto(await host.nextUrl())
    await expect(second.getByTestId('value-cell')).toHaveText('hello')
    await typeIn(second, 'typed in the second')
    await first.reload()
    await expect(fieldOf(first)).toHaveValue('typed in the first')
    await first.close()
    await restoreFromClosed(second)
    await second.locator('.toast').filter({ hasText: 'GREETING' }).getByRole('button', { name: 'Restore' }).click()
    await expect(fieldOf(second)).toHaveValue('typed in the first')
  } finally {
    for (const context of contexts) await context?.close()
    await host.end('SIGTERM')
  }
})

test('a tab that was duplicated while it showed something else keeps what is typed in it to itself', async ({ startApp, tabs }) => {
  test.skip(tabs === null, 'A window has no second tab.')
  const { page: first } = await startApp('holdfast', { workspace: { projects: { Fernweh: { Production: { GREETING: 'hello' } } } } })
  const home = first.url()
  await first.goto(new URL('assets/none.js', home).href)
  const opened = first.context().waitForEvent('page')
  await first.evaluate((url) => void window.open(url), home)
  const second = await opened
  await first.goBack()
  await typeIn(second, 'typed in the second')
  await typeIn(first, 'typed in the first')
  for (const [page, text] of [
    [second, 'typed in the second'],
    [first, 'typed in the first'],
  ] as const) {
    await page.bringToFront()
    await page.reload()
    await expect(fieldOf(page)).toHaveValue(text)
  }
})

test('after a host was killed, the next one at its address restores what was typed in a tab', async ({ startApp, tabs }) => {
  test.skip(tabs === null, 'A window has no address.')
  const app = await startApp('holdfast', { workspace: { projects: { Fernweh: { Production: { GREETING: 'hello' } } } } })
  await app.quit()
  const options = { dataDir: app.dataDir, keychain: 'none', ownProcess: true } as const
  const host = await startHostProcess(options)
  const context = await tabs?.newContext()
  const [former, next] = [(await context?.newPage()) as Page, (await context?.newPage()) as Page]
  await former.goto(host.url)
  await unlock(former)
  await typeIn(former, 'half typed')
  // The palette's results come after the application has the text.
  await former.keyboard.press('ControlOrMeta+k')
  await former.keyboard.type('Fernweh')
  await expect(former.getByRole('option', { name: /Fernweh/ }).first()).toBeVisible()
  await host.end('SIGKILL')
  const again = await startHostProcess({ ...options, port: new URL(host.url).port })
  try {
    await expect(former.getByText('Holdfast was restarted, or another program answers at its address.')).toBeVisible()
    await next.goto(again.url)
    await unlock(next)
    await expect(fieldOf(next)).toHaveValue('half typed')
  } finally {
    await context?.close()
    await again.end('SIGTERM')
  }
})
