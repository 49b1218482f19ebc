import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from './fixtures.ts'
import { expectAccessible } from './steps/expect-accessible.ts'
import { addVariable, clearFilter, expectValue, findVariable, rowOf } from './steps/variables.ts'
import { createProject, startLocalWorkspace } from './steps/workspaces.ts'

const shots = path.resolve(import.meta.dirname, '../../test-results/screens')

test('references are offered while they are typed, shown put together, and flagged where they lead nowhere', async ({ app, driver }) => {
  const { page } = app
  const photograph = async (screen: string) => {
    await mkdir(shots, { recursive: true })
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.screenshot({ path: path.join(shots, `${driver}-${screen}-${colorScheme}.png`) })
      await expectAccessible(page, `${screen} in ${colorScheme}`)
    }
  }
  await startLocalWorkspace(page)
  await createProject(page, 'Fernweh', 'Staging')
  await addVariable(page, 'PORT', '8443')
  const project = page.locator('[data-testid="project-item"][data-name="Fernweh"]')
  await project.hover()
  await project.getByRole('button', { name: 'New environment in Fernweh' }).click()
  await page.getByLabel('New environment name').fill('Production')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Production')
  await addVariable(page, 'HOST', 'shop.example')
  await addVariable(page, 'HOST_TOKEN', 'sentinel-token')

  // In the line of a new variable: the keyboard picks, and the rest is closed.
  await page.getByLabel('New variable name').fill('URL')
  const value = page.getByRole('textbox', { name: 'New variable value' })
  await value.click()
  await page.keyboard.type('https://${HO')
  const list = page.getByRole('listbox', { name: 'Variables to refer to' })
  await expect(list.getByRole('option')).toHaveCount(2)
  await photograph('references-offered')
  await page.keyboard.press('Enter')
  await expect(value).toHaveValue('https://${HOST}')
  await page.keyboard.type(':${staging.')
  await expect(list.getByRole('option', { name: 'staging.PORT' })).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(value).toHaveValue('https://${HOST}:${staging.PORT}')
  await expect(page.getByTestId('resolved')).toContainText('https://shop.example:8443')
  await photograph('references-adder')
  await page.keyboard.press('Enter')
  await expectValue(page, 'URL', 'https://${HOST}:${staging.PORT}')

  // On its row: put together where somebody looks, while the stored value stays as typed.
  await expect(page.getByTestId('variable-row')).toHaveCount(3)
  await expect(async () => {
    await rowOf(page, 'URL').getByTestId('value-cell').click()
    await expect(page.getByTestId('peek')).toHaveText('= https://shop.example:8443', { timeout: 2000 })
  }).toPass({ timeout: 20_000 })
  await photograph('references-peek')

  // What goes wrong is said in the editor and on the row.
  await (await findVariable(page, 'HOST')).getByTestId('value-cell').dblclick()
  await page.getByRole('textbox', { name: 'Value of HOST' }).fill('${URL}')
  await expect(page.getByTestId('resolved')).toContainText('leads back to itself')
  await photograph('references-circle')
  await page.keyboard.press('Enter')
  // What is saved gives the focus back to its row: a key for the filter would go there.
  await expect(page.getByRole('textbox', { name: 'Value of HOST' })).toBeHidden()
  await expect(async () => {
    await clearFilter(page)
    await expect(page.getByTestId('variable-row')).toHaveCount(3, { timeout: 2000 })
  }).toPass({ timeout: 20_000 })
  await expect(rowOf(page, 'HOST').getByLabel('refers to itself in a circle')).toBeVisible()
  await expect(rowOf(page, 'URL').getByLabel('refers to itself in a circle')).toBeVisible()

  // A secret that is put in stays hidden until it is asked for; the large editor offers the same.
  await rowOf(page, 'HOST').getByTestId('value-cell').dblclick()
  await page.getByRole('textbox', { name: 'Value of HOST' }).fill('x')
  await page.getByRole('button', { name: 'Large editor' }).click()
  const large = page.getByRole('textbox', { name: 'Value of HOST' })
  await expect(large).toBeFocused()
  await page.keyboard.press('Control+A')
  await page.keyboard.type('${HOST_')
  await expect(page.getByRole('option', { name: /HOST_TOKEN/ })).toBeVisible()
  await photograph('references-large')
  await page.keyboard.press('Enter')
  await expect(large).toHaveText('${HOST_TOKEN}')
  await expect(page.getByTestId('resolved')).toContainText('A secret is put into it.')
  await expect(page.getByText('sentinel-token')).toHaveCount(0)
  await page.getByTestId('resolved').getByRole('button', { name: 'Show' }).click()
  await expect(page.getByTestId('resolved')).toContainText('sentinel-token')
  await expect(page.getByRole('button', { name: 'Hide', exact: true })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(large).toBeHidden()
})
