import { expect, test } from './fixtures.ts'
import { lockAndUnlock, unlock } from './steps/keys.ts'
import { expectSync } from './steps/sync.ts'

const workspace = { projects: { Fernweh: { Production: { GREETING: 'hello' } } } }

const forms = [
  { what: 'the name of a new project', open: 'New project', label: 'New project name' },
  { what: 'the name of a new environment', open: 'New environment', label: 'New environment name' },
  { what: 'a name that is changed', open: 'Rename', label: 'Name of Production' },
  { what: 'the note of a version', open: 'Save a version', label: 'Note' },
] as const
for (const { what, open, label } of forms) {
  test(`${what} that is half typed is there again after a lock and after a start`, async ({ startApp }) => {
    const app = await startApp('holdfast', { workspace })
    if (open === 'New project') await app.page.getByRole('button', { name: 'New project' }).click()
    else if (open === 'Save a version') await app.page.keyboard.press('ControlOrMeta+s')
    else {
      await app.page.getByRole('treeitem', { name: open === 'Rename' ? /^Production/ : /^Fernweh/ }).click({ button: 'right' })
      await app.page.getByRole('menuitem', { name: open }).click()
    }
    const field = () => app.page.getByLabel(label)
    await field().fill('Half typ')
    await lockAndUnlock(app.page)
    await expect(field()).toHaveValue('Half typ')
    await app.restart()
    await unlock(app.page)
    await expect(field()).toHaveValue('Half typ')
    await expect(app.page.getByRole('treeitem')).toHaveCount(open === 'New project' || open === 'New environment' ? 3 : 2)

    await field().press('Escape')
    await expect(field()).toHaveCount(0)
    await app.page.reload()
    await expect(app.page.getByTestId('variables-grid')).toBeVisible()
    await expect(field()).toHaveCount(0)
  })
}

test('a half-typed invitation is there again after a lock', async ({ startApp, service }) => {
  const { page } = await startApp('owner', { workspace: { ...workspace, service } })
  await expectSync(page, 'synced')
  await page.keyboard.press('m')
  const field = page.getByLabel('Email to invite')
  await field.fill('eve@exa')
  await page.getByLabel('Role to invite to').selectOption('viewer')
  await lockAndUnlock(page)
  await expect(field).toHaveValue('eve@exa')
  await expect(page.getByLabel('Role to invite to')).toHaveValue('viewer')
})

test('a version that is cancelled can be restored with its note', async ({ startApp }) => {
  const { page } = await startApp('holdfast', { workspace })
  await page.keyboard.press('ControlOrMeta+s')
  await page.getByLabel('Note').fill('Before the release')
  await page.keyboard.press('Escape')
  await expect(page.getByTestId('save-version')).toHaveCount(0)
  await page.locator('.toast').getByRole('button', { name: 'Restore' }).click()
  await expect(page.getByLabel('Note')).toHaveValue('Before the release')
  await page.getByRole('button', { name: 'Save version' }).click()
  await expect(page.locator('.toast')).toContainText('Saved a version')
})

test('a long value is there again after a reload in the middle of typing it', async ({ startApp }) => {
  const { page } = await startApp('holdfast', { workspace })
  const field = page.getByRole('textbox', { name: 'Value of GREETING' })
  await page.getByTestId('value-cell').click()
  await page.keyboard.press('Enter')
  const long = 'half a certificate '.repeat(8000)
  await field.fill(long)
  await page.reload()
  await expect(field).toHaveValue(long)
})
