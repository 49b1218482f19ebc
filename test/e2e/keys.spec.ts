import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import type { AppUnderTest, StartApp } from './fixtures.ts'
import { holdToasts } from './steps/hold-toasts.ts'
import { passphrase } from './steps/keys.ts'
import { paste } from './steps/paste.ts'
import { expectSync } from './steps/sync.ts'
import { editVariable, expectCount, expectValue, importText, rowOf } from './steps/variables.ts'
import { createEnvironment } from './steps/workspaces.ts'
import { changeBoth, shareGreeting } from './steps/two-people.ts'

/**
 * How many keys a daily task takes, by keyboard alone. Text that somebody types is not counted, nor is what waits for the screen: keys that do
 * something are. A count may fall, never rise.
 */
const most = {
  'add 15 variables': 31,
  import: 2,
  'edit one': 2,
  'find and copy': 3,
  'fill one missing': 4,
  'save a version': 2,
  'roll back': 3,
  'settle a conflict': 2,
  export: 3,
  lock: 1,
  'delete a project and take it back': 4,
  'first variable on the first run': 7,
} as const

class Keys {
  readonly #page: Page
  #count = 0

  constructor(page: Page) {
    this.#page = page
  }

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) {
      this.#count += 1
      await this.#page.keyboard.press(key)
    }
  }

  async type(text: string): Promise<void> {
    await this.#page.keyboard.type(text)
  }

  /** Ctrl+V: what is on the clipboard comes to where the keyboard is. */
  async paste(text: string): Promise<void> {
    this.#count += 1
    await paste(this.#page.locator('*:focus'), text)
  }

  expectAtMost(task: keyof typeof most): void {
    expect(this.#count, `keys to ${task}`).toBeLessThanOrEqual(most[task])
  }
}

const grid = (page: Page) => page.getByTestId('variables-grid')

async function startWith(startApp: StartApp, text: string): Promise<AppUnderTest> {
  const app = await startApp('holdfast', { workspace: { projects: { Fernweh: { Production: text } } } })
  await expectCount(app.page, text.trim().split('\n').length)
  await grid(app.page).focus()
  return app
}

test('add 15 variables', async ({ startApp }) => {
  const { page } = await startWith(startApp, 'GREETING=good day\n')
  const keys = new Keys(page)
  await keys.press('n')
  await expect(page.getByLabel('New variable name')).toBeFocused()
  // As fast as keys can be pressed: none waits for the addition before it.
  for (let n = 10; n < 25; n++) {
    await keys.type(`NAME_${n}`)
    await keys.press('Enter')
    await keys.type(`value ${n}`)
    await keys.press('Enter')
  }
  for (let n = 10; n < 25; n++) await expect(rowOf(page, `NAME_${n}`).getByTestId('value-cell')).toHaveText(`value ${n}`)
  keys.expectAtMost('add 15 variables')
})

test('import what was copied', async ({ startApp }) => {
  const { page } = await startWith(startApp, 'GREETING=good day\n')
  const keys = new Keys(page)
  await keys.paste('LOG_LEVEL=info\nPORT=8080\n')
  await expect(page.getByRole('button', { name: 'Import 2 variables' })).toBeFocused()
  await keys.press('Enter')
  await expectCount(page, 3)
  keys.expectAtMost('import')
  await expect(grid(page)).toBeFocused()
})

test('edit one value', async ({ startApp }) => {
  const { page } = await startWith(startApp, 'GREETING=good day\n')
  const keys = new Keys(page)
  await keys.press('Enter')
  await expect(page.getByRole('textbox', { name: 'Value of GREETING' })).toBeFocused()
  await keys.type('good evening')
  await keys.press('Enter')
  await expect(rowOf(page, 'GREETING').getByTestId('value-cell')).toHaveText('good evening')
  keys.expectAtMost('edit one')
  await expect(grid(page)).toBeFocused()
})

test('find a variable and copy its value', async ({ startApp }) => {
  const { page } = await startWith(startApp, 'GREETING=good day\nLOG_LEVEL=info\nPORT=8080\n')
  await holdToasts(page)
  const keys = new Keys(page)
  await keys.press('/')
  await keys.type('PORT')
  await expect(grid(page)).toHaveAttribute('data-filter', 'PORT')
  await keys.press('Enter', 'ControlOrMeta+c')
  await expect(page.locator('.toast')).toContainText('Copied PORT')
  keys.expectAtMost('find and copy')
})

test('fill one missing value', async ({ startApp }) => {
  const { page } = await startWith(startApp, 'GREETING=good day\nLOG_LEVEL=info\n')
  await createEnvironment(page, 'Fernweh', 'Development')
  await importText(page, 'GREETING=good day\n')
  await grid(page).focus()
  const keys = new Keys(page)
  await keys.press('c')
  await expect(page.getByTestId('compare-grid')).toBeFocused()
  await keys.press('3')
  await expect(page.getByTestId('compare-row')).toHaveCount(1)
  await keys.press('ArrowRight', 'f')
  await expect(page.getByTestId('compare-row')).toHaveCount(0)
  keys.expectAtMost('fill one missing')
})

test('save a version, and roll back to it', async ({ startApp }) => {
  const { page } = await startWith(startApp, 'GREETING=good day\n')
  await holdToasts(page)
  const save = new Keys(page)
  await save.press('ControlOrMeta+s')
  await expect(page.getByTestId('save-version').getByLabel('Label')).toBeFocused()
  await save.press('Enter')
  await expect(page.getByTestId('save-version')).toHaveCount(0)
  await expect(page.locator('.toast')).toContainText('Saved a version')
  save.expectAtMost('save a version')
  await expectSync(page, 'synced')
  await editVariable(page, 'GREETING', 'good evening')
  await expectSync(page, 'synced')

  await grid(page).focus()
  const back = new Keys(page)
  await back.press('v')
  await expect(page.getByTestId('version-grid')).toBeVisible()
  await expect(page.locator('.toast')).toHaveCount(0)
  await back.press('r')
  await expect(page.getByTestId('rollback-dialog').getByRole('button', { name: 'Roll back' })).toBeFocused()
  await back.press('Enter')
  await expect(page.getByTestId('rollback-dialog')).toHaveCount(0)
  back.expectAtMost('roll back')
  await page.keyboard.press('Escape')
  await expectValue(page, 'GREETING', 'good day')
})

test('settle a conflict', async ({ startApp, service }) => {
  const { mine, theirs } = await shareGreeting(startApp, service)
  await changeBoth(mine, theirs, service, 'GREETING')

  await grid(mine.page).focus()
  const keys = new Keys(mine.page)
  await keys.press('q')
  await expect(mine.page.getByRole('grid', { name: 'Unsent changes' })).toBeFocused()
  await expect(mine.page.getByTestId('queue-row')).toHaveAttribute('data-state', 'conflict')
  await expect(mine.page.getByTestId('conflict-glance')).toContainText('made that of it')
  await keys.press('m')
  await expectSync(mine.page, 'synced')
  keys.expectAtMost('settle a conflict')
  await mine.page.keyboard.press('Escape')
  await expectValue(mine.page, 'GREETING', 'made this of it')
})

// Electron asks for a place with the system's own dialog.
test('export an environment', { tag: '@browser' }, async ({ startApp }) => {
  const { page } = await startWith(startApp, 'GREETING=good day\n')
  const keys = new Keys(page)
  await keys.press('ControlOrMeta+k')
  await expect(page.getByRole('combobox', { name: /^Find a command/ })).toBeFocused()
  await keys.type('export or')
  await expect(page.getByRole('option', { selected: true })).toHaveAttribute('data-name', 'Export or copy as…')
  await keys.press('Enter')
  await expect(page.getByTestId('export-dialog').getByRole('button', { name: 'Save file' })).toBeFocused()
  const download = page.waitForEvent('download')
  await keys.press('Enter')
  expect((await download).suggestedFilename()).toBe('fernweh-production.env')
  keys.expectAtMost('export')
})

test('lock the keys', async ({ startApp }) => {
  const { page } = await startWith(startApp, 'GREETING=good day\n')
  const keys = new Keys(page)
  await keys.press('ControlOrMeta+Shift+l')
  await expect(page.getByRole('heading', { name: 'Unlock Holdfast' })).toBeVisible()
  keys.expectAtMost('lock')
})

test('delete a project and take it back', async ({ startApp }) => {
  const { page } = await startWith(startApp, 'GREETING=good day\n')
  await expectSync(page, 'synced')
  await page.locator('[data-testid="environment-item"][data-name="Production"]').focus()
  const project = page.locator('[data-testid="project-item"][data-name="Fernweh"]')
  await holdToasts(page)
  const keys = new Keys(page)
  await keys.press('ArrowUp')
  await expect(project).toBeFocused()
  await keys.press('Delete')
  await expect(page.getByRole('button', { name: 'Delete project' })).toBeFocused()
  await keys.press('Enter')
  await expect(project).toHaveCount(0)
  await expect(page.locator('.toast')).toContainText('Deleted Fernweh')
  await keys.press('ControlOrMeta+z')
  await expect(project).toBeVisible()
  keys.expectAtMost('delete a project and take it back')
  await expectValue(page, 'GREETING', 'good day')
})

test('create the first variable on the first run, with keys in a vault', async ({ app }) => {
  const { page } = app
  const keys = new Keys(page)
  await expect(page.getByRole('button', { name: 'Start a local workspace' })).toBeFocused()
  await keys.press('Enter')
  await expect(page.getByLabel('Passphrase', { exact: true })).toBeFocused()
  await keys.type(passphrase)
  await keys.press('Enter')
  await expect(page.getByLabel('Confirm passphrase')).toBeFocused()
  await keys.type(passphrase)
  await keys.press('Enter')
  await expect(page.getByLabel('New project name')).toBeFocused()
  await keys.type('Fernweh')
  await keys.press('Enter')
  await expect(page.getByLabel('New environment name')).toBeFocused()
  await keys.type('Production')
  await keys.press('Enter')
  await expect(page.getByLabel('New variable name')).toBeFocused()
  await keys.type('GREETING')
  await keys.press('Enter')
  await expect(page.getByRole('textbox', { name: 'New variable value' })).toBeFocused()
  await keys.type('good day')
  await keys.press('Enter')
  await expect(rowOf(page, 'GREETING').getByTestId('value-cell')).toHaveText('good day')
  keys.expectAtMost('first variable on the first run')
})
