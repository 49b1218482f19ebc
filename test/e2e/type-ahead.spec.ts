import { expect, test } from './fixtures.ts'
import { cellOf, openComparison } from './steps/compare.ts'
import { lateAnswers } from './steps/late-answers.ts'
import { holdToasts } from './steps/hold-toasts.ts'
import { paste } from './steps/paste.ts'
import { expectSync } from './steps/sync.ts'
import { expectCount, rowOf } from './steps/variables.ts'

const lateMs = 400

test('keys typed in the table faster than it saves and opens its fields reach the fields they are meant for', async ({ startApp }) => {
  const { page } = await startApp('holdfast', {
    workspace: { projects: { Fernweh: { Production: { A_HOST: 'one', B_PORT: 'two', C_PATH: 'three' } } } },
  })
  const beLate = await lateAnswers(page, lateMs)
  await expectCount(page, 3)
  const grid = page.getByTestId('variables-grid')
  await grid.focus()
  beLate()
  // Not one of these waits for the screen.
  for (const typed of ['first', 'cvt', 'third']) {
    await page.keyboard.press('Enter')
    await page.keyboard.type(typed)
    await page.keyboard.press('Enter')
    await page.keyboard.press('ArrowDown')
  }
  await expect(rowOf(page, 'C_PATH').getByTestId('value-cell')).toHaveText('third')
  await expect(rowOf(page, 'A_HOST').getByTestId('value-cell')).toHaveText('first')
  await expect(rowOf(page, 'B_PORT').getByTestId('value-cell')).toHaveText('cvt')
  await expect(page.getByTestId('editor')).toHaveCount(0)
  await expect(grid).toBeFocused()
})

test('keys typed after a value was saved do not go into its field, and those of a name that is refused come back to it', async ({
  startApp,
}) => {
  const { page } = await startApp('holdfast', {
    workspace: { projects: { Fernweh: { Production: { A_HOST: 'one', B_PORT: 'two', C_PATH: 'three' } } } },
  })
  const beLate = await lateAnswers(page, lateMs)
  await expectCount(page, 3)
  const grid = page.getByTestId('variables-grid')
  await grid.focus()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Enter')
  const name = page.getByRole('textbox', { name: 'Name of A_HOST' })
  await expect(name).toBeFocused()
  await page.keyboard.type('B_PORT')
  beLate()
  await page.keyboard.press('Enter')
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('alert')).toContainText('B_PORT')
  await expect(name).toBeFocused()
  await expect(name).toHaveValue('B_PORT')
  await page.keyboard.press('Escape')
  await expect(grid).toBeFocused()
})

test('keys typed in the comparison faster than it saves and opens its cells reach the cells they are meant for', async ({ startApp }) => {
  const values = { A_HOST: 'one', B_PORT: 'two', C_PATH: 'three' }
  const { page } = await startApp('holdfast', { workspace: { projects: { Fernweh: { Production: values, Staging: values } } } })
  const beLate = await lateAnswers(page, lateMs)
  await openComparison(page, 'Fernweh')
  const grid = page.getByTestId('compare-grid')
  await expect(grid).toHaveAttribute('aria-rowcount', '4')
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('ArrowRight')
  beLate()
  for (const typed of ['first', 's12', 'third']) {
    await page.keyboard.press('Enter')
    await page.keyboard.type(typed)
    await page.keyboard.press('Enter')
    await page.keyboard.press('ArrowDown')
  }
  await expect(cellOf(page, 'C_PATH', 'Production')).toContainText('third')
  await expect(cellOf(page, 'A_HOST', 'Production')).toContainText('first')
  await expect(cellOf(page, 'B_PORT', 'Production')).toContainText('s12')
  await expect(page.getByTestId('editor')).toHaveCount(0)
  await expect(grid).toBeFocused()
})

test('what is typed right after a paste goes with the pasted text, in the table and in the comparison', async ({ startApp }) => {
  const { page } = await startApp('holdfast', {
    workspace: { projects: { Fernweh: { Production: { A_HOST: 'one' }, Staging: { A_HOST: 'one' } } } },
  })
  const beLate = await lateAnswers(page, lateMs)
  await expectCount(page, 1)
  const grid = page.getByTestId('variables-grid')
  await grid.focus()
  beLate()
  await paste(grid, 'pasted')
  await page.keyboard.type('-1')
  await page.keyboard.press('Enter')
  await expect(rowOf(page, 'A_HOST').getByTestId('value-cell')).toHaveText('pasted-1')

  await openComparison(page, 'Fernweh')
  const cells = page.getByTestId('compare-grid')
  await expect(cells).toHaveAttribute('aria-rowcount', '2')
  await cellOf(page, 'A_HOST', 'Staging').click()
  await paste(cells, 'pasted')
  await page.keyboard.type('-2')
  await page.keyboard.press('Enter')
  await expect(cellOf(page, 'A_HOST', 'Staging')).toContainText('pasted-2')
})

test('keys typed after Tab in a name go into its value, and Esc after Enter discards nothing that is being saved', async ({ startApp }) => {
  const { page } = await startApp('holdfast', { workspace: { projects: { Fernweh: { Production: { HOST: 'db', PORT: '80' } } } } })
  const beLate = await lateAnswers(page, lateMs)
  await expectCount(page, 2)
  await holdToasts(page)
  const grid = page.getByTestId('variables-grid')
  await grid.focus()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: 'Name of HOST' })).toBeFocused()
  await page.keyboard.type('DOMAIN')
  beLate()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Backspace')
  await page.keyboard.type('new')
  await expect(page.getByRole('textbox', { name: 'Value of DOMAIN' })).toHaveValue('new')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await expect(rowOf(page, 'DOMAIN').getByTestId('value-cell')).toHaveText('new')
  await expect(page.locator('.toast')).toHaveCount(0)
  await expectCount(page, 2)
})

test('a delete that is answered late leaves the focus where the user has put it', async ({ startApp }) => {
  const { page } = await startApp('holdfast', { workspace: { projects: { Fernweh: { Production: { HOST: 'db', PORT: '80' } } } } })
  const beLate = await lateAnswers(page, lateMs)
  await expectCount(page, 2)
  await holdToasts(page)
  await page.getByTestId('variables-grid').focus()
  beLate()
  await page.keyboard.press('Delete')
  const name = page.getByLabel('New variable name')
  await name.click()
  await expect(page.locator('.toast')).toContainText('Deleted HOST')
  await expectCount(page, 1)
  await expect(name).toBeFocused()
})

test('keys pressed in a table before it has rows are for the rows that come', async ({ startApp }) => {
  const { page } = await startApp('holdfast', {
    workspace: { projects: { Fernweh: { Staging: { A_HOST: 'one', B_PORT: 'two', C_PATH: 'three' }, Production: { A_HOST: 'one' } } } },
  })
  const beLate = await lateAnswers(page, lateMs)
  await expectCount(page, 1)
  await page.getByTestId('variables-grid').focus()
  beLate()
  await page.getByRole('treeitem', { name: /^Staging/ }).click()
  await page.getByTestId('variables-grid').focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: 'Value of C_PATH' })).toBeFocused()
})

test('a text pasted in a table before it has rows is for the row that comes', async ({ startApp }) => {
  const values = { A_HOST: 'one', B_PORT: 'two' }
  const { page } = await startApp('holdfast', { workspace: { projects: { Fernweh: { Staging: values, Production: { A_HOST: 'one' } } } } })
  const beLate = await lateAnswers(page, lateMs)
  await expectCount(page, 1)
  const grid = page.getByTestId('variables-grid')
  await grid.focus()
  beLate()
  await page.getByRole('treeitem', { name: /^Staging/ }).click()
  await grid.focus()
  await page.keyboard.press('ArrowDown')
  await paste(grid, 'pasted')
  await expect(page.getByRole('textbox', { name: 'Value of B_PORT' })).toHaveValue('pasted')
})

for (const [has, projects] of [
  ['an environment', { Fernweh: { Production: { A_HOST: 'one' } } }],
  ['nothing yet', {}],
] as const)
  test(`a key that is pressed while the first screen loads is heard by a workspace that has ${has}`, async ({ startApp, service }) => {
    const { page } = await startApp('holdfast', { workspace: { service, projects } })
    const beLate = await lateAnswers(page, lateMs)
    await expectSync(page, 'synced')
    beLate()
    await page.reload()
    await page.getByRole('button').first().waitFor()
    await page.keyboard.press('m')
    await expect(page.getByLabel('Email to invite')).toBeVisible()
  })

test('a command that is picked in the workspace menu while the first screen loads is run', async ({ startApp, service }) => {
  const { page } = await startApp('holdfast', { workspace: { service } })
  const beLate = await lateAnswers(page, 3 * lateMs)
  await expectSync(page, 'synced')
  beLate()
  await page.reload()
  await page.getByRole('button', { name: /^Workspace / }).click()
  await page.getByRole('menuitem', { name: 'Members and roles' }).click()
  await expect(page.getByLabel('Email to invite')).toBeVisible()
})

test('keys pressed while the window goes to a variable count from that one', async ({ startApp }) => {
  const values = { A_HOST: 'one', B_PORT: 'two', C_PATH: 'three' }
  const { page } = await startApp('holdfast', { workspace: { projects: { Fernweh: { Staging: values, Production: { A_HOST: 'one' } } } } })
  const beLate = await lateAnswers(page, lateMs)
  await expectCount(page, 1)
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('B_PORT')
  await expect(page.getByTestId('palette-option').filter({ hasText: 'B_PORT' })).toHaveAttribute('aria-selected', 'true')
  beLate()
  await page.keyboard.press('Enter')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: 'Value of C_PATH' })).toBeFocused()
})

test('the keys of a text field that are pressed before it opens do nothing to the table', async ({ startApp }) => {
  const { page } = await startApp('holdfast', {
    workspace: { projects: { Fernweh: { Production: { A_HOST: 'one', B_PORT: 'two' } } } },
  })
  const beLate = await lateAnswers(page, lateMs)
  await expectCount(page, 2)
  await page.getByTestId('variables-grid').focus()
  beLate()
  await page.keyboard.press('Enter')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('new')
  await expect(page.getByRole('textbox', { name: 'Value of A_HOST' })).toBeFocused()
  await expect(page.getByText('selected')).toHaveCount(0)
  await expect(page.getByRole('textbox', { name: 'Value of A_HOST' })).toHaveValue('new')
})

test('keys typed for a field that is left before it opens do nothing where its user has gone on to', async ({ startApp }) => {
  const { page } = await startApp('holdfast', {
    workspace: { projects: { Fernweh: { Production: { A_HOST: 'one' }, Staging: { A_HOST: 'three', B_PORT: 'four' } } } },
  })
  const beLate = await lateAnswers(page, lateMs)
  await page.getByRole('treeitem', { name: /Production/ }).click()
  await expectCount(page, 1)
  const grid = page.getByTestId('variables-grid')
  await grid.focus()
  beLate()
  await page.keyboard.press('Enter')
  await page.keyboard.type('12')
  // One digit was wrong. In the sidebar, this key would ask whether to delete an environment.
  await page.keyboard.press('Backspace')
  await page.getByRole('treeitem', { name: /Staging/ }).click()
  await expect(rowOf(page, 'A_HOST').getByTestId('value-cell')).toHaveText('three')
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
  await grid.focus()
  await page.keyboard.press('Enter')
  await page.keyboard.type('12')
  await page.keyboard.press('ControlOrMeta+k')
  const field = page.getByRole('combobox', { name: 'Find a command, project, environment or variable' })
  await expect(field).toBeFocused()
  await page.keyboard.type('B_PORT')
  await expect(page.getByRole('option', { name: /B_PORT/ })).toBeVisible()
  await expect(field).toHaveValue('B_PORT')
  await expect(page.getByTestId('editor')).toHaveCount(0)
})

test('the menu that a key asks for in the comparison is of the cell it was pressed on, though its user has gone on', async ({
  startApp,
}) => {
  const both = { B_PORT: 'same' }
  const projects = { Fernweh: { Development: both, Production: { A_HOST: 'one', ...both }, Staging: { A_HOST: 'two', ...both } } }
  const { page } = await startApp('holdfast', { workspace: { projects } })
  const beLate = await lateAnswers(page, lateMs)
  await openComparison(page, 'Fernweh')
  await cellOf(page, 'A_HOST', 'Development').click()
  beLate()
  // No two agree on a value for this cell, so the key asks.
  await page.keyboard.press('f')
  await page.keyboard.press('ArrowDown')
  await page.getByRole('menuitem', { name: 'Staging' }).click()
  await expect(cellOf(page, 'A_HOST', 'Development')).toContainText('two')
})

test('a version is saved, and said to be, though Escape is pressed while it is being saved', async ({ startApp }) => {
  const { page } = await startApp('holdfast', { workspace: { projects: { Fernweh: { Production: { A_HOST: 'one' } } } } })
  const beLate = await lateAnswers(page, lateMs)
  await expectCount(page, 1)
  await holdToasts(page)
  const grid = page.getByTestId('variables-grid')
  await grid.focus()
  await page.keyboard.press('ControlOrMeta+s')
  await expect(page.getByTestId('save-version').getByLabel('Label')).toBeFocused()
  beLate()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await expect(page.locator('.toast')).toContainText('a version of Production')
  await expect(grid).toBeFocused()
})

test('a copy is made, and can be undone, though Escape is pressed while it is being made', async ({ startApp }) => {
  const { page } = await startApp('holdfast', {
    workspace: { projects: { Fernweh: { Staging: {}, Production: { A_HOST: 'one' } } } },
  })
  const beLate = await lateAnswers(page, lateMs)
  await expectCount(page, 1)
  await holdToasts(page)
  await page.getByTestId('variables-grid').focus()
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menuitem', { name: 'Copy to…' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('radio', { name: /^Staging/ })).toBeFocused()
  beLate()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await expect(page.locator('.toast')).toContainText('Copied 1 variable to Staging')
  await expect(page.locator('.toast').getByRole('button', { name: 'Undo' })).toBeVisible()
  await expect(dialog).toHaveCount(0)
})
