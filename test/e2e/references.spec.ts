import { expect, test } from './fixtures.ts'
import { holdToasts } from './steps/hold-toasts.ts'
import { photograph } from './steps/photograph.ts'
import { addVariable, clearFilter, editVariable, expectEdited, expectValue, findVariable, rowOf } from './steps/variables.ts'

/** Two environments; the second, in view, refers to the first and to itself. */
const workspace = {
  projects: { Fernweh: { Staging: { PORT: '8443' }, Production: { HOST: 'shop.example', HOST_TOKEN: 'sentinel-token' } } },
}
test.use({ workspace })

test('references are offered while they are typed, and shown put together', async ({ app, driver }) => {
  const { page } = app

  // In the line of a new variable: the keyboard picks, and the rest is closed.
  const name = page.getByLabel('New variable name')
  const value = page.getByRole('textbox', { name: 'New variable value' })
  const list = page.getByRole('listbox', { name: 'Variables to refer to' })
  await name.fill('URL')
  await value.pressSequentially('https://${HO')
  await expect(list.getByRole('option')).toHaveCount(2)
  await expect(list.getByRole('option', { selected: true })).toContainText('HOST')
  await photograph(page, driver, 'references-offered')
  await value.press('Enter')
  await expect(value).toHaveValue('https://${HOST}')
  await value.pressSequentially(':${staging.')
  // The lists for what was typed on the way here have others first.
  await expect(list.getByRole('option')).toHaveCount(1)
  await expect(list.getByRole('option', { selected: true })).toContainText('staging.PORT')
  await value.press('Tab')
  await expect(value).toHaveValue('https://${HOST}:${staging.PORT}')
  await expect(page.getByTestId('resolved')).toContainText('https://shop.example:8443')
  await value.press('Enter')
  await expect(name).toHaveValue('')
  await expect(name).toBeFocused()

  // The stored value stays as typed; put together, it is shown where somebody stands on it.
  await expectValue(page, 'URL', 'https://${HOST}:${staging.PORT}')
  await findVariable(page, 'URL')
  await page.getByTestId('variables-grid').focus()
  await expect(page.getByTestId('peek')).toHaveText('= https://shop.example:8443')

  // A secret that is put in stays hidden until it is asked for; the large editor offers the same.
  await clearFilter(page)
  await rowOf(page, 'HOST').getByTestId('value-cell').dblclick()
  const field = page.getByRole('textbox', { name: 'Value of HOST' })
  await field.fill('x')
  await page.getByRole('button', { name: 'Large editor' }).click()
  const large = page.locator('.cm-content')
  await expect(large).toBeFocused()
  await large.press('Control+A')
  await page.keyboard.type('${HOST_')
  await expect(page.getByRole('option', { selected: true })).toContainText('HOST_TOKEN')
  await photograph(page, driver, 'references-large')
  await large.press('Enter')
  await expect(large).toHaveText('${HOST_TOKEN}')
  const resolved = page.getByTestId('resolved')
  await expect(resolved).toContainText('Contains a secret.')
  await expect(page.getByText('sentinel-token')).toHaveCount(0)
  await resolved.getByRole('button', { name: 'Show' }).click()
  await expect(resolved).toContainText('sentinel-token')
  await page.keyboard.press('Escape')
  await expectEdited(page, large)

  // An export carries what it comes to, or what is typed.
  await page.getByRole('button', { name: 'More for this environment' }).click()
  await page.getByRole('menuitem', { name: 'Export or copy as…' }).click()
  const dialog = page.getByTestId('export-dialog')
  const preview = dialog.getByRole('region', { name: 'Preview' })
  await expect(dialog.getByRole('checkbox', { name: 'Resolve references' })).toBeChecked()
  await dialog.getByRole('checkbox', { name: 'Show secrets' }).click()
  await expect(preview).toContainText('https://shop.example:8443')
  await expect(preview).not.toContainText('${HOST}')
  await dialog.getByRole('checkbox', { name: 'Resolve references' }).click()
  await expect(preview).toContainText('${HOST}:${staging.PORT}')
})

test('a reference that leads nowhere or back to itself is flagged while it is typed, on its row, and left out of an export', async ({
  app,
}) => {
  const { page } = app
  await addVariable(page, 'URL', 'https://${HOST}')
  await addVariable(page, 'odd.name', 'for no shell')
  const row = await findVariable(page, 'HOST')
  await row.getByTestId('value-cell').dblclick()
  const field = page.getByRole('textbox', { name: 'Value of HOST' })
  await field.fill('${NOWHERE}')
  await expect(page.getByTestId('resolved')).toContainText('NOWHERE isn’t defined in this environment.')
  await field.fill('${URL}')
  await expect(page.getByTestId('resolved')).toContainText('refers back to itself')
  await field.press('Enter')
  await expectEdited(page, field)
  await clearFilter(page)
  for (const name of ['HOST', 'URL']) {
    await expect(rowOf(page, name).getByLabel('refers back to itself')).toBeVisible()
  }
  await page.getByRole('button', { name: 'More for this environment' }).click()
  await page.getByRole('menuitem', { name: 'Export or copy as…' }).click()
  const dialog = page.getByTestId('export-dialog')
  await expect(dialog.getByRole('list', { name: 'Left out' }).getByRole('listitem')).toHaveText([
    'HOST: It refers to URL › HOST, which refers back to itself.',
    'URL: It refers to HOST › URL, which refers back to itself.',
  ])
  // Before any advice: in a low window the rest is below the fold.
  await expect(dialog.getByRole('status').first()).toContainText('2 variables left out')
  await expect(dialog.getByRole('status').last()).toContainText('odd.name')
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await expect(dialog).toHaveCount(0)

  await editVariable(page, 'HOST', '${NOWHERE}')
  await expect(rowOf(page, 'HOST').getByLabel('refers to a variable that isn’t defined')).toBeVisible()
  await expect(rowOf(page, 'URL').getByLabel('refers to a variable that isn’t defined')).toBeVisible()
  await editVariable(page, 'HOST', 'shop.example')
  await expect(page.getByRole('img', { name: /^This value refers to/ })).toHaveCount(0)
})

test('a rename says how many variables still refer to the former name, and updates them from there', async ({ app }) => {
  const { page } = app
  await holdToasts(page)
  await addVariable(page, 'URL', 'https://${HOST}')
  await addVariable(page, 'BROKEN', '${NOWHERE}')
  // Its row moves the others.
  await expect(rowOf(page, 'BROKEN')).toBeVisible()
  await expect(rowOf(page, 'URL')).toBeVisible()
  const rename = async (from: string, to: string) => {
    await rowOf(page, from).getByText(from, { exact: true }).dblclick()
    const field = page.getByRole('textbox', { name: `Name of ${from}` })
    await field.fill(to)
    await field.press('Enter')
    await expectEdited(page, field)
    await expect(rowOf(page, to)).toBeVisible()
  }
  await rename('HOST', 'DB_HOST')
  await expect(page.getByText('1 variable still refers to HOST', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Update it', exact: true }).click()
  await expect(page.getByText('Updated URL to refer to DB_HOST', { exact: true })).toBeVisible()
  await expectValue(page, 'URL', 'https://${DB_HOST}')

  // Several of them are one step of undo with the renaming.
  await addVariable(page, 'LINK', 'https://${DB_HOST}/login')
  await expect(rowOf(page, 'LINK')).toBeVisible()
  await rename('DB_HOST', 'SHOP_HOST')
  await page.getByRole('button', { name: 'Update them', exact: true }).click()
  await page.getByText('Updated 2 variables to refer to SHOP_HOST').locator('..').getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Undone: Rename DB_HOST to SHOP_HOST and its references')).toBeVisible()
  await expectValue(page, 'DB_HOST', 'shop.example')
  await expectValue(page, 'URL', 'https://${DB_HOST}')
  await expectValue(page, 'LINK', 'https://${DB_HOST}/login')

  await rename('HOST_TOKEN', 'SHOP_TOKEN')
  await expect(page.getByText('still refer')).toHaveCount(0)

  // The other environment names this one by its slug.
  const place = (name: string) => page.getByRole('treeitem', { name: new RegExp(`^${name}`) })
  await place('Staging').click()
  await addVariable(page, 'FAR', 'https://${production.DB_HOST}')
  await place('Production').click()
  await rename('DB_HOST', 'HOST')
  await expect(page.getByText('3 variables still refer to DB_HOST, 1 from other environments', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Update them', exact: true }).click()
  await expect(page.getByText('Updated 3 variables to refer to HOST')).toBeVisible()
  await place('Staging').click()
  await expectValue(page, 'FAR', 'https://${production.HOST}')
})

test('suggestions stand under the name that is typed, in the field and below its line', async ({ app }) => {
  const { page } = app
  await rowOf(page, 'HOST').getByTestId('value-cell').dblclick()
  const field = page.getByRole('textbox', { name: 'Value of HOST' })
  await field.fill('https://a-rather-long-host-name.example.com/')
  await field.pressSequentially('${')
  const list = page.getByRole('listbox', { name: 'Variables to refer to' })
  await expect(list).toBeVisible()
  const [box, at] = [await field.boundingBox(), await list.boundingBox()]
  expect(at?.x ?? 0).toBeGreaterThan((box?.x ?? 0) + 200)
  expect((at?.x ?? 0) + (at?.width ?? 0)).toBeLessThanOrEqual((box?.x ?? 0) + (box?.width ?? 0))
  expect(at?.y ?? 0).toBeGreaterThan(box?.y ?? 0)
})
