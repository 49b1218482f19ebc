import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { expectBelow, expectOver } from './steps/expect-over.ts'
import { holdToasts } from './steps/hold-toasts.ts'
import { keepPicture } from './steps/keep-picture.ts'
import { lockAndUnlock, unlock } from './steps/keys.ts'
import { paste } from './steps/paste.ts'
import { photograph } from './steps/photograph.ts'
import { addVariable, clearFilter, expectCount, expectEdited, expectValue, findVariable, rowOf } from './steps/variables.ts'

async function openEditor(page: Page, name: string): Promise<void> {
  const row = await findVariable(page, name)
  await row.getByTestId('value-cell').dblclick()
}

async function setType(page: Page, name: string, type: 'number' | 'boolean'): Promise<void> {
  const row = await findVariable(page, name)
  await row.getByRole('button', { name: `Type of ${name}` }).click()
  await page.getByRole('menuitemradio', { name: type }).click()
  await expect(row.getByRole('button', { name: `Type of ${name}: ${type}` })).toBeVisible()
}

test('a boolean is turned by a switch that keeps its spelling, and what is no boolean stays', async ({ startApp, driver }) => {
  const { page } = await startApp('holdfast', {
    workspace: { projects: { Fernweh: { Production: { CHECKOUT: 'True', SEARCH: 'yes please' } } } },
  })
  await setType(page, 'CHECKOUT', 'boolean')
  await setType(page, 'SEARCH', 'boolean')

  await openEditor(page, 'CHECKOUT')
  const turn = page.getByRole('switch', { name: 'Value of CHECKOUT' })
  await expect(turn).toBeFocused()
  await expect(turn).toBeChecked()
  await page.keyboard.press('Space')
  await expect(turn).not.toBeChecked()
  await photograph(page, driver, 'editor-switch')
  await page.keyboard.press('Enter')
  await expectEdited(page, turn)
  await expectValue(page, 'CHECKOUT', 'False')

  await openEditor(page, 'SEARCH')
  await expect(page.getByRole('textbox', { name: 'Value of SEARCH' })).toHaveValue('yes please')
  await expect(page.getByText('A boolean is true or false.')).toBeVisible()
  await photograph(page, driver, 'editor-no-boolean')
  await page.getByRole('button', { name: 'Set true' }).click()
  await expect(page.getByRole('switch', { name: 'Value of SEARCH' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expectEdited(page, page.getByRole('switch', { name: 'Value of SEARCH' }))
  await expectValue(page, 'SEARCH', 'yes please')

  // The table marks it too, and says why.
  const doubt = rowOf(page, 'SEARCH').getByRole('img', { name: 'A boolean is true or false. Edit it, or change the type to string.' })
  await doubt.hover()
  await expect(page.locator('.tip')).toHaveText(/^A boolean is true or false\./)
  await photograph(page, driver, 'table-with-a-doubtful-value')
  await expect(rowOf(page, 'CHECKOUT').getByTestId('value-cell').getByRole('img')).toHaveCount(0)
})

test('a number says how it is read while it is typed', async ({ startApp, driver }) => {
  const { page } = await startApp('holdfast', { workspace: { projects: { Fernweh: { Production: { WORKERS: '4' } } } } })
  await setType(page, 'WORKERS', 'number')
  await openEditor(page, 'WORKERS')
  const field = page.getByRole('textbox', { name: 'Value of WORKERS' })
  await field.fill('four')
  await expect(page.getByRole('status').getByText('This isn’t a number')).toBeVisible()
  await photograph(page, driver, 'editor-number')
  await field.fill('1e3')
  await expect(page.getByText('Programs may read this as 1000.')).toBeVisible()
  await field.press('Enter')
  await expectEdited(page, field)
  await expectValue(page, 'WORKERS', '1e3')
})

test('JSON is edited large, with its mistakes shown, and laid out anew only when asked', async ({ startApp, driver }) => {
  const { page } = await startApp('holdfast', {
    workspace: { projects: { Fernweh: { Production: { LIMITS: '{"free":{"seats":3,"price":1.10},"big":12345678901234567890}' } } } },
  })
  await openEditor(page, 'LIMITS')
  const field = page.getByRole('textbox', { name: 'Value of LIMITS' })
  await expect(field).toBeFocused()
  await page.getByRole('button', { name: 'Pretty' }).click()
  await expect(field).toContainText('"price": 1.10')
  await photograph(page, driver, 'editor-json')

  await page.keyboard.press('ControlOrMeta+End')
  await page.keyboard.type(',')
  await expect(page.getByText('The JSON ends before this. Remove the rest.').first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Pretty' })).toBeDisabled()
  await expect(page.locator('.cm-lintRange-error')).toBeVisible()
  await photograph(page, driver, 'editor-json-broken')
  await page.emulateMedia({ forcedColors: 'active' })
  await keepPicture(page, driver, 'editor-json-broken-forced-colors')
  await page.emulateMedia({ forcedColors: 'none' })
  await page.getByRole('button', { name: 'Go there' }).click()
  await page.keyboard.press('ControlOrMeta+End')
  await page.keyboard.press('Backspace')
  await page.getByRole('button', { name: 'Compact' }).click()
  await page.keyboard.press('Control+Enter')
  await expectEdited(page, field)
  await expectValue(page, 'LIMITS', '{"free":{"seats":3,"price":1.10},"big":12345678901234567890}')
})

test('several lines are edited in the large editor, and every character stays', async ({ startApp, driver }) => {
  const { page } = await startApp('holdfast', { workspace: { projects: { Fernweh: { Production: { CERTIFICATE: 'one\ntwo' } } } } })
  await openEditor(page, 'CERTIFICATE')
  const field = page.getByRole('textbox', { name: 'Value of CERTIFICATE' })
  await expect(field).toBeFocused()
  await page.keyboard.type('\nthree')
  await photograph(page, driver, 'editor-lines')
  await page.keyboard.press('Escape')
  // Offered for a few seconds only: taken first, looked at afterwards.
  await page.getByRole('button', { name: 'Restore' }).click()
  await expect(field).toBeFocused()
  await expect(field.locator('.cm-line')).toHaveText(['one', 'two', 'three'])
  await page.keyboard.press('Escape')
  await expectEdited(page, field)
  await expectValue(page, 'CERTIFICATE', 'one ¶ two')
  await openEditor(page, 'CERTIFICATE')
  await expect(field).toBeFocused()
  await page.keyboard.press('ControlOrMeta+End')
  await page.keyboard.type('\nthree')
  await expect(field.locator('.cm-line')).toHaveText(['one', 'two', 'three'])
  await page.keyboard.press('Control+Enter')
  await expectEdited(page, field)
  await expectValue(page, 'CERTIFICATE', 'one ¶ two ¶ three')
})

test('a name says what is wrong with it while it is typed', async ({ startApp, driver }) => {
  const { page } = await startApp('holdfast', { workspace: { projects: { Fernweh: { Production: { PORT: '80', HOST: 'shop' } } } } })
  await clearFilter(page)
  await rowOf(page, 'HOST').getByText('HOST', { exact: true }).dblclick()
  const field = page.getByRole('textbox', { name: 'Name of HOST' })
  await field.fill('PORT')
  await expect(page.getByText(/^PORT already exists here\./)).toBeVisible()
  await photograph(page, driver, 'editor-name-taken')
  await field.fill('MY-HOST')
  await expect(page.getByText('Not a valid shell variable name')).toBeVisible()
  await field.press('Enter')
  await expect(rowOf(page, 'MY-HOST')).toBeVisible()

  await page.getByLabel('New variable name').fill('PORT')
  await expect(page.getByText(/^PORT already exists here\./)).toBeVisible()
  await photograph(page, driver, 'adder-name-taken')
})

test('what is being typed is there again after the keys were locked: a value, and a whole environment', async ({ startApp, driver }) => {
  const { page } = await startApp('holdfast', { workspace: { projects: { Fernweh: { Production: { GREETING: 'hello' } } } } })
  await openEditor(page, 'GREETING')
  const field = page.getByRole('textbox', { name: 'Value of GREETING' })
  await field.fill('hello, half typed')
  await page.getByRole('button', { name: /^Workspace / }).click()
  await page.getByRole('menuitem', { name: 'Lock Holdfast' }).click()
  await expect(page.getByText('You locked Holdfast.')).toBeVisible()
  await unlock(page)
  await expect(field).toHaveValue('hello, half typed')
  await field.press('Enter')
  await expectEdited(page, field)
  await expectValue(page, 'GREETING', 'hello, half typed')

  await page.getByRole('button', { name: 'More for this environment' }).click()
  await page.getByRole('menuitem', { name: 'Edit as text…' }).click()
  const text = page.getByRole('textbox', { name: 'Variables as text' })
  await expect(text).toBeFocused()
  await page.keyboard.insertText('# a note\nexport FLAG=true\nURL="https://${GREETING}"\n')
  await photograph(page, driver, 'text-mode')
  // Escape asks before it drops anything.
  await page.keyboard.press('Escape')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Keep editing' }).click()
  await page.getByRole('button', { name: 'Review changes' }).click()
  await expect(page.getByTestId('text-change')).toHaveCount(2)
  await photograph(page, driver, 'text-mode-review')
})

test('what is being typed is there again after Holdfast has ended and started', async ({ startApp }) => {
  const app = await startApp('holdfast', { workspace: { projects: { Fernweh: { Production: { GREETING: 'hello' } } } } })
  await openEditor(app.page, 'GREETING')
  const field = () => app.page.getByRole('textbox', { name: 'Value of GREETING' })
  await field().fill('hello, half typed')
  // The palette's results come after the application has the text.
  await app.page.keyboard.press('ControlOrMeta+k')
  await app.page.keyboard.type('Fernweh')
  await expect(app.page.getByRole('option', { name: /Fernweh/ }).first()).toBeVisible()
  await app.restart()
  await unlock(app.page)
  await expect(field()).toHaveValue('hello, half typed')
  await field().press('Enter')
  await expectEdited(app.page, field())
  await expectValue(app.page, 'GREETING', 'hello, half typed')
})

const typing = [
  { where: 'a small editor', look: 'small', label: 'Value of GREETING', typed: 'hello, half typed' },
  { where: 'a large editor', look: 'large', label: 'Value of GREETING', typed: 'hello, half typed' },
  { where: 'the name of a new variable', look: 'adder', label: 'New variable name', typed: 'HALF_TYPED' },
] as const
for (const { where, look, label, typed } of typing) {
  test(`the palette opens and Holdfast locks from within ${where}, and what is typed stays`, async ({ startApp }) => {
    const { page } = await startApp('holdfast', { workspace: { projects: { Fernweh: { Production: { GREETING: 'hello' } } } } })
    const field = page.getByRole('textbox', { name: label })
    if (look !== 'adder') await openEditor(page, 'GREETING')
    await field.focus()
    if (look === 'large') {
      await page.getByRole('button', { name: 'Large editor' }).click()
      await expect(page.locator('.cm-content')).toBeFocused()
    }
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type(typed)
    await page.keyboard.press('ControlOrMeta+k')
    await expect(page.getByRole('combobox', { name: /^Find a command/ })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(page.getByTestId('palette')).toHaveCount(0)
    await expect(field).toBeFocused()
    await lockAndUnlock(page)
    await (look === 'large' ? expect(field).toHaveText(typed) : expect(field).toHaveValue(typed))
  })
}

test('what the window says in passing never lies over an open editor', async ({ startApp, driver }) => {
  const { page } = await startApp('holdfast', {
    workspace: {
      projects: {
        Fernweh: { Production: Array.from({ length: 30 }, (_, n) => `ROW_${String(n).padStart(2, '0')}=value ${n}`).join('\n') },
      },
    },
  })
  await expectCount(page, 30)
  await page.setViewportSize({ width: 900, height: 600 })

  await holdToasts(page)
  // From the first row in view to the last one, whose editor has its foot at the foot of the window.
  for (const name of ['ROW_00', 'ROW_06', 'ROW_29']) {
    if (name === 'ROW_29') await page.getByTestId('variables-grid').press('ControlOrMeta+End')
    await rowOf(page, name).getByTestId('value-cell').dblclick()
    const field = page.getByRole('textbox', { name: `Value of ${name}` })
    await expect(field).toBeFocused()
    const other = name === 'ROW_29' ? 'ROW_27' : 'ROW_04'
    const copy = rowOf(page, other).getByRole('button', { name: `Copy value of ${other}` })
    await expect(async () => {
      await rowOf(page, other).hover({ timeout: 5000 })
      await copy.click({ timeout: 5000 })
      await expect(page.locator('.toast')).not.toHaveCount(0, { timeout: 2000 })
      const covered = await page.evaluate(() => {
        const editor = document.querySelector('[data-testid="editor"]')?.getBoundingClientRect()
        const toasts = [...document.querySelectorAll('.toast')].map((toast) => toast.getBoundingClientRect())
        if (editor === undefined || toasts.length === 0) return null
        return toasts.some((toast) => toast.bottom > editor.top && toast.top < editor.bottom && toast.right > editor.left)
      })
      expect(covered).toBe(false)
    }).toPass({ timeout: 60_000 })
    await keepPicture(page, driver, `toast-and-editor-${name}`)
    await field.press('Escape')
    await expectEdited(page, field)
  }
  await page.setViewportSize({ width: 1280, height: 800 })
})

test('undo in the empty new line takes back what was just added, and leaves what is typed to the field', async ({ startApp }) => {
  const { page } = await startApp('holdfast', { workspace: { projects: { Fernweh: { Production: { KEPT: 'yes' } } } } })
  await addVariable(page, 'ADDED', 'just now')
  await expectCount(page, 2)
  await page.keyboard.press('ControlOrMeta+z')
  await expectCount(page, 1)
  const field = page.getByLabel('New variable name')
  await expect(field).toBeFocused()
  await page.keyboard.press('ControlOrMeta+Shift+z')
  await expectCount(page, 2)

  await page.keyboard.type('X')
  await page.keyboard.press('ControlOrMeta+z')
  await expect(field).toHaveValue('')
  await page.keyboard.press('ControlOrMeta+z')
  await expectValue(page, 'ADDED', 'just now')
})

test('a text with secrets is shown when it is asked for, and hidden while the user is in another window', async ({ startApp }) => {
  const { page } = await startApp('holdfast', {
    workspace: { projects: { Fernweh: { Production: { API_TOKEN: 'sesame', PORT: '80' } } } },
  })
  await page.getByTestId('variables-grid').press('t')
  const dialog = page.getByTestId('text-dialog')
  await expect(dialog.getByRole('button', { name: 'Show text' })).toBeFocused()
  await expect(dialog).not.toContainText('sesame')
  await page.keyboard.press('Enter')
  const text = dialog.getByRole('textbox', { name: 'Variables as text' })
  await expect(text).toBeFocused()
  await expect(text).toContainText('sesame')
  await page.evaluate(() => dispatchEvent(new Event('blur')))
  await expect(dialog.getByText('sesame')).toBeHidden()
  await expect(dialog.getByText('Hidden while you’re in another window')).toBeVisible()
  await page.evaluate(() => dispatchEvent(new Event('focus')))
  await expect(dialog.getByText('Hidden while you’re in another window')).toHaveCount(0)
  await expect(dialog.getByText('sesame')).toBeVisible()
  // Opened again, it asks again.
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await page.getByTestId('variables-grid').press('t')
  await expect(dialog.getByRole('button', { name: 'Show text' })).toBeFocused()
  await expect(dialog).not.toContainText('sesame')
})

test('a text that is discarded gives the keyboard back to the table', async ({ startApp }) => {
  const { page } = await startApp('holdfast', { workspace: { projects: { Fernweh: { Production: { A_HOST: 'one' } } } } })
  await page.getByTestId('variables-grid').press('t')
  await expect(page.getByRole('textbox', { name: 'Variables as text' })).toBeFocused()
  await page.keyboard.type('X=1\n')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Discard' }).press('Enter')
  await expect(page.getByTestId('text-dialog')).toHaveCount(0)
  await expect(page.getByTestId('variables-grid')).toBeFocused()
})

test('a variable that is renamed in the text stays the same one, with its history, unless the review says otherwise', async ({
  startApp,
  driver,
}) => {
  const { page } = await startApp('holdfast', {
    workspace: { projects: { Fernweh: { Production: { CACHE_URL: 'redis://one', PORT: '80', WORKERS: '4', ZONE: 'eu' } } } },
  })
  await openEditor(page, 'CACHE_URL')
  await page.getByRole('textbox', { name: 'Value of CACHE_URL' }).fill('redis://two')
  await page.keyboard.press('Enter')
  await page.getByTestId('variables-grid').press('t')
  const dialog = page.getByTestId('text-dialog')
  await dialog.getByRole('textbox', { name: 'Variables as text' }).fill('REDIS_URL=redis://two\nHTTP_PORT=8080\nWORKERS=4\nMY REGION=eu\n')
  await dialog.getByRole('button', { name: 'Review changes' }).click()
  const lineOf = (name: string) => dialog.locator(`[data-testid="text-change"][data-name="${name}"]`)
  await expect(lineOf('REDIS_URL')).toContainText(/Renamed\s*CACHE_URL\s*to\s*REDIS_URL\s*Same value/)
  await expect(lineOf('ZONE')).toContainText('Kept')
  await photograph(page, driver, 'text-mode-rename')
  await lineOf('REDIS_URL').getByRole('button', { name: 'Delete and add instead' }).click()
  await expect(lineOf('CACHE_URL')).toContainText('Deleted')
  await lineOf('REDIS_URL').getByRole('button', { name: 'Rename CACHE_URL instead' }).click()
  await expect(lineOf('CACHE_URL')).toHaveCount(0)
  await photograph(page, driver, 'text-mode-rename')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('2 renamed')).toBeVisible()
  await clearFilter(page)
  await expectValue(page, 'REDIS_URL', 'redis://two')
  await expectCount(page, 4)
})

test('a value copied from one row is pasted into the editor of another, and saved from there', async ({ startApp }) => {
  const { page } = await startApp('holdfast', {
    workspace: { projects: { Fernweh: { Production: { HOST: 'db.example.com', REPLICA: 'old' } } } },
  })
  const grid = page.getByTestId('variables-grid')
  await expectValue(page, 'REPLICA', 'old')
  await grid.focus()
  await page.keyboard.press('ArrowDown')
  await paste(grid, 'db.example.com')
  const field = page.getByRole('textbox', { name: 'Value of REPLICA' })
  await expect(field).toHaveValue('db.example.com')
  await field.press('Escape')
  await expectValue(page, 'REPLICA', 'old')

  await grid.focus()
  await page.keyboard.press('ControlOrMeta+End')
  await paste(grid, 'db.example.com')
  await expect(field).toBeFocused()
  await field.press('Enter')
  await expectValue(page, 'REPLICA', 'db.example.com')
})

test('a variable that is renamed out of the filter says where it went, and is shown when asked for', async ({ startApp }) => {
  const { page } = await startApp('holdfast', {
    workspace: { projects: { Fernweh: { Production: { DB_HOST: 'one', LOG_LEVEL: 'info' } } } },
  })
  await holdToasts(page)
  const row = await findVariable(page, 'DB_HOST')
  await row.getByText('DB_HOST', { exact: true }).dblclick()
  const field = page.getByRole('textbox', { name: 'Name of DB_HOST' })
  await field.fill('CACHE_URL')
  await field.press('Enter')
  await expect(page.locator('.toast')).toContainText('CACHE_URL')
  await page.locator('.toast').getByRole('button', { name: 'Show' }).click()
  await expect(rowOf(page, 'CACHE_URL')).toBeVisible()
  await expectCount(page, 2)
  await expect(page.getByTestId('variables-grid')).toBeFocused()
})

test('an editor whose row is filtered out names its variable, leaves the found row visible and keeps what is typed', async ({
  startApp,
  driver,
}) => {
  const { page } = await startApp('holdfast', {
    workspace: { projects: { Fernweh: { Production: { ALPHA: 'a', GREETING: 'live', PORT: '8080' } } } },
  })
  await rowOf(page, 'GREETING').getByText('live').dblclick()
  const field = page.getByRole('textbox', { name: 'Value of GREETING' })
  const editor = page.getByTestId('editor')
  await field.fill('half typed')
  const owner = page.getByText('Editing GREETING', { exact: true })
  await expect(owner).toBeHidden()

  await findVariable(page, 'PORT')
  await expect(owner).toBeVisible()
  await expect(field).toHaveValue('half typed')
  await expectBelow(editor, rowOf(page, 'PORT'))
  await photograph(page, driver, 'editor-of-filtered-row')
  const filter = page.getByLabel('Filter variables')
  await filter.fill('nothing has this name')
  await expectCount(page, 0)
  await expect(owner).toBeVisible()

  await clearFilter(page)
  await expect(owner).toBeHidden()
  await expectOver(editor, rowOf(page, 'GREETING'))
  await field.press('Enter')
  await expect(rowOf(page, 'GREETING').getByTestId('value-cell')).toHaveText('half typed')
  await expect(rowOf(page, 'PORT').getByTestId('value-cell')).toHaveText('8080')
})
