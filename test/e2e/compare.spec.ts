import { expect, test } from './fixtures.ts'
import { holdToasts } from './steps/hold-toasts.ts'
import { askForComparison, cellOf, countsOf, openComparison } from './steps/compare.ts'
import { expectAccessible } from './steps/expect-accessible.ts'
import { expectBelow, expectOver } from './steps/expect-over.ts'
import { expectZoomable } from './steps/expect-zoomable.ts'
import { keepPicture } from './steps/keep-picture.ts'
import { lockAndUnlock } from './steps/keys.ts'
import { paste } from './steps/paste.ts'
import { photograph } from './steps/photograph.ts'
import { expectSync } from './steps/sync.ts'
import { expectCount, rowOf } from './steps/variables.ts'

test('environments are compared, edited and made alike in one table, by keyboard', async ({ app, driver }) => {
  const { page } = app
  await page.getByRole('button', { name: 'Look around' }).click()
  await expectSync(page, 'synced')
  await openComparison(page, 'Web shop')
  const grid = page.getByTestId('compare-grid')
  await expect(grid).toHaveAttribute('aria-rowcount', '15')
  await keepPicture(page, driver, '8-compare-1280x800-light')

  await expectAccessible(page, 'comparison')

  // Who agrees is seen without a value being shown, secret or not.
  await expect(cellOf(page, 'PORT', 'Development')).toHaveAttribute('data-mark', '1')
  await expect(cellOf(page, 'PORT', 'Production')).toHaveAttribute('data-mark', '0')
  await expect(cellOf(page, 'PORT', 'Staging')).toHaveAttribute('data-mark', '0')
  // Where no two agree, none is marked as what most have; no mark is a letter, and what is missing is no fainter than what is there.
  for (const environment of ['Development', 'Production', 'Staging'])
    await expect(cellOf(page, 'LOG_LEVEL', environment)).toHaveAttribute('data-state', 'different')
  await expect(countsOf(page, 'Development')).toContainText('8 differ')
  expect((await grid.locator('.mark').allTextContents()).join('')).not.toMatch(/[A-Z]/)
  await expect(cellOf(page, 'SENTRY_DSN', 'Development').getByText('missing', { exact: true }).last()).toHaveCSS('font-weight', '550')
  const secret = cellOf(page, 'DATABASE_URL', 'Production')
  await expect(secret.getByRole('img', { name: 'Hidden value' })).toBeVisible()
  await expect(cellOf(page, 'SENTRY_DSN', 'Development')).toHaveAttribute('data-state', 'missing')
  await expect(countsOf(page, 'Development')).toContainText('1 missing')

  // A version is saved from here too: of the environment of the active cell.
  await cellOf(page, 'PORT', 'Staging').click()
  await page.keyboard.press('ControlOrMeta+s')
  await expect(page.getByTestId('save-version').getByRole('heading', { name: 'Save a version of Staging' })).toBeVisible()
  await page.keyboard.type('before the copy')
  await page.keyboard.press('Enter')
  await expect(page.getByText(/^Saved .*“before the copy” of Staging/)).toBeVisible()
  await expect(grid).toBeFocused()

  // A secret is shown when it is asked for, and only that one. As in a spreadsheet, to click the active cell again edits nothing.
  await secret.click()
  await secret.click()
  await expect(grid).toBeFocused()
  await page.keyboard.press('Space')
  await expect(secret).toContainText('postgres')
  await expect(cellOf(page, 'DATABASE_URL', 'Staging').getByRole('img', { name: 'Hidden value' })).toBeVisible()

  // What is missing is created in its cell.
  const counted = page.locator('main footer').getByRole('status').first()
  await expect(counted).toHaveText('14 variables')
  await page.keyboard.press('3')
  await expect(grid).toHaveAttribute('aria-rowcount', '3')
  await expect(counted).toHaveText('2 of 14 variables')
  await grid.focus()
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: 'Value of SENTRY_DSN' }).fill('https://dsn.dev.example')
  await page.keyboard.press('Enter')
  await expect(grid).toHaveAttribute('aria-rowcount', '2')
  await expect(grid).toBeFocused()
  await expect(countsOf(page, 'Development')).not.toContainText('missing')

  // A value is copied to where it is missing, and taken back.
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('ArrowRight')
  await holdToasts(page)
  await page.keyboard.press('f')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(cellOf(page, 'MAIL_CATCHER_PORT', 'Production')).toHaveAttribute('data-state', 'missing')
  // The undo is through when the table has the keyboard again.
  await expect(grid).toBeFocused()
  await grid.press('f')
  await expect(page.getByText('Nothing is missing')).toBeVisible()
  await expectAccessible(page, 'comparison without rows')
  await grid.press('Control+z')
  await expect(grid).toHaveAttribute('aria-rowcount', '2')
  await expect(cellOf(page, 'MAIL_CATCHER_PORT', 'Production')).toHaveAttribute('data-state', 'missing')

  // All environments get one value, after a question, as two others are replaced.
  await page.keyboard.press('1')
  await page.getByLabel('Filter comparison').fill('LOG_LEVEL')
  await expect(grid).toHaveAttribute('aria-rowcount', '2')
  await cellOf(page, 'LOG_LEVEL', 'Production').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'All environments' }).click()
  await expect(page.getByRole('alertdialog')).toContainText('Development, Staging')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Replace' }).click()
  await expect(cellOf(page, 'LOG_LEVEL', 'Development')).toContainText('warn')
  await expect(cellOf(page, 'LOG_LEVEL', 'Staging')).not.toHaveAttribute('data-mark')
  await page.getByLabel('Filter comparison').fill('')

  await expectSync(page, 'synced')
  await grid.focus()
  await page.keyboard.press('Escape')
  await expect(page.getByTestId('variables-grid')).toBeFocused()
})

test('two environments stand side by side, and follow what is edited', async ({ app, driver }) => {
  const { page } = app
  await page.getByRole('button', { name: 'Look around' }).click()
  await expect(page.getByTestId('variables-grid')).toBeVisible()
  await openComparison(page, 'Web shop')
  await page.keyboard.press('s')
  await page.getByLabel('Left environment').selectOption('Production')
  await page.getByLabel('Right environment').selectOption('Staging')
  await page.getByRole('radio', { name: 'Differences' }).click()
  await expect(page.getByTestId('compare-column')).toHaveCount(2)
  await expect(cellOf(page, 'LOG_LEVEL', 'Production')).toContainText('warn')
  // Both have the same port: what differs elsewhere is of no interest to these two.
  await expect(page.locator('[data-testid="compare-row"][data-name="PORT"]')).toHaveCount(0)
  await expectAccessible(page, 'side by side')
  await keepPicture(page, driver, '9-side-by-side-1280x800-light')

  await cellOf(page, 'LOG_LEVEL', 'Staging').dblclick()
  await page.getByRole('textbox', { name: 'Value of LOG_LEVEL' }).fill('warn')
  await page.getByRole('textbox', { name: 'Value of LOG_LEVEL' }).press('Enter')
  await expect(page.locator('[data-testid="compare-row"][data-name="LOG_LEVEL"]')).toHaveCount(0)
  await page.getByRole('radio', { name: 'All' }).click()
  await expect(cellOf(page, 'LOG_LEVEL', 'Staging')).toContainText('warn')

  // The environment of the active cell as a text, with a look at the changes before they are saved.
  const grid = page.getByTestId('compare-grid')
  await grid.press('t')
  const dialog = page.getByRole('dialog', { name: 'Web shop / Staging as text' })
  await dialog.getByRole('button', { name: 'Show text' }).press('Enter')
  const text = dialog.getByRole('textbox', { name: 'Variables as text' })
  await expect(text).toBeFocused()
  await text.press('ControlOrMeta+End')
  await page.keyboard.insertText('TYPED_AS_TEXT=so it is\n')
  await dialog.getByRole('button', { name: 'Review changes' }).click()
  await expect(dialog.getByTestId('text-change')).toHaveCount(1)
  await dialog.getByRole('button', { name: 'Save 1 change' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(grid).toBeFocused()

  await page.getByLabel('Filter comparison').fill('TYPED_AS_TEXT')
  await expect(cellOf(page, 'TYPED_AS_TEXT', 'Staging')).toContainText('so it is')
  await page.getByLabel('Filter comparison').fill('NOTHING_LIKE_THIS')
  await expect(page.getByText('No results for')).toBeVisible()
  await expectZoomable(page, 'side by side without rows', null)
})

test('some environments are chosen, an unsent change is looked at, and a whole row is revealed', async ({ startApp, service }) => {
  const { page } = await startApp('holdfast', {
    workspace: { service, projects: { Fernweh: { Production: {}, Preview: {}, Staging: { API_TOKEN: 'staging secret' } } } },
  })
  await expectSync(page, 'synced')
  await openComparison(page, 'Fernweh')
  const columns = page.getByTestId('compare-column')
  await expect(columns).toHaveCount(3)
  await expect(countsOf(page, 'Preview')).toHaveText('1 missing')

  // Into the others, by keyboard.
  await cellOf(page, 'API_TOKEN', 'Staging').click()
  await page.keyboard.press('f')
  await expect(cellOf(page, 'API_TOKEN', 'Preview')).toHaveAttribute('data-state', 'same')
  await page.getByTestId('compare-grid').focus()
  await page.keyboard.press('Shift+Space')
  for (const environment of ['Preview', 'Production', 'Staging'])
    await expect(cellOf(page, 'API_TOKEN', environment)).toContainText('staging secret')
  await page.keyboard.press('Shift+Space')
  await expect(cellOf(page, 'API_TOKEN', 'Preview')).not.toContainText('staging secret')
  await expectSync(page, 'synced')

  // Two of three: what is missing in the third is of no interest.
  await page.getByRole('button', { name: 'Environments', exact: true }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Staging' }).click()
  await expect(columns).toHaveCount(2)
  await expect(page.getByRole('menuitemcheckbox', { name: 'Preview' })).toHaveAttribute('aria-disabled', 'true')
  await expectAccessible(page, 'chosen environments')
  await page.getByRole('menuitem', { name: 'All environments' }).click()
  await expect(columns).toHaveCount(3)
  await page.keyboard.press('Escape')

  // What waits says why, and opens.
  await service.stop()
  await cellOf(page, 'API_TOKEN', 'Preview').dblclick()
  const field = page.getByRole('textbox', { name: 'Value of API_TOKEN' })
  await field.fill('another')
  await field.press('Enter')
  await expect(field).toBeHidden()
  await expect(page.getByTestId('compare-grid')).toBeFocused()
  await expect(cellOf(page, 'API_TOKEN', 'Preview')).toHaveAttribute('data-state', 'different')
  await expect(countsOf(page, 'Preview')).toHaveText('1 differs')
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menuitem', { name: /^Show the unsent change/ }).click()
  await expect(page.getByRole('dialog')).toContainText('API_TOKEN')
  await page.keyboard.press('Escape')
  await expect(page.getByTestId('compare-grid')).toBeFocused()
})

const cells = [
  { what: 'a value', environment: 'Staging', label: 'Value of GREETING', was: 'hello' },
  { what: 'a missing value', environment: 'Preview', label: 'Value of GREETING', was: '' },
] as const
for (const { what, environment, label, was } of cells) {
  test(`${what} that is being typed in a cell outlives the palette, a look elsewhere and a lock`, async ({ startApp }) => {
    const { page } = await startApp('holdfast', {
      workspace: {
        projects: {
          Fernweh: { Africa: {}, Asia: {}, Europe: {}, India: {}, Oceania: {}, Preview: {}, Staging: { GREETING: 'hello' } },
        },
      },
    })
    await page.setViewportSize({ width: 900, height: 600 })
    await openComparison(page, 'Fernweh')
    await expect(page.getByTestId('compare-grid')).toHaveAttribute('aria-rowcount', '2')
    await page.keyboard.press('ControlOrMeta+End')
    const field = page.getByRole('textbox', { name: label })
    await cellOf(page, 'GREETING', environment).dblclick()
    await expect(field).toBeFocused()
    await expect(field).toHaveValue(was)
    await field.fill('half typed')

    await page.keyboard.press('ControlOrMeta+k')
    await expect(page.getByRole('combobox', { name: /^Find a command/ })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(page.getByTestId('palette')).toHaveCount(0)
    await expect(field).toBeFocused()

    // Another screen and back: the editor is open over its cell, and takes the keys.
    await page.locator('[data-testid="environment-item"][data-name="Africa"]').click()
    await expect(page.getByTestId('variables-grid')).toBeVisible()
    await askForComparison(page, 'Fernweh')
    await expect(field).toBeFocused()
    await expect(field).toHaveValue('half typed')
    const column = page.locator(`[data-testid="compare-column"][data-name="${environment}"]`)
    await expect(column).toBeInViewport({ ratio: 0.9 })

    await lockAndUnlock(page)
    await expect(field).toBeFocused()
    await expect(field).toHaveValue('half typed')
    await field.press('End')
    await page.keyboard.type(', then saved')
    await page.keyboard.press('Enter')
    await expect(page.getByTestId('compare-grid')).toBeFocused()
    await expect(cellOf(page, 'GREETING', environment)).toContainText('half typed, then saved')
  })
}

test('an environment that is being edited as a text in the comparison is there again after a lock', async ({ startApp }) => {
  const { page } = await startApp('holdfast', {
    workspace: { projects: { Fernweh: { Production: { GREETING: 'hi' }, Staging: { GREETING: 'hello' } } } },
  })
  await openComparison(page, 'Fernweh')
  await cellOf(page, 'GREETING', 'Staging').click()
  await page.keyboard.press('t')
  const text = page.getByRole('dialog', { name: 'Fernweh / Staging as text' }).getByRole('textbox', { name: 'Variables as text' })
  await expect(text).toBeFocused()
  await page.keyboard.insertText('FLAG=true\n')
  await lockAndUnlock(page)
  await expect(text).toContainText('FLAG=true')
})

test('a cell that is being edited in a filtered comparison is found again in the whole one', async ({ startApp }) => {
  const names = Array.from({ length: 300 }, (_, at) => `NAME_${String(at).padStart(3, '0')}`)
  const text = names.map((name) => `${name}=1`).join('\n')
  const { page } = await startApp('holdfast', { workspace: { projects: { Fernweh: { Production: text, Staging: text } } } })
  await openComparison(page, 'Fernweh')
  await page.getByLabel('Filter comparison').fill('NAME_27')
  await expect(page.getByTestId('compare-grid')).toHaveAttribute('aria-rowcount', '11')
  await cellOf(page, 'NAME_275', 'Staging').dblclick()
  const field = page.getByRole('textbox', { name: 'Value of NAME_275' })
  await field.fill('half typed')

  await page.locator('[data-testid="environment-item"]').first().click()
  await expect(page.getByTestId('variables-grid')).toBeVisible()
  await askForComparison(page, 'Fernweh')
  await expect(field).toBeFocused()
  await expect(field).toHaveValue('half typed')
  // Over its own row, not over the one that has its place in the list without a filter.
  const row = page.locator('[data-testid="compare-row"][data-name="NAME_275"]')
  await expect(row).toBeInViewport()
  const places = await Promise.all([row.boundingBox(), field.boundingBox()])
  expect(Math.abs((places[0]?.y ?? 0) - (places[1]?.y ?? 1000))).toBeLessThan(20)
})

test('an editor whose row or environment isn’t compared names both, leaves the first row visible and keeps what is typed', async ({
  startApp,
  driver,
}) => {
  const projects = {
    Fernweh: {
      Development: { GREETING: 'same', PORT: '1' },
      Production: { GREETING: 'same', PORT: '2' },
      Staging: { GREETING: 'same', PORT: '3' },
    },
  }
  const { page } = await startApp('holdfast', { workspace: { projects } })
  await openComparison(page, 'Fernweh')
  await cellOf(page, 'GREETING', 'Production').dblclick()
  const field = page.getByRole('textbox', { name: 'Value of GREETING' })
  const editor = page.getByTestId('editor')
  await field.fill('half typed')
  const owner = page.getByText('Editing GREETING in Production', { exact: true })
  await expect(owner).toBeHidden()

  await page.getByRole('radio', { name: 'Differences' }).click()
  await expect(owner).toBeVisible()
  await expectBelow(editor, cellOf(page, 'PORT', 'Production'))
  await photograph(page, driver, 'compare-editor-of-hidden-row')
  await page.getByRole('radio', { name: 'All' }).click()
  await expect(owner).toBeHidden()
  await expectOver(editor, cellOf(page, 'GREETING', 'Production'))

  await page.getByRole('button', { name: 'Environments', exact: true }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Production' }).click()
  await page.keyboard.press('Escape')
  await expect(page.getByTestId('compare-column')).toHaveCount(2)
  await expect(owner).toBeVisible()
  await expectBelow(editor, cellOf(page, 'GREETING', 'Development'))
  await photograph(page, driver, 'compare-editor-of-hidden-environment')
  await page.getByRole('button', { name: '2 of 3' }).click()
  await page.getByRole('menuitem', { name: 'All environments' }).click()
  await expect(owner).toBeHidden()
  await expectOver(editor, cellOf(page, 'GREETING', 'Production'))
  await expect(field).toHaveValue('half typed')
  await field.press('Enter')
  await expect(cellOf(page, 'GREETING', 'Production')).toContainText('half typed')
  await expect(cellOf(page, 'GREETING', 'Development')).toContainText('same')
})

test('all variables that an environment is missing are copied there at once, and taken back at once', async ({ startApp, driver }) => {
  const names = Array.from({ length: 40 }, (_, at) => `NAME_${String(at).padStart(2, '0')}`)
  const text = names.map((name) => `${name}=1`).join('\n')
  const { page } = await startApp('holdfast', {
    workspace: { projects: { Fernweh: { Preview: { NAME_00: 'two', NAME_01: 'two' }, Production: text, Staging: { NAME_00: 'three' } } } },
  })
  await holdToasts(page)
  await openComparison(page, 'Fernweh')
  await expect(countsOf(page, 'Staging')).toContainText('39 missing')
  await cellOf(page, 'NAME_01', 'Staging').click()
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menuitem', { name: /^Copy all .* missing in Staging/ }).press('Enter')
  const dialog = page.getByTestId('fill-dialog')
  // Where most of it is comes first, and each name is told before it is copied.
  await expect(dialog.getByRole('radio', { checked: true })).toBeFocused()
  await expect(dialog.getByRole('radio').first()).toHaveAccessibleName(/Production/)
  await expect(dialog.getByRole('listitem')).toHaveText(names.slice(1))
  await expectAccessible(page, 'copy what is missing')
  await keepPicture(page, driver, '8-compare-fill')
  await page.keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)
  await expect(page.getByTestId('compare-grid')).toBeFocused()
  await expect(page.locator('.toast')).toContainText('39')
  await expect(page.locator('.toast')).toContainText('Production')
  await expect(countsOf(page, 'Staging')).not.toContainText('missing')
  await expect(cellOf(page, 'NAME_00', 'Staging')).toContainText('three')
  await page.keyboard.press('ControlOrMeta+z')
  await expect(countsOf(page, 'Staging')).toContainText('39 missing')
  // From the head too.
  await countsOf(page, 'Preview')
    .getByRole('button', { name: /^38 missing/ })
    .click()
  await dialog.getByRole('button', { name: 'Copy 38 variables' }).click()
  await expect(countsOf(page, 'Preview')).not.toContainText('missing')
})

test('a text that was copied is pasted into the cell that the keyboard is on, and saved from there', async ({ startApp }) => {
  const { page } = await startApp('holdfast', {
    workspace: { projects: { Fernweh: { Production: { HOST: 'db.example.com' }, Staging: { PORT: '80' } } } },
  })
  await openComparison(page, 'Fernweh')
  for (const name of ['HOST', 'PORT']) {
    await cellOf(page, name, 'Staging').click()
    await expect(page.getByTestId('compare-grid')).toBeFocused()
    await paste(page.getByTestId('compare-grid'), 'pasted')
    const field = page.getByRole('textbox', { name: `Value of ${name}` })
    await expect(field).toHaveValue('pasted')
    await field.press('Enter')
    await expect(cellOf(page, name, 'Staging')).toContainText('pasted')
    await expect(page.getByTestId('compare-grid')).toBeFocused()
  }
})

test('the comparison starts at the variable and in the environment that the table was left at', async ({ startApp }) => {
  const names = Array.from({ length: 300 }, (_, at) => `NAME_${`${at}`.padStart(3, '0')}`)
  const values = Object.fromEntries(names.map((name) => [name, name.toLowerCase()]))
  const { page } = await startApp('holdfast', {
    workspace: { projects: { Fernweh: { Alpha: { ...values, ALSO: 'here' }, Beta: values, Gamma: { ...values, URL: '${NAME_000}' } } } },
  })
  const table = page.getByTestId('variables-grid')
  const environment = page.locator('[data-testid="environment-item"][data-name="Gamma"]')
  await environment.click()
  await expectCount(page, 301)
  await table.focus()
  const startsAt = async (name: string) => {
    await page.keyboard.press('c')
    await expect(page.getByTestId('compare-grid')).toBeFocused()
    await expect(cellOf(page, name, 'Gamma')).toHaveClass(/active/)
    await page.keyboard.press('Escape')
    await expect(table).toBeFocused()
  }
  await page.keyboard.press('ArrowDown')
  await startsAt('NAME_001')
  await page.keyboard.press('Control+End')
  await expect(rowOf(page, 'URL')).toBeVisible()
  await page.keyboard.press('c')
  await expect(cellOf(page, 'URL', 'Gamma')).toHaveClass(/active/)
  // What is a reference looks like one here too.
  await expect(cellOf(page, 'URL', 'Gamma').locator('.reference')).toHaveText('${NAME_000}')
  await expect(page.getByTestId('peek')).toHaveText('= name_000')
})
