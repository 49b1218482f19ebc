import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import type { ServiceOnStage } from './service-on-stage.ts'
import { addMember } from './steps/add-member.ts'
import { readClipboard } from './steps/clipboard.ts'
import { setCode } from './steps/code.ts'
import { cellOf, openComparison } from './steps/compare.ts'
import { look } from './steps/look.ts'
import { expectSync } from './steps/sync.ts'
import { shareRows } from './steps/two-people.ts'
import { editVariable, expectCount, rowOf } from './steps/variables.ts'
import { openVersions, saveVersion } from './steps/versions.ts'

/** Brings what others did on the service to the screen at once, whatever is open on it. */
const pull = (page: Page): Promise<unknown> => page.evaluate(() => window.dispatchEvent(new Event('online')))

const item = (page: Page, name: string) => page.locator(`[data-testid="environment-item"][data-name="${name}"]`)

/** Others delete a project, or an environment of Fernweh, and the screen learns of it. */
async function deleteElsewhere(page: Page, service: ServiceOnStage, route: string, name: string): Promise<void> {
  expect((await service.ask('DELETE', `/projects/${route}`)).status).toBe(200)
  await pull(page)
  await expect(page.getByRole('treeitem', { name: new RegExp(`^${name}`) })).toHaveCount(0)
}

/** The keyboard is somewhere: a key that is pressed next reaches something. */
const expectFocus = (page: Page): Promise<void> => expect(page.locator(':focus')).toHaveCount(1)

const gone = 'This environment no longer exists. It may have been deleted in the meantime.'

/** Dialogs about an environment. `open` opens it; Enter confirms what was typed. */
const dialogs: { of: string; open: (page: Page, name: string) => Promise<void>; typed: string | null }[] = [
  {
    of: 'slug',
    // Of another environment than the one on screen, whose table is behind the dialog.
    open: async (page, name) => {
      await item(page, 'Production').click()
      await item(page, name).click({ button: 'right' })
      await page.getByRole('menuitem', { name: 'Change slug…' }).click()
      await page.getByRole('textbox', { name: 'Slug' }).fill('typed')
    },
    typed: 'typed',
  },
  {
    of: 'version',
    open: async (page, name) => {
      await item(page, name).click()
      await page.keyboard.press('ControlOrMeta+s')
      await page.getByRole('textbox', { name: 'Label' }).fill('typed')
    },
    typed: 'typed',
  },
  {
    of: 'fill',
    open: async (page, name) => {
      await item(page, name).click({ button: 'right' })
      await page.getByRole('menuitem', { name: 'Copy from another environment…' }).click()
      await expect(page.getByRole('radio', { name: /^From Production/ })).toBeFocused()
    },
    typed: null,
  },
]

test('a dialog about an environment that others delete keeps the keys and what is typed in it, and says why nothing can be saved', async ({
  startApp,
  service,
}) => {
  const environments = Object.fromEntries(dialogs.map(({ of }) => [`Of ${of}`, {}]))
  const values = { A_HOST: 'one', B_PORT: 'two', C_PATH: 'three' }
  const { page } = await startApp('mine', {
    workspace: { service, projects: { Fernweh: { ...environments, Production: values } }, syncSeconds: 3600 },
  })
  await expectSync(page, 'synced')
  const complaints: string[] = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  for (const { of, open, typed } of dialogs) {
    await open(page, `Of ${of}`)
    const dialog = page.getByRole('dialog')
    await deleteElsewhere(page, service, `fernweh/environments/of-${of}`, `Of ${of}`)
    await expect(dialog, of).toBeVisible()
    await expect(dialog.locator(':focus'), of).toHaveCount(1)
    if (typed !== null) {
      await page.keyboard.press('Backspace')
      await expect(dialog.locator('input').first(), of).toHaveValue(typed.slice(0, -1))
      await page.keyboard.press('Enter')
    }
    await expect(dialog, of).toContainText(gone)
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expectFocus(page)
  }
  await item(page, 'Production').click()
  await expectCount(page, 3)
  expect(complaints).toEqual([])
})

test('all that was typed in an environment that others delete can be copied, a text to import too', async ({
  startApp,
  service,
  driver,
}) => {
  const projects = { Fernweh: { Staging: { A_HOST: 'one' }, Production: { A_HOST: 'one' } } }
  const mine = await startApp('mine', { workspace: { service, projects, syncSeconds: 3600 } })
  const { page } = mine
  await expectSync(page, 'synced')
  await page.getByLabel('New variable name').fill('DATABASE_URL')
  await page.keyboard.press('Enter')
  await page.keyboard.type('postgres:')
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await setCode(page.getByTestId('import-dialog').getByLabel('Text to import'), 'FIRST=1\nSECOND=2\n')
  await deleteElsewhere(page, service, 'fernweh/environments/production', 'Production')
  const deleted = page.getByTestId('place-deleted')
  await expect(deleted).toBeFocused()
  await page.keyboard.press('Backspace')
  await page.keyboard.type('tn')
  await expect(deleted).toBeFocused()
  await deleted.getByRole('button', { name: 'Copy what you typed' }).click()
  await expect.poll(() => readClipboard(mine, driver)).toBe('FIRST=1\nSECOND=2\n\nDATABASE_URL=postgres:')
})

test('a text to import can be copied when others have deleted the last environment', async ({ startApp, service, driver }) => {
  const mine = await startApp('mine', {
    workspace: { service, projects: { Fernweh: { Production: { A_HOST: 'one' } } }, syncSeconds: 3600 },
  })
  const { page } = mine
  await expectSync(page, 'synced')
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await setCode(page.getByTestId('import-dialog').getByLabel('Text to import'), 'FIRST=1\nSECOND=2\n')
  await deleteElsewhere(page, service, 'fernweh', 'Fernweh')
  await page.getByTestId('place-deleted').getByRole('button', { name: 'Copy what you typed' }).click()
  await expect.poll(() => readClipboard(mine, driver)).toBe('FIRST=1\nSECOND=2\n')
})

test('what was typed in the last environment can be copied when others have deleted it', async ({ startApp, service, driver }) => {
  const mine = await startApp('mine', {
    workspace: { service, projects: { Fernweh: { Production: { A_HOST: 'one' } } }, syncSeconds: 3600 },
  })
  const { page } = mine
  await expectSync(page, 'synced')
  await page.getByTestId('value-cell').click()
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: 'Value of A_HOST' }).fill('typed')
  await deleteElsewhere(page, service, 'fernweh', 'Fernweh')
  const deleted = page.getByTestId('place-deleted')
  await expect(deleted).toBeFocused()
  await deleted.getByRole('button', { name: 'Copy what you typed' }).click()
  await expect.poll(() => readClipboard(mine, driver)).toBe('typed')
  // The next one that comes is not opened under it, but can be.
  expect((await service.ask('POST', '/projects', { name: 'Shop', slug: 'shop' })).status).toBe(201)
  expect((await service.ask('POST', '/projects/shop/environments', { name: 'Staging', slug: 'staging' })).status).toBe(201)
  await pull(page)
  await deleted.getByRole('button', { name: 'Open Staging' }).click()
  await expect(page.getByRole('region', { name: 'Variables of Staging' })).toBeVisible()
})

test('a comparison whose project others delete keeps the keys from the table of another environment', async ({
  startApp,
  service,
  driver,
}) => {
  const projects = {
    Shop: { Staging: { A_HOST: 'one' }, Production: { A_HOST: 'two' } },
    Fernweh: { Development: { A_HOST: 'one', B_PORT: 'two' } },
  }
  const mine = await startApp('mine', { workspace: { service, projects, syncSeconds: 3600 } })
  const { page } = mine
  await expectSync(page, 'synced')
  await openComparison(page, 'Shop')
  await cellOf(page, 'A_HOST', 'Staging').click()
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: 'Value of A_HOST' }).fill('typed')
  await deleteElsewhere(page, service, 'shop', 'Shop')
  const deleted = page.getByTestId('place-deleted')
  await expect(deleted).toBeFocused()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Shop was deleted')
  await page.keyboard.press('Backspace')
  await expect(deleted).toBeFocused()
  await look(page, 'deleted project that was compared')
  await deleted.getByRole('button', { name: 'Copy what you typed' }).click()
  await expect.poll(() => readClipboard(mine, driver)).toBe('typed')
  await deleted.getByRole('button', { name: 'Open Development' }).click()
  await expectCount(page, 2)
})

test('the environment that was chosen to copy to or from, and that others delete, gives way to no other', async ({ startApp, service }) => {
  const full = { A_HOST: 'one', B_PORT: 'two' }
  const projects = { Fernweh: { Staging: full, Preview: full, Empty: { OWN: 'yes' } } }
  const { page } = await startApp('mine', { workspace: { service, projects, syncSeconds: 3600 } })
  await expectSync(page, 'synced')
  await item(page, 'Empty').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Copy from another environment…' }).click()
  const dialog = page.getByRole('dialog')
  const first = dialog.getByRole('radio').first()
  await expect(first).toBeChecked()
  const name = (await first.getAttribute('value')) === null ? '' : ((await dialog.locator('label .name').first().textContent()) ?? '')
  const chosen = name.replace('From ', '')
  await deleteElsewhere(page, service, `fernweh/environments/${chosen.toLowerCase()}`, chosen)
  await expect(dialog.getByRole('radio')).toHaveCount(1)
  await expect(dialog.getByRole('radio')).not.toBeChecked()
  await expect(dialog.getByRole('button', { name: /^Copy/ })).toBeDisabled()
  await dialog.getByRole('radio').check()
  await dialog.getByRole('button', { name: 'Copy 2 variables' }).click()
  await expect(dialog).toBeHidden()
  await expectCount(page, 3)

  const left = chosen === 'Staging' ? 'Preview' : 'Staging'
  await page.getByTestId('variable-row').first().click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Copy to…' }).click()
  await expect(dialog.getByRole('radio', { name: new RegExp(left) })).toBeChecked()
  await deleteElsewhere(page, service, `fernweh/environments/${left.toLowerCase()}`, left)
  await expect(dialog).toContainText('This workspace has no other environment.')
  await expect(dialog.getByRole('button', { name: 'Copy', exact: true })).toBeDisabled()
})

test('who may only view from now on keeps the new variable that they were typing', async ({ startApp, service }) => {
  const projects = { Fernweh: { Production: { A_HOST: 'one' } } }
  const owner = await startApp('owner', { workspace: { service, projects } })
  await expectSync(owner.page, 'synced')
  const { id, apiKey } = await addMember(service, 'editor')
  const { page } = await startApp('mine', {
    workspace: { service: { url: service.url, apiKey }, key: owner.workspaceKey, syncSeconds: 3600 },
  })
  await expectCount(page, 1)
  await page.getByLabel('New variable name').fill('NEW_NAME')
  await page.keyboard.press('Enter')
  await page.keyboard.type('some')
  expect((await service.ask('PATCH', `/members/${id}`, { roleId: 'viewer' })).status).toBe(200)
  await pull(page)
  await expect(page.getByText('View only')).toBeVisible()
  const value = page.getByRole('textbox', { name: 'New variable value' })
  await expect(value).toBeFocused()
  await page.keyboard.type(' value')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('form', { name: 'New variable' })).toContainText('You can only view this workspace.')
  await expect(value).toHaveValue('some value')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('form', { name: 'New variable' })).toHaveCount(0)
  await expect(page.getByTestId('variables-grid')).toBeFocused()
})

test('the version that is read stays on screen while others save another one', async ({ startApp, service }) => {
  const projects = { Fernweh: { Production: { A_HOST: 'one' } } }
  const mine = await startApp('mine', { workspace: { service, projects, syncSeconds: 3600 } })
  const { page } = mine
  await expectSync(page, 'synced')
  await saveVersion(page, 'first', '')
  await editVariable(page, 'A_HOST', 'two')
  await expectSync(page, 'synced')
  await openVersions(page)
  await expect(page.getByTestId('version-grid')).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('version-grid')).toBeFocused()
  const saved = await service.ask('POST', '/projects/fernweh/environments/production/versions', { label: 'second' })
  expect(saved.status).toBe(201)
  await pull(page)
  await expect(page.getByTestId('version-item')).toHaveCount(2)
  await expect(page.getByTestId('version-pane')).toHaveAttribute('data-label', 'first')
  await expect(page.getByTestId('version-grid')).toBeFocused()
})

test('the keyboard stays on the button of an earlier value while others overwrite another one', async ({ startApp, service }) => {
  const { mine, theirs } = await shareRows(startApp, service, ['A_HOST', 'B_PORT'])
  const { page } = mine
  await editVariable(page, 'A_HOST', 'is')
  await expectSync(page, 'synced')
  await page.getByRole('button', { name: 'More for this environment' }).click()
  await page.getByRole('menuitem', { name: /history/i }).click()
  const dialog = page.getByTestId('history-dialog')
  await dialog.getByRole('button', { name: 'Restore A_HOST' }).focus()
  await editVariable(theirs.page, 'B_PORT', 'is')
  await expect(dialog.getByTestId('history-row')).toHaveCount(2)
  await expect(dialog.getByTestId('history-row').first()).toHaveAttribute('data-name', 'B_PORT')
  await expect(dialog.getByRole('button', { name: 'Restore A_HOST' })).toBeFocused()
})

test('the rows in view, and an open editor, stay where they are while others delete and add rows above them', async ({
  startApp,
  service,
}) => {
  const lines = Array.from({ length: 200 }, (_, at) => `V_${String(at).padStart(3, '0')}=${at}\n`)
  const { page } = await startApp('mine', {
    workspace: { service, projects: { Fernweh: { Production: lines.join('') } }, syncSeconds: 3600 },
  })
  await expectCount(page, 200)
  await expectSync(page, 'synced')
  const route = '/projects/fernweh/environments/production/variables'
  const topOf = async (name: string) => Math.round((await rowOf(page, name).boundingBox())?.y ?? NaN)
  await page.getByTestId('variables-grid').focus()
  for (let pages = 0; pages < 4; pages += 1) await page.keyboard.press('PageDown')
  await page.keyboard.press('Enter')
  const editor = page.getByRole('textbox', { name: /^Value of / })
  await expect(editor).toBeFocused()
  const name = ((await editor.getAttribute('aria-label')) ?? '').replace('Value of ', '')
  const before = [await topOf(name), (await editor.boundingBox())?.y]
  expect((await service.ask('DELETE', route, { names: ['V_000', 'V_001', 'V_002'] })).status).toBe(200)
  await pull(page)
  await expectCount(page, 197)
  expect([await topOf(name), (await editor.boundingBox())?.y]).toEqual(before)
  await expect(editor).toBeFocused()
})

test('what is picked in the menu of an environment that others have deleted opens no other one', async ({ startApp, service }) => {
  const projects = { Fernweh: { Alpha: { A_HOST: 'one' }, Beta: {}, Gamma: {}, Production: { A_HOST: 'one', B_PORT: 'two' } } }
  const { page } = await startApp('mine', { workspace: { service, projects, syncSeconds: 3600 } })
  await expectSync(page, 'synced')
  for (const [name, picked] of [
    ['Beta', 'Versions'],
    ['Gamma', 'Rename'],
  ] as const) {
    await item(page, name).click({ button: 'right' })
    await deleteElsewhere(page, service, `fernweh/environments/${name.toLowerCase()}`, name)
    await page.getByRole('menuitem', { name: picked }).click()
    await expect(page.locator('.toast')).toContainText(gone)
    await expect(page.getByRole('region', { name: 'Variables of Production' })).toBeVisible()
    await expectFocus(page)
  }
})

test('a menu keeps the keys when others delete what it is for, and does nothing to anything else', async ({ startApp, service }) => {
  const { page } = await startApp('mine', {
    workspace: { service, projects: { Fernweh: { Production: { HOST: 'one', PORT: 'two' } } }, syncSeconds: 3600 },
  })
  await expectSync(page, 'synced')
  const editor = await addMember(service, 'editor')
  await pull(page)
  await page.getByRole('button', { name: /^Workspace / }).click()
  await page.getByRole('menuitem', { name: /^Members and roles/ }).click()
  const member = page.getByTestId('member-row').filter({ hasText: 'editor@example.com' })
  await member.click()
  await page.keyboard.press('Enter')
  const choice = page.getByRole('menuitem', { name: /^Viewer/ })
  await page.keyboard.press('End')
  await expect(choice).toBeFocused()
  await service.ask('DELETE', `/members/${editor.id}`)
  await pull(page)
  await expect(member).toHaveCount(0)
  await expect(choice).toBeFocused()
  await expect(choice).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByText('This member no longer exists.')).toBeVisible()
  await expect(page.getByTestId('members-grid')).toBeFocused()
  await expectSync(page, 'synced')
})

test('the rows at the end of a list stay where they are while others delete rows above them', async ({ startApp, service }) => {
  const lines = Array.from({ length: 200 }, (_, at) => `V_${String(at).padStart(3, '0')}=${at}\n`)
  const { page } = await startApp('mine', {
    workspace: { service, projects: { Fernweh: { Production: lines.join('') } }, syncSeconds: 3600 },
  })
  await expectCount(page, 200)
  await expectSync(page, 'synced')
  await page.getByTestId('variables-grid').focus()
  await page.keyboard.press('Control+End')
  await page.mouse.move(600, 400)
  await page.mouse.wheel(0, 100000)
  const topOf = async (name: string) => Math.round((await rowOf(page, name).boundingBox())?.y ?? NaN)
  await expect(rowOf(page, 'V_199')).toBeInViewport()
  const before = await topOf('V_199')
  const route = '/projects/fernweh/environments/production/variables'
  expect((await service.ask('DELETE', route, { names: ['V_000', 'V_001', 'V_002'] })).status).toBe(200)
  await pull(page)
  await expectCount(page, 197)
  expect(await topOf('V_199')).toBe(before)
})

test('the keyboard stays on the line of an import that it was on while others delete variables above it', async ({ startApp, service }) => {
  const values = { A_HOST: 'one', B_PORT: 'two', C_PATH: 'three' }
  const { page } = await startApp('mine', { workspace: { service, projects: { Fernweh: { Production: values } }, syncSeconds: 3600 } })
  await expectSync(page, 'synced')
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  const dialog = page.getByTestId('import-dialog')
  await setCode(dialog.getByLabel('Text to import'), 'NEW_ONE=1\n')
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await dialog.getByRole('radio', { name: 'Replace' }).click()
  const box = dialog.getByRole('checkbox', { name: 'Delete B_PORT' })
  await box.focus()
  expect((await service.ask('DELETE', '/projects/fernweh/environments/production/variables/A_HOST')).status).toBe(200)
  await pull(page)
  await expect(dialog.getByTestId('import-line')).toHaveCount(3)
  await expect(box).toBeFocused()
  await page.keyboard.press('Space')
  await expect(box).not.toBeChecked()
  await expect(dialog.getByRole('checkbox', { name: 'Delete C_PATH' })).toBeChecked()
})

test('while the service refuses the API key nothing is said to be done that waits, and dialogs keep the keyboard', async ({
  startApp,
  service,
}) => {
  const projects = { Fernweh: { Old: {}, Production: { A_HOST: 'one' } } }
  const { page } = await startApp('mine', { workspace: { service, projects, syncSeconds: 3600 } })
  await expectSync(page, 'synced')
  await editVariable(page, 'A_HOST', 'two')
  await expectSync(page, 'synced')
  expect((await service.ask('POST', '/members', { email: 'ada@example.com', roleId: 'editor' })).status).toBe(201)
  await deleteElsewhere(page, service, 'fernweh/environments/old', 'Old')
  const openMenu = async (name: RegExp) => {
    await page.getByRole('button', { name: /^Workspace / }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  await openMenu(/^Restore deleted/)
  const restore = page.getByTestId('deleted-dialog').getByRole('button', { name: 'Restore Old' })
  await expect(restore).toBeFocused()
  await service.revokeKey()
  await pull(page)
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('deleted-dialog').getByRole('alert')).toContainText('doesn’t accept this API key')
  await expect(restore).toBeFocused()
  await page.keyboard.press('Escape')

  const toast = page.locator('.toast').last()
  await openMenu(/^Members/)
  await page.getByTestId('members-grid').getByRole('row').filter({ hasText: 'ada@' }).click()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: /^Viewer/ }).click()
  await expect(toast).toContainText('ada@example.com will be Viewer once sync works again')
  await page.keyboard.press('Escape')
  await saveVersion(page, 'typed', '')
  await expect(toast).toContainText('Holdfast will save version “typed” of Production once sync works again')

  await page.getByRole('button', { name: 'More for this environment' }).click()
  await page.getByRole('menuitem', { name: /history/i }).click()
  const history = page.getByTestId('history-dialog')
  await history.getByRole('button', { name: 'Restore A_HOST' }).press('Enter')
  await expect(history).toContainText('Same as now')
  await expect(history.getByRole('list')).toBeFocused()
  await page.keyboard.press('Escape')
  await openMenu(/^Show workspace key/)
  await page.getByRole('button', { name: 'Show key' }).press('Enter')
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Copy' })).toBeFocused()
  await page.keyboard.press('Escape')
  await page.keyboard.press('ControlOrMeta+,')
  await page.getByTestId('settings-dialog').getByRole('tab', { name: 'Keys' }).click()
  await page.getByRole('button', { name: /^Show the workspace key of/ }).press('Enter')
  await expect(page.getByRole('button', { name: /^Hide the workspace key of/ })).toBeFocused()
})
