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

test('each of two tabs keeps what is typed in it, and the other one offers it once a tab is closed', async ({ startApp, tabs }) => {
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
  await lockAndUnlock([second], second)
  await expect(fieldOf(second)).toHaveValue('typed in the second')
  await second.locator('.toast').getByRole('button', { name: 'Restore' }).click()
  await expect(fieldOf(second)).toHaveValue('typed in the first')
  await fieldOf(second).press('Enter')
  await expectValue(second, 'GREETING', 'typed in the first')
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
