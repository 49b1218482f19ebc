import { startTamperingProxy, type WireVariable } from '../support/tampering-proxy.ts'
import { expect, test } from './fixtures.ts'
import { look } from './steps/look.ts'
import { expectSync, openQueue, syncNow } from './steps/sync.ts'
import { expectValue, rowOf } from './steps/variables.ts'

test('values that no member wrote are Unverified, and are accepted, restored or deleted by keys', async ({ startApp, service }) => {
  const proxy = await startTamperingProxy(service.url)
  try {
    const { page } = await startApp('holdfast', {
      workspace: {
        service: { url: proxy.url, apiKey: service.apiKey },
        projects: {
          Fernweh: {
            Production: {
              DATABASE_URL: 'DATABASE_URL was this',
              LOG_LEVEL: 'LOG_LEVEL was this',
              STRIPE_KEY: 'STRIPE_KEY was this',
              LINK: '${DATABASE_URL}/shop',
            },
          },
        },
      },
    })
    await expectSync(page, 'synced')
    await syncNow(page)

    const shown = (name: string): WireVariable => {
      const found = [...proxy.seen.values()].find((each) => each.name === name)
      if (found === undefined) throw new Error(`the service showed no ${name}`)
      return found
    }
    proxy.slipIn([
      { ...shown('DATABASE_URL'), value: 'postgres://attacker.example/shop' },
      { ...shown('LOG_LEVEL'), value: 'debug' },
      { ...shown('STRIPE_KEY'), value: shown('LOG_LEVEL').value },
      { ...shown('LOG_LEVEL'), id: '01900000-0000-7000-8000-00000000ffff', name: 'NODE_OPTIONS', value: '--require ./evil.js' },
    ])
    await syncNow(page)
    await expectSync(page, 'attention')
    await expect(page.getByTestId('sync-pill')).toHaveText('4 Unverified')
    await expect(rowOf(page, 'DATABASE_URL').getByTestId('value-cell')).toHaveText('Unverified')
    await look(page, 'unverified-table')
    // What refers to one is not resolved, and says why.
    await rowOf(page, 'LINK').getByTestId('value-cell').click()
    await expect(page.getByTestId('peek')).toHaveText('DATABASE_URL is Unverified. Accept or restore it first.')

    await openQueue(page)
    await page.getByTestId('unverified-notice').getByRole('button', { name: 'Review' }).press('Enter')
    const dialog = page.getByTestId('unverified-dialog')
    const grid = dialog.getByRole('grid')
    await expect(grid).toBeFocused()
    await expect(dialog.getByTestId('unverified-row')).toHaveCount(4)
    await expect(dialog.getByText('attacker')).toHaveCount(0)
    await page.keyboard.press('Space')
    await expect(dialog.getByText('postgres://attacker.example/shop')).toBeVisible()
    await expect(dialog.getByText('DATABASE_URL was this')).toBeVisible()
    await look(page, 'unverified')
    // A system that forces its own colors hides the ground of the active row.
    await page.emulateMedia({ forcedColors: 'active' })
    await expect(dialog.getByTestId('unverified-row').first()).toHaveCSS('outline-style', 'solid')
    await page.emulateMedia({ forcedColors: null })

    // DATABASE_URL is restored, LOG_LEVEL accepted, NODE_OPTIONS deleted, STRIPE_KEY restored.
    await page.keyboard.press('r')
    await expect(dialog.getByTestId('unverified-row')).toHaveCount(3)
    await page.keyboard.press('a')
    await expect(dialog.getByTestId('unverified-row')).toHaveCount(2)
    await page.keyboard.press('Delete')
    await expect(dialog.getByTestId('unverified-row')).toHaveCount(1)
    await page.keyboard.press('r')
    await expect(dialog.getByText('All values are verified.')).toBeVisible()
    await page.keyboard.press('Escape')
    await expectValue(page, 'DATABASE_URL', 'DATABASE_URL was this')
    await expectValue(page, 'LOG_LEVEL', 'debug')
    await expectValue(page, 'STRIPE_KEY', 'STRIPE_KEY was this')
    await expect(rowOf(page, 'NODE_OPTIONS')).toHaveCount(0)
  } finally {
    await proxy.close()
  }
})

test('a variable that the service renamed is restored under its own name', async ({ startApp, service }) => {
  const proxy = await startTamperingProxy(service.url)
  try {
    const { page } = await startApp('holdfast', {
      workspace: {
        service: { url: proxy.url, apiKey: service.apiKey },
        projects: { Fernweh: { Production: { STRIPE_KEY: 'STRIPE_KEY was this' } } },
      },
    })
    await expectSync(page, 'synced')
    await syncNow(page)
    proxy.slipIn([...proxy.seen.values()].map((each) => ({ ...each, name: 'PUBLIC_KEY' })))
    await syncNow(page)
    await expect(page.getByTestId('sync-pill')).toHaveText('1 Unverified')

    await openQueue(page)
    await page.getByTestId('unverified-notice').getByRole('button', { name: 'Review' }).press('Enter')
    const dialog = page.getByTestId('unverified-dialog')
    await expect(dialog.getByTestId('unverified-row')).toContainText('It was last verified as STRIPE_KEY.')
    await look(page, 'unverified-renamed')
    await page.keyboard.press('Space')
    await expect(dialog.getByTestId('unverified-row')).toContainText('Last verified as STRIPE_KEY: STRIPE_KEY was this')
    // The keys at the top are those of the row: what nobody can read can't be accepted. Nothing is left to do for several at once.
    await expect(dialog.locator('.hint')).toHaveText([/reveal$/, /restore$/, /delete$/])
    await expect(dialog.locator('footer')).toHaveCount(0)
    await look(page, 'unverified-renamed-values')
    await page.keyboard.press('r')
    await expect(dialog.getByText('All values are verified.')).toBeVisible()
    await page.keyboard.press('Escape')
    await expectValue(page, 'STRIPE_KEY', 'STRIPE_KEY was this')
    await expect(rowOf(page, 'PUBLIC_KEY')).toHaveCount(0)
  } finally {
    await proxy.close()
  }
})
