import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { holdScreens } from './steps/hold-screens.ts'
import { holdToasts } from './steps/hold-toasts.ts'
import { passphrase } from './steps/keys.ts'
import { addVariable, expectCount, rowOf } from './steps/variables.ts'
import { walkTo } from './steps/walk-to.ts'
import { createEnvironment, createProject, startLocalWorkspace } from './steps/workspaces.ts'

/** Makes an environment in the field that is open for its name. */
async function nameEnvironment(page: Page, name: string): Promise<void> {
  const field = page.getByLabel('New environment name')
  await expect(field).toBeFocused()
  await page.keyboard.type(name)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toContainText(name)
}

/** Finds a command in the palette and runs it. */
async function run(page: Page, words: string, name: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k')
  await expect(page.getByRole('combobox', { name: /^Find a command/ })).toBeFocused()
  await page.keyboard.type(words)
  await expect(page.getByRole('option', { selected: true })).toHaveAttribute('data-name', name)
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('palette')).toHaveCount(0)
}

test('from the first start to a comparison, an export and the settings without a mouse', { tag: '@shell' }, async ({ app }) => {
  const { page } = app
  const { keyboard } = page
  const grid = page.getByTestId('variables-grid')

  await walkTo(page, 'Tab', page.getByRole('button', { name: 'Start a local workspace' }))
  await keyboard.press('Enter')
  const vault = page.getByRole('radio', { name: 'A vault with a passphrase' })
  await expect(vault).toBeVisible()
  await walkTo(page, 'Tab', page.getByRole('radio', { checked: true }))
  await walkTo(page, 'ArrowDown', vault)
  await expect(vault).toBeChecked()
  await walkTo(page, 'Tab', page.getByLabel('Passphrase', { exact: true }))
  await keyboard.type(passphrase)
  await walkTo(page, 'Tab', page.getByLabel('Confirm passphrase'))
  await keyboard.type(passphrase)
  await keyboard.press('Enter')

  await walkTo(page, 'Tab', page.getByTestId('tour').getByRole('button', { name: 'Skip' }))
  await keyboard.press('Enter')
  await expect(page.getByTestId('tour')).toHaveCount(0)
  await walkTo(page, 'Tab', page.getByRole('complementary').getByRole('button', { name: 'New project' }))
  await keyboard.press('Enter')
  await expect(page.getByLabel('New project name')).toBeFocused()
  await keyboard.type('Fernweh')
  await keyboard.press('Enter')
  await nameEnvironment(page, 'Production')

  // A variable is added and edited: the first environment waits for its first one.
  const name = page.getByLabel('New variable name')
  await expect(name).toBeFocused()
  await keyboard.type('GREETING')
  await keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: 'New variable value' })).toBeFocused()
  await keyboard.type('good day')
  await keyboard.press('Enter')
  await expect(rowOf(page, 'GREETING').getByTestId('value-cell')).toHaveText('good day')
  await expect(name).toBeFocused()
  await keyboard.press('Escape')
  await expect(grid).toBeFocused()
  await keyboard.press('Enter')
  const value = page.getByRole('textbox', { name: 'Value of GREETING' })
  await expect(value).toBeFocused()
  await keyboard.press('ControlOrMeta+a')
  await keyboard.type('good evening')
  await keyboard.press('Enter')
  await expect(rowOf(page, 'GREETING').getByTestId('value-cell')).toHaveText('good evening')
  await expect(grid).toBeFocused()

  // Another environment lacks it: seen in the comparison, and copied over.
  await run(page, 'new env', 'New environment')
  await nameEnvironment(page, 'Staging')
  await expect(page.getByLabel('New variable name')).toBeFocused()
  await keyboard.press('Escape')
  await keyboard.press('c')
  const compared = page.getByTestId('compare-grid')
  await expect(compared).toBeFocused()
  const cell = (environment: string) =>
    page.locator(`[data-testid="compare-row"][data-name="GREETING"] [data-testid="compare-cell"][data-environment="${environment}"]`)
  await expect(cell('Staging')).toHaveAttribute('data-state', 'missing')
  await keyboard.press('Control+Home')
  await keyboard.press('ArrowRight')
  await keyboard.press('f')
  await expect(cell('Staging')).toHaveAttribute('data-state', 'same')
  await keyboard.press('Escape')
  await expect(grid).toBeFocused()

  // An export, from the menu of the environment.
  await walkTo(page, 'Shift+Tab', page.getByRole('button', { name: 'More for this environment' }))
  await keyboard.press('Enter')
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await walkTo(page, 'ArrowDown', page.getByRole('menuitem', { name: 'Export or copy as…' }))
  await keyboard.press('Enter')
  const dialog = page.getByTestId('export-dialog')
  await walkTo(page, 'Tab', dialog.getByRole('checkbox', { name: 'Show secrets' }))
  await keyboard.press('Space')
  await expect(dialog.getByRole('region', { name: 'Preview' })).toContainText('good evening')
  await keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)

  // Settings: what is turned there is seen behind them.
  await keyboard.press('ControlOrMeta+,')
  const settings = page.getByTestId('settings-dialog')
  const mask = settings.getByRole('switch', { name: 'Mask all values' })
  await walkTo(page, 'Tab', mask)
  await keyboard.press('Space')
  await expect(mask).toBeChecked()
  await keyboard.press('Escape')
  await expect(settings).toHaveCount(0)
  await expect(rowOf(page, 'GREETING').getByRole('img', { name: 'Hidden value' })).toBeVisible()
})

test('a key that is pressed while the script of its screen is still being loaded is run when the screen has come', async ({ app }) => {
  const { page } = app
  await startLocalWorkspace(page)
  await createProject(page, 'Fernweh', 'Production')
  await addVariable(page, 'GREETING', 'good day')
  await createEnvironment(page, 'Fernweh', 'Staging')
  const versions = page.getByRole('region', { name: 'Versions of Staging' })
  const screens = [
    { open: 'c', key: '/', come: () => expect(page.getByLabel('Filter comparison')).toBeFocused() },
    { open: 'v', key: '/', come: () => expect(versions.getByLabel('Filter variables')).toBeFocused() },
    { open: 'm', key: 'Enter', come: () => expect(page.locator('.toast')).toContainText('A workspace needs an owner') },
  ]
  for (const { open, key, come } of screens) {
    const letScreensCome = await holdScreens(page)
    const table = page.locator('main').getByText('No variables in Staging yet')
    await expect(table).toBeVisible()
    await page.keyboard.press(open)
    await expect(table).toBeHidden()
    await page.keyboard.press(key)
    letScreensCome()
    await come()
  }
})

test('keys for a list that still loads walk it when it has come, and what is typed into a filter meanwhile is there', async ({ app }) => {
  const { page } = app
  await startLocalWorkspace(page)
  await createProject(page, 'Fernweh', 'Production')
  for (const name of ['ALPHA', 'BRAVO', 'CHARLIE']) await addVariable(page, name, name.toLowerCase())
  await createEnvironment(page, 'Fernweh', 'Staging')
  const cases = [
    {
      keys: ['ArrowDown', 'ArrowDown', 'Enter'],
      come: () => expect(page.getByRole('textbox', { name: 'Value of CHARLIE' })).toBeFocused(),
    },
    { keys: ['/', 'b', 'r', 'a'], come: () => expect(page.getByLabel('Filter comparison')).toHaveValue('bra') },
  ]
  for (const { keys, come } of cases) {
    const letScreensCome = await holdScreens(page)
    const table = page.locator('main').getByText('No variables in Staging yet')
    await expect(table).toBeVisible()
    await page.keyboard.press('c')
    await expect(table).toBeHidden()
    // Frames later the keyboard is still not taken elsewhere.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 200)))
    for (const key of keys) await page.keyboard.press(key)
    letScreensCome()
    await come()
  }
})

test('arrows walk the first screen, Enter in the sidebar takes the keyboard along, and down leads out of the line of a new variable', async ({
  app,
}) => {
  const { page } = app
  await expect(page.getByRole('button', { name: 'Start a local workspace' })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('button', { name: 'Connect to a service' })).toBeFocused()
  await page.keyboard.press('Home')
  await expect(page.getByRole('button', { name: 'Look around' })).toBeFocused()
  await page.keyboard.press('Enter')
  const grid = page.getByTestId('variables-grid')
  await expect(grid).toBeFocused()
  await page.locator('[data-testid="environment-item"][data-name="Staging"]').first().focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Staging')
  await expect(grid).toBeFocused()

  await page.keyboard.press('n')
  await page.keyboard.type('HALF')
  await page.keyboard.press('ArrowDown')
  await expect(grid).toBeFocused()
  await expect(page.getByLabel('New variable name')).toHaveValue('HALF')

  // Where nothing can be selected, the words of the window stay unmarked.
  await page.keyboard.press('v')
  await expect(page.getByRole('region', { name: /^Versions of/ })).toBeVisible()
  await page.keyboard.press('ControlOrMeta+a')
  expect(await page.evaluate(() => getSelection()?.isCollapsed)).toBe(true)
})

test('what a menu, a copy and a question are about is said', async ({ startApp }) => {
  const { page } = await startApp('holdfast', {
    workspace: { projects: { Fernweh: { Production: { A_HOST: 'db', B_URL: 'https://${A_HOST}', C_NAME: 'c' } } } },
  })
  await holdToasts(page)
  await expectCount(page, 3)
  const grid = page.getByTestId('variables-grid')
  await grid.focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ControlOrMeta+c')
  await expect(page.locator('.toast')).toContainText('references unresolved')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.press('Shift+F10')
  await expect(page.getByRole('menu')).toContainText('Only B_URL')
  await page.keyboard.press('Escape')
  await expect(grid).toBeFocused()
  await page.keyboard.press('n')
  await page.keyboard.type('API_TOKEN')
  await page.keyboard.press('Enter')
  await page.keyboard.type('sesame')
  await page.keyboard.press('Enter')
  await expect(page.locator('.toast')).toContainText('as a secret')
})
