import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from './fixtures.ts'
import { expectAccessible } from './steps/expect-accessible.ts'
import { unlock } from './steps/keys.ts'
import { startLocalWorkspace } from './steps/workspaces.ts'

const shots = path.resolve(import.meta.dirname, '../../test-results/screens')

test('a first start takes two steps with a sample project, by keyboard, and never comes again', async ({ app, driver }) => {
  const { page } = app
  const photograph = async (screen: string) => {
    await mkdir(shots, { recursive: true })
    for (const size of [
      { width: 900, height: 600 },
      { width: 1280, height: 800 },
    ]) {
      await page.setViewportSize(size)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        await page.screenshot({ path: path.join(shots, `${driver}-${screen}-${size.width}x${size.height}-${colorScheme}.png`) })
        await expectAccessible(page, `${screen} in ${colorScheme}`)
      }
    }
  }
  await startLocalWorkspace(page)
  const tour = page.getByTestId('tour')
  await expect(tour).toContainText('1 of 2')
  await photograph('tour-1')
  await tour.getByRole('button', { name: 'Add the sample' }).focus()
  await page.keyboard.press('Enter')
  await expect(tour).toContainText('2 of 2')
  await expect(page.getByTestId('project-item')).toHaveAttribute('data-name', 'Web shop')
  await expect(page.getByTestId('variable-row').first()).toBeVisible()
  await photograph('tour-2')
  await expect(tour.getByRole('button', { name: 'Done' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(tour).toBeHidden()

  await app.restart()
  await unlock(app.page)
  await expect(app.page.getByTestId('variable-row').first()).toBeVisible()
  await expect(app.page.getByTestId('tour')).toHaveCount(0)
})

test('a tour that is skipped is over for good, and the empty workspace still says the next step', async ({ app }) => {
  await startLocalWorkspace(app.page)
  await app.page.getByTestId('tour').getByRole('button', { name: 'Skip' }).click()
  await expect(app.page.getByTestId('tour')).toBeHidden()
  await expect(app.page.getByRole('heading', { name: 'No project yet' })).toBeVisible()
  await app.restart()
  await unlock(app.page)
  await expect(app.page.getByRole('heading', { name: 'No project yet' })).toBeVisible()
  await expect(app.page.getByTestId('tour')).toHaveCount(0)
  await app.page.getByRole('button', { name: 'Add a sample' }).click()
  await expect(app.page.getByTestId('variable-row').first()).toBeVisible()
})
