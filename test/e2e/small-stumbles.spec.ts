import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { paste } from './steps/paste.ts'
import type { AppUnderTest, StartApp } from './fixtures.ts'
import { cellOf, openComparison } from './steps/compare.ts'
import { readClipboard } from './steps/clipboard.ts'
import { setCode } from './steps/code.ts'
import { holdToasts } from './steps/hold-toasts.ts'
import { photograph } from './steps/photograph.ts'
import { closeQueue, expectSync, openQueue, syncNow } from './steps/sync.ts'
import { changeBoth, shareRows } from './steps/two-people.ts'
import { editVariable, expectCount, expectValue, rowOf } from './steps/variables.ts'

/** What new users stumbled over, each as a step that failed before it was mended. */

async function startWith(startApp: StartApp, values: Readonly<Record<string, string>>): Promise<AppUnderTest> {
  const app = await startApp('holdfast', { workspace: { projects: { Fernweh: { Production: values } } } })
  await expectCount(app.page, Object.keys(values).length)
  return app
}

const grid = (page: Page) => page.getByTestId('variables-grid')
const newName = (page: Page) => page.getByLabel('New variable name')
const newValue = (page: Page) => page.getByRole('textbox', { name: 'New variable value' })

test('"=" typed in a new name leads to its value, and Enter in an empty name says that one is needed', async ({ startApp }) => {
  const { page } = await startWith(startApp, { GREETING: 'good day' })
  await grid(page).press('n')
  await expect(newName(page)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(newName(page)).toBeFocused()
  await expect(page.getByRole('alert')).toHaveText('A variable name can’t be empty.')
  await page.keyboard.type('DB_PASSWORD=s3cret pass')
  await expect(newName(page)).toHaveValue('DB_PASSWORD')
  await expect(newValue(page)).toHaveValue('s3cret pass')
  await page.keyboard.press('Enter')
  await expectValue(page, 'DB_PASSWORD', 's3cret pass')
})

test('Tab goes on from a name to its value, and round within the editor of a value', async ({ startApp }) => {
  const { page } = await startWith(startApp, { GREETING: 'good day', LOG_LEVEL: 'info' })
  await rowOf(page, 'GREETING').getByText('GREETING', { exact: true }).dblclick()
  await page.getByRole('textbox', { name: 'Name of GREETING' }).fill('WELCOME')
  await page.keyboard.press('Tab')
  const field = page.getByRole('textbox', { name: 'Value of WELCOME' })
  await expect(field).toBeFocused()
  await expect(field).toHaveValue('good day')
  await page.keyboard.press('Shift+Tab')
  await expect(page.getByTestId('editor').getByRole('button').last()).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(field).toBeFocused()
  await page.keyboard.press('Escape')
  await rowOf(page, 'WELCOME').getByText('WELCOME', { exact: true }).dblclick()
  await page.getByRole('textbox', { name: 'Name of WELCOME' }).fill('HELLO')
  await page.keyboard.press('Shift+Tab')
  await expect(rowOf(page, 'HELLO')).toBeVisible()
  await expect(grid(page)).toBeFocused()
})

test('a variable is not offered to itself, and a value with references is copied resolved from what is said of its copy', async ({
  startApp,
  driver,
}) => {
  const app = await startWith(startApp, { HOST: 'db.local', URL: 'https://${HOST}/v1', PORT: '80' })
  const { page } = app
  await rowOf(page, 'URL').getByTestId('value-cell').dblclick()
  const field = page.getByRole('textbox', { name: 'Value of URL' })
  await field.fill('')
  await field.pressSequentially('${')
  await expect(page.getByRole('option', { name: 'HOST' })).toBeVisible()
  await expect(page.getByRole('option', { name: 'URL' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(grid(page)).toBeFocused()

  await holdToasts(page)
  await rowOf(page, 'URL').getByTestId('value-cell').click()
  await page.keyboard.press('ControlOrMeta+c')
  await page.locator('.toast').getByRole('button', { name: 'Copy resolved' }).click()
  await expect(page.locator('.toast')).toContainText('Copied URL, resolved')
  expect(await readClipboard(app, driver)).toBe('https://db.local/v1')
})

test('the line below the table says why a value does not fit its type, as it says of references', async ({ startApp }) => {
  const { page } = await startWith(startApp, { GREETING: 'good day', PORT: '80' })
  await rowOf(page, 'PORT').getByTestId('value-cell').click()
  await rowOf(page, 'PORT').getByRole('button', { name: 'Type of PORT' }).click()
  await page.getByRole('menuitemradio', { name: 'number' }).click()
  await expect(grid(page)).toBeFocused()
  await rowOf(page, 'PORT').getByTestId('value-cell').dblclick()
  await page.getByRole('textbox', { name: 'Value of PORT' }).fill('eighty')
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('peek')).toHaveText('This isn’t a number. Edit it, or change the type to string.')
})

test('variables in sight are deleted at once, each delete with its Undo', async ({ startApp }) => {
  const { page } = await startWith(startApp, { A: '1', B: '2', C: '3' })
  await holdToasts(page)
  await rowOf(page, 'A').getByTestId('value-cell').click()
  await page.keyboard.press('Delete')
  await expect(page.locator('.toast')).toContainText('Deleted A')
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
  await expectCount(page, 2)
  await expect(grid(page)).toBeFocused()
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Delete')
  await expect(page.locator('.toast')).toContainText('Deleted 2 variables')
  await expectCount(page, 0)
  await page.locator('.toast').getByRole('button', { name: 'Undo' }).click()
  await expectCount(page, 2)
  await page.keyboard.press('ControlOrMeta+z')
  await expectValue(page, 'A', '1')
})

test('Esc leads back from the steps of the first run', async ({ app }) => {
  const { page } = app
  for (const way of ['Start a local workspace', 'Connect to a service']) {
    await page.getByRole('button', { name: way }).click()
    const field = page.getByLabel('Passphrase', { exact: true })
    await expect(field).toBeFocused()
    await field.fill('half composed')
    // Esc that ends the composition of a character is no step back.
    await page.evaluate(() =>
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, isComposing: true })),
    )
    await expect(field).toHaveValue('half composed')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('heading', { name: 'Welcome to Holdfast' })).toBeVisible()
  }
})

test('New environment in the menu of a project opens the field for its name', async ({ startApp }) => {
  const { page } = await startWith(startApp, { GREETING: 'good day' })
  await page.getByRole('treeitem', { name: /^Fernweh/ }).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'New environment' }).click()
  const field = page.getByLabel('New environment name')
  await expect(field).toBeFocused()
  await field.fill('Staging')
  await field.press('Enter')
  await expect(page.getByRole('treeitem', { name: /^Staging/ })).toBeVisible()
})

test('the sample says why it can’t be locked', async ({ app }) => {
  const { page } = app
  await page.getByRole('button', { name: 'Look around' }).click()
  await expect(page.getByTestId('variables-grid')).toBeFocused()
  await page.keyboard.press('ControlOrMeta+Shift+l')
  await expect(page.locator('.toast')).toContainText('kept for this session only, so Holdfast can’t lock them')
})

test('the line at the foot says the keys of what has the keyboard, in the sidebar and the filter too, and what the filter leaves out', async ({
  startApp,
}) => {
  const { page } = await startWith(startApp, { GREETING: 'good ${PORT}', PORT: '80' })
  const foot = page.locator('main footer')
  await expect(page.getByTestId('peek')).toHaveText('= good 80')
  // In the line of a new variable no row is marked whose value it could be.
  await grid(page).press('n')
  await expect(foot).toContainText('next')
  await expect(page.getByTestId('peek')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(page.getByTestId('peek')).toHaveText('= good 80')
  await page.keyboard.press('ArrowDown')
  await expect(foot).toContainText('reveal')
  // Enter edits the cell that the keyboard is on, first the value, and the line and the menu say which.
  await expect(foot).toContainText('edit')
  await page.keyboard.press('ArrowLeft')
  await expect(foot).toContainText('rename')
  await rowOf(page, 'PORT').getByText('PORT', { exact: true }).click({ button: 'right' })
  await expect(page.getByRole('menuitem', { name: 'Rename' })).toContainText('Enter')
  await expect(page.getByRole('menuitem', { name: 'Edit value' })).not.toContainText('Enter')
  await page.keyboard.press('Escape')
  await page.keyboard.press('ArrowRight')
  await expect(foot).toContainText('edit')
  await page.keyboard.press('ArrowRight')
  await expect(foot).toContainText('change type')
  await expect(foot).not.toContainText('reveal')
  await page.keyboard.press('End')
  await expect(foot).toContainText('copy')
  await expect(foot).not.toContainText('Enter')
  // Whatever column the keyboard was on: in what a filter finds, Enter edits the value.
  await page.keyboard.press('/')
  await page.keyboard.type('POR')
  await expect(grid(page)).toHaveAttribute('data-filter', 'POR')
  await page.keyboard.press('Enter')
  await expect(grid(page)).toHaveAttribute('aria-activedescendant', 'cell-0-value')
  await expect(foot).toContainText('edit')
  await page.getByRole('treeitem', { name: /^Production/ }).focus()
  await expect(foot).toContainText('delete environment')
  await expect(foot).not.toContainText('reveal')
  await page.keyboard.press('ArrowUp')
  await expect(foot).toContainText('delete project')
  await page.getByLabel('Filter variables').fill('port')
  await expect(foot).toContainText('1 of 2 variables')
  await expect(foot).toContainText('to the list')
  await expect(foot).not.toContainText('delete')
  await page.keyboard.press('ArrowDown')
  await expect(foot).toContainText('copy')
})

test('an empty environment is filled from another one, whose variables are offered there and in the sidebar', async ({ startApp }) => {
  const { page } = await startApp('holdfast', {
    workspace: { projects: { Fernweh: { Development: { GREETING: 'good day', PORT: '80' }, Production: {} } } },
  })
  await page.getByRole('button', { name: 'Copy from another environment…' }).click()
  await expect(page.getByTestId('fill-dialog').getByRole('radio', { name: /^From Development/ })).toBeChecked()
  await page.getByRole('button', { name: 'Copy 2 variables' }).click()
  await expectCount(page, 2)
  await page.getByRole('treeitem', { name: /^Production/ }).click({ button: 'right' })
  await expect(page.getByRole('menuitem', { name: 'Copy from another environment…' })).toBeVisible()
})

test('F on a missing cell fills it, or asks from where; two side by side keep their order and the active cell its environment', async ({
  startApp,
}) => {
  const { page } = await startApp('holdfast', {
    workspace: {
      projects: {
        Fernweh: {
          Development: { ONE: 'same', TWO: 'dev' },
          Production: { TWO: 'prod' },
          Staging: { ONE: 'same' },
        },
      },
    },
  })
  await openComparison(page, 'Fernweh')
  const compare = page.getByTestId('compare-grid')
  await cellOf(page, 'ONE', 'Production').click()
  await expect(compare).toBeFocused()
  await page.keyboard.press('f')
  await expect(cellOf(page, 'ONE', 'Production')).toHaveAttribute('data-state', 'same')
  await cellOf(page, 'TWO', 'Staging').click()
  await page.keyboard.press('f')
  await page.getByRole('menuitem', { name: 'Production' }).click()
  await expect(cellOf(page, 'TWO', 'Staging')).not.toHaveAttribute('data-state', 'missing')

  await cellOf(page, 'TWO', 'Production').click()
  await page.keyboard.press('s')
  await expect(page.getByTestId('compare-column')).toHaveCount(2)
  expect(await page.getByTestId('compare-column').evaluateAll((heads) => heads.map((head) => head.getAttribute('data-name')))).toEqual([
    'Development',
    'Production',
  ])
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: 'Value of TWO' })).toHaveValue('prod')
})

test('what was discarded is restored where it was typed, though another environment is open', async ({ startApp }) => {
  const { page } = await startApp('holdfast', {
    workspace: { projects: { Fernweh: { Development: { PORT: '80' }, Production: { GREETING: 'good day' } } } },
  })
  await holdToasts(page)
  await rowOf(page, 'GREETING').getByTestId('value-cell').dblclick()
  await page.getByRole('textbox', { name: 'Value of GREETING' }).fill('good evening')
  await page.keyboard.press('Escape')
  await page.getByRole('treeitem', { name: /^Development/ }).click()
  await expect(rowOf(page, 'PORT')).toBeVisible()
  await page.locator('.toast').getByRole('button', { name: 'Restore' }).click()
  await expect(page.getByRole('textbox', { name: 'Value of GREETING' })).toHaveValue('good evening')
})

test('a preview whose secrets are hidden says that what is copied is not', async ({ startApp }) => {
  const { page } = await startWith(startApp, { API_TOKEN: 'hunter2', PORT: '80' })
  await page.getByRole('button', { name: 'More for this environment' }).click()
  await page.getByRole('menuitem', { name: 'Export or copy as…' }).click()
  const dialog = page.getByTestId('export-dialog')
  await expect(dialog.getByText('Secrets are hidden in this preview only.')).toBeVisible()
  await dialog.getByRole('checkbox', { name: 'Show secrets' }).click()
  await expect(dialog.getByText('Secrets are hidden in this preview only.')).toHaveCount(0)
})

test('a role that was given is said with the way back, Ctrl+End goes to the last member, and an invitation leads to the key', async ({
  startApp,
  service,
}) => {
  for (const email of ['ada@example.com', 'zoe@example.com'])
    expect((await service.ask('POST', '/members', { email, roleId: 'editor' })).status).toBe(201)
  const { page } = await startApp('holdfast', { workspace: { service, projects: { Fernweh: { Production: {} } } } })
  await expectSync(page, 'synced')
  await holdToasts(page)
  await page
    .getByTestId('variables-grid')
    .or(page.getByRole('button', { name: 'Type the first one' }))
    .first()
    .focus()
  await page.keyboard.press('m')
  await expect(page.getByTestId('members-grid')).toBeFocused()
  await page.keyboard.press('Control+End')
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: /^Viewer/ }).click()
  const toast = page.locator('.toast')
  await expect(toast).toContainText('zoe@example.com is now Viewer')
  await expectSync(page, 'synced')
  await toast.getByRole('button', { name: 'Undo' }).click()
  await expect(toast).toContainText('zoe@example.com is now Editor')

  await page.keyboard.press('i')
  await page.keyboard.type('new@example.com')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Invited new@example.com. Holdfast doesn’t email them.')).toBeVisible()
  await page.getByRole('button', { name: 'Show the workspace key' }).click()
  await expect(page.getByRole('dialog').getByRole('heading', { name: /key/ })).toBeVisible()
  await page.keyboard.press('Escape')
  // Esc leaves the form from any of its fields.
  await page.getByRole('button', { name: 'Show the workspace key' }).press('Escape')
  await expect(page.getByTestId('members-grid')).toBeFocused()
  await expect(page.getByText('Invited new@example.com.')).toHaveCount(0)
})

test('one conflict after another is decided from the list, which stays closed after the last', async ({ startApp, service }) => {
  const names = ['A_1', 'A_2']
  const { mine, theirs } = await shareRows(startApp, service, names)
  await changeBoth(mine, theirs, service, ...names)
  const { page } = mine
  await grid(page).focus()
  await page.keyboard.press('q')
  await expect(page.getByTestId('conflict-glance')).toHaveAttribute('data-seen', 'true')
  await page.keyboard.press('Enter')
  const review = page.getByTestId('conflict-review')
  await expect(review).toContainText('Nothing changes until you choose.')
  const keep = () =>
    expect(async () => {
      // A key before the two sides have been in sight for a moment decides nothing.
      await page.keyboard.press('m')
      await expect(review).toHaveCount(0, { timeout: 2000 })
    }).toPass({ timeout: 60_000 })
  await keep()
  await expect(page.getByRole('grid', { name: 'Unsent changes' })).toBeFocused()
  await expect(page.locator('[data-testid="queue-row"][data-state="conflict"]')).toHaveCount(1)
  await page.keyboard.press('Enter')
  await expect(review).toBeVisible()
  await keep()
  await expectSync(page, 'synced')
  await expect(page.getByTestId('queue-panel')).toHaveCount(0)
})

test('a click on another cell saves the open editor in sight, and Esc in the table cancels it', async ({ startApp }) => {
  const { page } = await startWith(startApp, { HOST: 'db', PORT: '80' })
  const value = (name: string) => rowOf(page, name).getByTestId('value-cell')
  const field = page.getByRole('textbox', { name: 'Value of PORT' })
  await value('PORT').dblclick()
  await field.fill('81')
  await value('HOST').click()
  await expect(field).toHaveCount(0)
  await expect(value('PORT')).toHaveText('81')
  await expect(grid(page)).toBeFocused()

  await value('PORT').dblclick()
  await field.fill('wrong')
  await grid(page).focus()
  await page.keyboard.press('Escape')
  await expect(field).toHaveCount(0)
  await expect(value('PORT')).toHaveText('81')
  await page.locator('.toast').getByRole('button', { name: 'Restore' }).click()
  await expect(field).toHaveValue('wrong')
  // Enter on its own row leads back into it.
  await grid(page).focus()
  await page.keyboard.press('Enter')
  await expect(field).toBeFocused()
})

test('a click away from a name that is refused leaves the keys to the table', async ({ startApp }) => {
  const { page } = await startWith(startApp, { HOST: 'db', PORT: '80' })
  await rowOf(page, 'PORT').getByText('PORT', { exact: true }).dblclick()
  await page.getByRole('textbox', { name: 'Name of PORT' }).fill('HOST')
  await rowOf(page, 'HOST').getByTestId('value-cell').click()
  await expect(page.getByTestId('editor').getByRole('alert')).toContainText('HOST already exists here.')
  await expect(page.locator('.over[inert]')).toHaveCount(0)
  await page.keyboard.press('ArrowLeft')
  await expect(grid(page)).toHaveAttribute('aria-activedescendant', 'cell-0-name')
  await expect(grid(page)).toBeFocused()
})

test('a click on another cell of the comparison saves the open editor, and Esc in the table cancels it', async ({ startApp }) => {
  const { page } = await startApp('holdfast', {
    workspace: { projects: { Fernweh: { Development: { PORT: '80' }, Production: { PORT: '443' } } } },
  })
  await openComparison(page, 'Fernweh')
  const field = page.getByRole('textbox', { name: 'Value of PORT' })
  await cellOf(page, 'PORT', 'Production').dblclick()
  await field.fill('444')
  await cellOf(page, 'PORT', 'Development').click()
  await expect(field).toHaveCount(0)
  await expect(cellOf(page, 'PORT', 'Production')).toContainText('444')
  await cellOf(page, 'PORT', 'Production').dblclick()
  await field.fill('wrong')
  await page.getByTestId('compare-grid').focus()
  await page.keyboard.press('Escape')
  await expect(field).toHaveCount(0)
  await expect(cellOf(page, 'PORT', 'Production')).toContainText('444')
})

test('what was discarded in the comparison is restored there, though it was left', async ({ startApp }) => {
  const { page } = await startApp('holdfast', {
    workspace: { projects: { Fernweh: { Development: { PORT: '80' }, Production: { PORT: '443' } } } },
  })
  await holdToasts(page)
  await openComparison(page, 'Fernweh')
  await cellOf(page, 'PORT', 'Production').dblclick()
  const field = page.getByRole('textbox', { name: 'Value of PORT' })
  await field.fill('444')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(page.getByTestId('compare-grid')).toHaveCount(0)
  await page.locator('.toast').getByRole('button', { name: 'Restore' }).click()
  await expect(field).toHaveValue('444')
  await expect(field).toBeFocused()
})

test('what is added out of the filter says so, and Esc among the actions of selected rows clears the selection', async ({ startApp }) => {
  const { page } = await startWith(startApp, { HOST: 'db', PORT: '80' })
  await holdToasts(page)
  await page.getByLabel('Filter variables').fill('HOST')
  await expect(grid(page)).toHaveAttribute('data-filter', 'HOST')
  await newName(page).fill('ZED')
  await newValue(page).fill('1')
  await page.keyboard.press('Enter')
  const toast = page.locator('.toast')
  await expect(toast).toContainText('Added ZED, which the filter hides')
  await toast.getByRole('button', { name: 'Show' }).click()
  await expect(rowOf(page, 'ZED')).toBeVisible()

  await rowOf(page, 'ZED').getByTestId('value-cell').click()
  await page.keyboard.press('Shift+ArrowUp')
  await page.getByRole('toolbar').getByRole('button', { name: 'Copy to…' }).focus()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('toolbar')).toHaveCount(0)
  await expect(grid(page)).toBeFocused()
})

test('a version that is saved offline is not said to be saved', async ({ startApp }) => {
  const { page } = await startWith(startApp, { PORT: '80' })
  await page.keyboard.press('q')
  await page.getByTestId('queue-panel').getByRole('button', { name: 'Pause' }).click()
  await page.keyboard.press('Escape')
  await holdToasts(page)
  await page.keyboard.press('ControlOrMeta+s')
  await expect(page.getByTestId('save-version')).toContainText('saved once you resume')
  await page.keyboard.type('before')
  await page.keyboard.press('Enter')
  await expect(page.locator('.toast')).toContainText(/“before” of Production.* once you resume/)
  // Of one that waits, the line at the foot offers what can be done with it.
  await page.keyboard.press('v')
  await expect(page.getByRole('region', { name: 'Versions of Production' })).toContainText('before')
  await expect(page.locator('main footer')).toContainText('discard')
  await expect(page.locator('main footer')).not.toContainText('roll back')
})

test('a toast that says when a version will be saved goes once that is so', async ({ startApp }) => {
  const { page } = await startWith(startApp, { PORT: '80' })
  await openQueue(page)
  await page.getByTestId('queue-panel').getByRole('button', { name: 'Pause' }).click()
  await closeQueue(page)
  await holdToasts(page)
  await page.keyboard.press('ControlOrMeta+s')
  await page.getByTestId('save-version').getByRole('textbox').first().press('Enter')
  const toast = page.locator('.toast').filter({ hasText: 'once you resume' })
  await expect(toast).toBeVisible()
  await openQueue(page)
  await page.getByTestId('queue-panel').getByRole('button', { name: 'Resume' }).click()
  await expect(toast).toBeHidden()
})

test('the Undo of a toast goes once it can no longer undo what the toast says', async ({ startApp }) => {
  const { page } = await startWith(startApp, { A: '1', B: '2' })
  await holdToasts(page)
  await rowOf(page, 'A').getByTestId('value-cell').click()
  await page.keyboard.press('Delete')
  const toast = page.locator('.toast')
  await expect(toast.getByRole('button', { name: 'Undo' })).toBeVisible()
  await editVariable(page, 'B', '3')
  await expect(toast).toContainText('Deleted A')
  await expect(toast.getByRole('button', { name: 'Undo' })).toHaveCount(0)
})

test('whoever goes back to a text that can’t be read stands on the line that is wrong', async ({ startApp }) => {
  const { page } = await startWith(startApp, { GREETING: 'good day' })
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  const dialog = page.getByTestId('import-dialog')
  const good = Array.from({ length: 29 }, (_, at) => `KEY_${at}: ${at}`)
  await setCode(dialog.getByLabel('Text to import'), [...good, 'bad: : x', 'LAST: 1'].join('\n'))
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await expect(dialog).toContainText('on line 30')
  await dialog.getByRole('button', { name: 'Back to the text' }).click()
  await expect(dialog.getByLabel('Text to import')).toBeFocused()
  await expect(dialog.getByText('bad: : x')).toBeInViewport()
  expect(await page.evaluate(() => getSelection()?.toString())).toBe('bad: : x')
})

test('a short project leaves no gap in the path, and a long name makes no toast of four lines', async ({ startApp }) => {
  const { page } = await startApp('holdfast', { workspace: { projects: { Api: { 'a-very-long-environment-name-nobody-reads': {} } } } })
  // Text that is measured before its font has come changes its width.
  await page.evaluate(async () => void (await document.fonts.ready))
  const [name, slash] = ['Api', '/'].map((text) => page.getByRole('heading', { level: 1 }).getByText(text, { exact: true }))
  const [nameBox, slashBox] = [await name?.boundingBox(), await slash?.boundingBox()]
  const textWidth = await name?.evaluate((element) => {
    const range = document.createRange()
    range.selectNodeContents(element)
    return range.getBoundingClientRect().width
  })
  expect((slashBox?.x ?? 0) - (nameBox?.x ?? 0)).toBeCloseTo(textWidth ?? 0, 0)

  await holdToasts(page)
  const long = 'LONG_'.repeat(38)
  await newName(page).fill(long)
  await page.keyboard.press('Enter')
  await newValue(page).fill('1')
  await page.keyboard.press('Enter')
  const toast = page.locator('.toast')
  await expect(toast).toContainText('Added LONG_')
  expect((await toast.boundingBox())?.height).toBeLessThan(50)
  await rowOf(page, long).getByTestId('value-cell').dblclick()
  await expect(page.getByRole('textbox', { name: 'Value of LONG_' })).toBeFocused()
  await expect(toast.getByRole('button', { name: 'Dismiss' })).toBeInViewport({ ratio: 1 })
})

test('the list of what was deleted is asked for again after the service was away', async ({ startApp, service }) => {
  const { page } = await startApp('holdfast', { workspace: { service, projects: { Fernweh: { Production: { PORT: '80' } } } } })
  await expectSync(page, 'synced')
  await service.stop()
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox', { name: /^Find a command/ }).fill('restore deleted')
  await page.keyboard.press('Enter')
  const dialog = page.getByTestId('deleted-dialog')
  await expect(dialog.getByRole('button', { name: 'Try again' })).toBeVisible()
  // The focus stays on it while it fails.
  await dialog.getByRole('button', { name: 'Try again' }).press('Enter')
  await expect(dialog.getByRole('button', { name: 'Try again' })).toBeFocused()
  await service.start()
  await page.keyboard.press('Enter')
  await expect(dialog).toContainText('No deleted project or environment to restore.')
  await expect(dialog.getByRole('button', { name: 'Try again' })).toHaveCount(0)
})

test('a copy begins at another environment of the same project, and Enter takes what has the keyboard', async ({ startApp }) => {
  const { page } = await startApp('holdfast', {
    workspace: { projects: { Aurora: { Live: {} }, Fernweh: { Staging: {}, Production: { PORT: '80' } } } },
  })
  await rowOf(page, 'PORT').getByTestId('value-cell').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Copy to…' }).click()
  const staging = page.getByRole('dialog').getByRole('radio', { name: 'Staging' })
  await expect(staging).toBeChecked()
  await expect(staging).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.locator('.toast')).toContainText('Copied 1 variable to Staging')

  // One selected row is called by its name, and is known to exist there.
  await page.keyboard.press('ControlOrMeta+a')
  await page.getByRole('toolbar').getByRole('button', { name: 'Copy to…' }).click()
  await expect(page.getByRole('dialog', { name: 'Copy PORT to' })).toContainText('PORT exists in Staging')
})

test('an unsent change says what was and what is now, a secret once it is revealed', async ({ startApp, driver }) => {
  const { page } = await startWith(startApp, { DEBUG: 'true', API_TOKEN: 'old-token' })
  await expectSync(page, 'synced')
  await openQueue(page)
  const panel = page.getByTestId('queue-panel')
  await panel.getByRole('button', { name: 'Pause' }).click()
  await expectSync(page, 'paused')
  await closeQueue(page)
  await editVariable(page, 'DEBUG', 'false')
  await editVariable(page, 'API_TOKEN', 'new-token')

  await openQueue(page)
  const fields = page.getByTestId('queued-fields')
  await expect(panel.getByTestId('queue-row')).toHaveCount(2)
  await panel.getByRole('grid').press('Home')
  await expect(fields).toHaveText(/Value\s*true\s*is now\s*false/)
  await expect(fields.getByRole('button')).toHaveCount(0)
  await page.keyboard.press('ArrowDown')
  await expect(fields).toHaveText(/Value\s*•+\s*is now\s*•+/)
  await photograph(page, driver, '71-unsent-change')
  await page.keyboard.press('Space')
  await expect(fields).toHaveText(/old-token\s*is now\s*new-token/)
  // Another row hides them again.
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowDown')
  await expect(fields).toHaveText(/•/)

  await page.keyboard.press('Enter')
  const dialog = page.getByTestId('change-dialog')
  await expect(dialog.getByTestId('queued-fields')).toHaveText(/•+\s*is now\s*•+/)
  await dialog.getByRole('button', { name: 'Reveal values' }).click()
  await expect(dialog).toContainText('old-token')
  await expect(dialog).toContainText('new-token')
  await photograph(page, driver, '72-unsent-change-open')
})

test('a workspace is renamed in the settings, and by the palette, for everyone', async ({ startApp, service, driver }) => {
  const mine = await startApp('mine', { workspace: { service, projects: { Fernweh: { Production: { GREETING: 'hello' } } } } })
  const { page } = mine
  await expectSync(page, 'synced')
  const theirs = await startApp('theirs', { workspace: { service, key: mine.workspaceKey } })
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('rename workspace')
  await page.getByRole('option', { name: 'Rename workspace…' }).click()
  const settings = page.getByTestId('settings-dialog')
  const field = settings.getByLabel('Workspace name')
  await expect(field).toBeFocused()
  await expect(settings.getByRole('button', { name: 'Rename' })).toBeDisabled()
  await photograph(page, driver, '73-workspace-name')
  await field.fill('')
  await field.press('Enter')
  await expect(settings.getByRole('alert')).toHaveText('Enter a name.')
  await field.fill('Platform')
  await field.press('Enter')
  await expect(page.locator('.toast')).toContainText('Renamed to Platform')
  await expect(field).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: /^Workspace Platform/ })).toBeVisible()
  await syncNow(theirs.page)
  await expect(theirs.page.getByRole('button', { name: /^Workspace Platform/ })).toBeVisible()
})

test('a row is deleted with what is typed in it, and undo brings both back', async ({ startApp }) => {
  const { page } = await startWith(startApp, { A: '1', B: '2' })
  await rowOf(page, 'A').getByText('A', { exact: true }).dblclick()
  await page.getByRole('textbox', { name: 'Name of A' }).fill('A_TYPED')
  await rowOf(page, 'A').getByRole('button', { name: 'Delete A' }).click()
  await expectCount(page, 1)
  await expect(page.getByTestId('editor')).toHaveCount(0)
  await expect(page.getByText('was deleted while you were editing')).toHaveCount(0)
  await page.keyboard.press('ControlOrMeta+z')
  await expectValue(page, 'A_TYPED', '1')
})

test('a long line that is pasted is shown at its end, where the caret is', async ({ startApp }) => {
  const { page } = await startApp('holdfast', { workspace: { projects: { Fernweh: { Production: {} } } } })
  await page.getByLabel('New variable name').fill('LONG')
  const value = page.getByRole('textbox', { name: 'New variable value' })
  await value.focus()
  // The font of values is loaded for the first of them; its arrival would wrap the pasted line anew.
  await page.evaluate(async () => {
    await document.fonts.ready
  })
  await paste(value, 'x'.repeat(20_000))
  await expect(value).toHaveValue(/x{20000}/)
  expect(await value.evaluate((area) => area.scrollHeight - area.clientHeight - area.scrollTop)).toBeLessThan(40)
})

test('an undo says where it was, and what can’t be undone is named', async ({ startApp }) => {
  const { page } = await startApp('holdfast', { workspace: { projects: { Fernweh: { Production: { A: '1' }, Staging: { B: '2' } } } } })
  await holdToasts(page)
  const open = async (name: string) => {
    await page.getByRole('treeitem', { name: new RegExp(`^${name}`) }).click()
    await expect(page.getByRole('heading', { level: 1 })).toContainText(name)
  }
  await open('Production')
  await editVariable(page, 'A', '10')
  await grid(page).press('ControlOrMeta+z')
  await expect(page.locator('.toast')).toContainText('Undone: Change A')
  await page.keyboard.press('ControlOrMeta+Shift+z')
  await expect(page.locator('.toast')).toContainText('Redone: Change A')
  await open('Staging')
  await page.keyboard.press('ControlOrMeta+z')
  await expect(page.locator('.toast')).toContainText('Undone: Change A in Fernweh / Production')

  // A version that was saved in it keeps an environment from being undone.
  await page.getByRole('treeitem', { name: /^Fernweh/ }).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'New environment' }).click()
  await page.getByLabel('New environment name').fill('Scratch')
  await page.getByLabel('New environment name').press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Scratch')
  await page.keyboard.press('Escape')
  await page.keyboard.press('ControlOrMeta+s')
  await page.getByTestId('save-version').getByLabel('Label').press('Enter')
  await expect(page.getByText('Saved a version of Scratch')).toBeVisible()
  await expectSync(page, 'synced')
  await grid(page)
    .or(page.getByRole('button', { name: 'Type the first one' }))
    .first()
    .focus()
  for (const edit of ['Save a version', 'Create Scratch']) {
    await page.keyboard.press('ControlOrMeta+z')
    await expect(page.locator('.toast').filter({ hasText: `Can’t undo “${edit}”.` })).toBeVisible()
  }
})

test('a workspace that only this computer has invites nobody, and says why', async ({ startApp }) => {
  const { page } = await startWith(startApp, { A: '1' })
  await grid(page).press('m')
  await expect(page.getByTestId('members-grid')).toBeFocused()
  await expect(page.getByTestId('member-row').getByText('you', { exact: true })).toBeVisible()
  await expect(page.getByText('Only this computer has this workspace, so nobody else can join it.')).toBeVisible()
  await expect(page.getByLabel('Email to invite')).toHaveCount(0)
  await expect(page.locator('main footer')).not.toContainText('invite')
})

test('a broken reference in the comparison leads to the value to mend', async ({ startApp }) => {
  const production = { HOST: '${DOMAIN}', URL: 'https://${HOST}' }
  const { page } = await startApp('holdfast', { workspace: { projects: { Fernweh: { Production: production, Staging: {} } } } })
  await openComparison(page, 'Fernweh')
  await cellOf(page, 'URL', 'Production').click()
  await page.getByTestId('peek').getByRole('button', { name: 'HOST › DOMAIN isn’t defined in this environment.' }).click()
  await expect(page.getByRole('textbox', { name: 'Value of HOST' })).toBeFocused()
})
