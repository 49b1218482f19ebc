import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { setCode } from './steps/code.ts'
import { openComparison, openEmptyComparison } from './steps/compare.ts'
import { startListening } from './steps/start-listening.ts'
import { chooseVault, unlock, writeDownRecoveryKey } from './steps/keys.ts'
import { look } from './steps/look.ts'
import { expectSync, openQueue, syncNow } from './steps/sync.ts'
import { addVariable, editVariable } from './steps/variables.ts'
import { askService, createProject } from './steps/workspaces.ts'

interface Stop {
  screen: string
  open: (page: Page) => Promise<void>
  /** How it is left; Escape where nothing is said. */
  close?: (page: Page) => Promise<void>
}

const stay = async () => undefined
const menuItem = (name: string | RegExp) => async (page: Page) => page.getByRole('menuitem', { name }).click()
const ofWorkspace = (name: string | RegExp) => async (page: Page) => {
  await page.getByRole('button', { name: /^Workspace / }).click()
  await menuItem(name)(page)
}
const ofEnvironment = (name: string | RegExp) => async (page: Page) => {
  await page.getByRole('button', { name: 'More for this environment' }).click()
  await menuItem(name)(page)
}
const settings = (section: string) => async (page: Page) => {
  await page.keyboard.press('ControlOrMeta+,')
  await page.getByTestId('settings-dialog').getByRole('tab', { name: section }).click()
}
const firstRow = (page: Page) => page.getByTestId('variable-row').first()
const standsAt = (page: Page, title: string) => expect(page.getByRole('heading', { level: 1 })).toContainText(title)
const layers = (page: Page) => page.locator('[role="dialog"], [role="alertdialog"], [role="menu"]')

/** With the sample open and its table in view. */
const stops: readonly Stop[] = [
  { screen: 'variables', open: stay, close: stay },
  { screen: 'menu of workspaces', open: (page) => page.getByRole('button', { name: /^Workspace / }).click() },
  { screen: 'menu of filters', open: (page) => page.getByRole('button', { name: 'Filter and sort' }).click() },
  { screen: 'menu of a row', open: (page) => page.getByTestId('variables-grid').dispatchEvent('contextmenu') },
  {
    screen: 'edit of a value',
    open: async (page) => {
      await firstRow(page).getByTestId('value-cell').dblclick()
      await expect(page.getByTestId('variables-grid').getByRole('textbox')).toBeFocused()
    },
  },
  {
    screen: 'nothing found',
    open: (page) => page.getByLabel('Filter variables').fill('zzzz'),
    close: (page) => page.getByLabel('Filter variables').fill(''),
  },
  { screen: 'delete', open: async (page) => (await firstRow(page).click({ button: 'right' }), menuItem(/^Delete/)(page)) },
  { screen: 'copy to', open: async (page) => (await firstRow(page).click({ button: 'right' }), menuItem(/^Copy to/)(page)) },
  { screen: 'import', open: (page) => page.getByRole('button', { name: 'Import', exact: true }).click() },
  {
    screen: 'import preview',
    open: async (page) => {
      await page.getByRole('button', { name: 'Import', exact: true }).click()
      await setCode(page.getByLabel('Text to import'), 'NEW_ONE=1\nPORT=81\nbad line\nNEW_ONE=2\n')
      await page.getByRole('button', { name: 'Preview' }).click()
      await expect(page.getByTestId('import-line').first()).toBeVisible()
    },
  },
  { screen: 'export', open: ofEnvironment('Export or copy as…') },
  { screen: 'text with secrets', open: ofEnvironment('Edit as text…') },
  {
    screen: 'text mode',
    open: async (page) => {
      await ofEnvironment('Edit as text…')(page)
      await page.getByRole('button', { name: 'Show text' }).click()
    },
  },
  { screen: 'save a version', open: ofEnvironment(/^Save version/) },
  { screen: 'versions', open: async (page) => (await ofEnvironment(/^Versions/)(page), standsAt(page, 'Versions')) },
  {
    screen: 'members',
    open: async (page) => (await ofWorkspace(/^Members/)(page), expect(page.getByTestId('members-grid')).toBeFocused()),
  },
  { screen: 'sync', open: openQueue },
  // Typed at once: no letter may be lost while it opens.
  { screen: 'palette', open: async (page) => (await page.keyboard.press('ControlOrMeta+k'), page.keyboard.type('url')) },
  { screen: 'palette at rest', open: (page) => page.keyboard.press('ControlOrMeta+k') },
  { screen: 'shortcuts', open: (page) => page.keyboard.press('?') },
  { screen: 'settings', open: settings('General') },
  { screen: 'settings of keys', open: settings('Keys') },
  { screen: 'settings of data', open: settings('Data') },
  { screen: 'remove', open: ofWorkspace('Remove workspace…') },
  { screen: 'about', open: ofWorkspace('About Holdfast') },
  { screen: 'recovery key', open: ofWorkspace('Show workspace key…') },
  { screen: 'comparison', open: (page) => openComparison(page, 'Web shop'), close: stay },
  { screen: 'menu of a cell', open: (page) => page.getByTestId('compare-grid').press('Shift+F10') },
  {
    screen: 'edit in a cell',
    open: async (page) => {
      await page.getByTestId('compare-grid').press('Enter')
      await expect(page.getByTestId('compare-grid').getByRole('textbox')).toBeFocused()
    },
  },
  { screen: 'side by side', open: (page) => page.getByTestId('compare-grid').press('s') },
]

test('every screen of an open workspace: axe, 200 %, forced colours', { tag: '@shell' }, async ({ app }) => {
  const { page } = app
  await page.getByRole('button', { name: 'Look around' }).click()
  await page.getByRole('treeitem', { name: /^Production, 13/ }).click()
  await expect(firstRow(page)).toBeVisible()
  await expectSync(page, 'synced')
  for (const { screen, open, close = (at: Page) => at.keyboard.press('Escape') } of stops) {
    await test.step(screen, async () => {
      await page.mouse.move(0, 0)
      await open(page)
      await look(page, screen)
      await close(page)
      await expect(layers(page)).toHaveCount(0)
    })
  }
})

test('every screen of the beginning: axe, 200 %, forced colours', async ({ app, service }) => {
  const { page } = app
  await expect(page.getByRole('heading', { name: 'Welcome to Holdfast' })).toBeVisible()
  await look(page, 'start')
  await page.getByRole('button', { name: 'Connect to a service' }).click()
  await look(page, 'where keys live')
  await chooseVault(page)
  await expect(page.getByRole('heading', { name: 'Connect to a service' })).toBeVisible()
  await look(page, 'connect')
  await askService(page, service)
  await page.getByRole('radio', { name: 'Create a new key' }).check()
  await look(page, 'connect keys')
  await page.getByRole('button', { name: 'Connect' }).click()
  await expect(page.getByRole('heading', { name: 'Write down the workspace key' })).toBeVisible()
  await look(page, 'recovery key of a new workspace')
  await writeDownRecoveryKey(page)
  await expect(page.getByTestId('sync-pill')).toBeVisible()
  await look(page, 'empty workspace')
  await createProject(page, 'Fernweh', 'Production')
  await look(page, 'empty environment')
  await openEmptyComparison(page, 'Fernweh')
  await look(page, 'nothing to compare')
  await page.keyboard.press('Escape')
  const heard = await startListening(page)
  await addVariable(page, 'LOG_LEVEL', 'info')
  await expect.poll(heard).toContain('Added LOG_LEVEL')
  await expectSync(page, 'synced')
  await service.stop()
  await editVariable(page, 'LOG_LEVEL', 'debug')
  await expectSync(page, 'offline')
  await expect.poll(heard).toContain('Sync: Offline · 1 queued')
  await openQueue(page)
  await look(page, 'queue')
  await page.keyboard.press('Escape')
  await app.restart()
  await expect(app.page.getByRole('heading', { name: 'Unlock Holdfast' })).toBeVisible()
  await look(app.page, 'unlock')
  await unlock(app.page)
  await expect(app.page.getByTestId('sync-told')).toHaveText('Sync: Offline · 1 queued')
  const heardAfterwards = await startListening(app.page)
  await service.start()
  await syncNow(app.page)
  await expect.poll(heardAfterwards).toContain('Sync: Synced')
})
