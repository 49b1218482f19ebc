import { expect, test } from './fixtures.ts'
import { clickTool } from './steps/click-tool.ts'
import { askForComparison, openComparison } from './steps/compare.ts'
import { expectAccessible } from './steps/expect-accessible.ts'
import { look } from './steps/look.ts'
import { photograph } from './steps/photograph.ts'
import { expectSync, syncNow } from './steps/sync.ts'
import { addVariable, editVariable, rowOf } from './steps/variables.ts'
import { connectWithNewKey, deleteParent } from './steps/workspaces.ts'

test('deleting an environment or a project says first what of it was never sent', async ({ startApp, service }) => {
  const { page } = await startApp('holdfast', {
    workspace: { service, projects: { Fernweh: { Production: { LOG_LEVEL: 'info' }, Staging: {} } } },
  })
  await expectSync(page, 'synced')
  await service.stop()
  const production = page.getByRole('treeitem', { name: /^Production/ })
  await production.click()
  await editVariable(page, 'LOG_LEVEL', 'debug')
  await addVariable(page, 'NEW_OFFLINE', 'typed on a train')

  const dialog = page.getByRole('alertdialog')
  const ask = async (name: RegExp) => {
    await page.getByRole('treeitem', { name }).click({ button: 'right' })
    await page.getByRole('menuitem', { name: /^Delete/ }).click()
    await expect(dialog).toBeVisible()
  }
  await ask(/^Staging/)
  await expect(dialog).toContainText('This environment is empty.')
  await expect(dialog).not.toContainText('sent yet')
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  await ask(/^Fernweh/)
  await expect(dialog).toContainText('2 changes in it haven’t been sent yet')
  // A quick Enter deletes no project.
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(production).toBeVisible()

  await ask(/^Production/)
  await expect(dialog).toContainText('2 changes in it haven’t been sent yet')
  await look(page, 'delete of an environment')
  await dialog.getByRole('button', { name: 'Delete environment' }).click()
  await expect(production).toBeHidden()
})

test('a tree of many projects and long names scrolls, cuts what is too long, and is walked by keys', async ({ app, service }) => {
  const { page } = app
  const long = 'A project whose name tells the whole story of the application'
  for (let p = 1; p <= 12; p++) {
    const slug = `project-${p}`
    const name = p === 2 ? long : `Project ${p}`
    expect((await service.ask('POST', '/projects', { name, slug })).status).toBe(201)
    for (const environment of ['Development', 'Production for the customers of the northern branches', 'Staging']) {
      const body = { name: environment, slug: environment.toLowerCase().replaceAll(' ', '-') }
      expect((await service.ask('POST', `/projects/${slug}/environments`, body)).status).toBe(201)
    }
  }
  await connectWithNewKey(page, service)
  await expectSync(page, 'synced')
  const numbered = [1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12].map((p) => `Project ${p}`)
  await expect(page.getByTestId('project-item')).toHaveText([long, ...numbered])
  await page.getByTestId('environment-item').first().click()
  await page.keyboard.press('End')
  const last = page.getByRole('treeitem').last()
  await expect(last).toBeFocused()
  await expect(last).toBeInViewport()
  await page.keyboard.press('Home')
  await expect(page.getByRole('treeitem').first()).toBeFocused()
  await look(page, 'tree of many projects')
})

test('the buttons of a row stay where they are while its sync mark comes and goes', async ({ startApp, service }) => {
  const { page } = await startApp('holdfast', { workspace: { service, projects: { Fernweh: { Production: {}, Staging: {} } } } })
  await expectSync(page, 'synced')
  const places = () =>
    Promise.all(
      ['Fernweh', 'Production'].map(
        async (name) => (await page.getByRole('button', { name: `More for ${name}`, exact: true }).boundingBox())?.x,
      ),
    )
  const marks = page.getByRole('tree').locator('[data-sync]')
  const before = await places()
  await service.stop()
  for (const name of ['Fernweh', 'Production']) {
    await page.getByRole('treeitem', { name }).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Change slug…' }).click()
    await page.getByRole('textbox', { name: 'Slug' }).fill('changed')
    await page.keyboard.press('Enter')
  }
  await expect(marks).toHaveCount(2)
  expect(await places()).toEqual(before)
})

test('no project or environment is given the name of another by accident, and two that others gave one name are told apart', async ({
  startApp,
  service,
  driver,
}) => {
  const { page } = await startApp('holdfast', {
    workspace: { service, projects: { Fernweh: { Production: { LOG_LEVEL: 'info' }, Staging: {} } } },
  })
  await expectSync(page, 'synced')
  await page.getByRole('treeitem', { name: /^Staging/ }).press('F2')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('Production')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toHaveText('Production already exists here. Choose another name.')
  await photograph(page, driver, 'tree-name-refused')
  await page.keyboard.press('Escape')
  await clickTool(page.locator('[data-testid="project-item"][data-name="Fernweh"]'), 'New environment in Fernweh')
  await expectAccessible(page, 'the name of a new environment')
  await page.getByLabel('New environment name').fill('Staging')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toHaveText('Staging already exists here. Choose another name.')
  await expectAccessible(page, 'a refused name of a new environment')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'New project' }).click()
  await page.getByLabel('New project name').fill('Fernweh')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toHaveText('Fernweh already exists here. Choose another name.')
  await expectAccessible(page, 'a refused name of a new project')
  await page.keyboard.press('Escape')

  const twin = { name: 'Production', slug: 'production-2' }
  expect((await service.ask('POST', '/projects/fernweh/environments', twin)).status).toBe(201)
  await syncNow(page)
  // Their slugs tell them apart.
  await expect(page.getByRole('treeitem', { name: /^Production \(production-2\)/ })).toContainText('production-2')
  await expect(page.getByRole('treeitem', { name: /^Production \(production\)/ })).toBeVisible()
  await openComparison(page, 'Fernweh')
  await expect(page.getByRole('columnheader', { name: /^Production, production(?!-)/ })).toContainText('production')
  await expect(page.getByRole('columnheader', { name: 'Production, production-2' })).toContainText('production-2')
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('f')
  await expect(page.getByRole('button', { name: /missing in Production, production-2/ })).toHaveCount(0)
  await look(page, 'compare of two environments of one name')
  await page.getByRole('button', { name: 'Side by side' }).click()
  await expect(page.getByLabel('Left environment')).toContainText(/\(production(-2)?\)/)
})

test('an environment whose new name moves it keeps the keyboard', async ({ startApp, service }) => {
  const { page } = await startApp('holdfast', {
    workspace: { service, projects: { Fernweh: { Alpha: {}, Beta: {}, Gamma: {} } } },
  })
  await page.getByRole('treeitem', { name: /^Gamma/ }).click()
  for (const [from, to] of [
    ['Gamma', 'Aardvark'],
    ['Aardvark', 'Between'],
    ['Between', 'Zeta'],
  ] as const) {
    await page.getByRole('treeitem', { name: new RegExp(`^${from}`) }).focus()
    await page.keyboard.press('F2')
    await page.getByLabel(`Name of ${from}`).fill(to)
    await page.keyboard.press('Enter')
    await expectSync(page, 'synced')
    await expect(page.getByRole('treeitem', { name: new RegExp(`^${to}`) })).toBeFocused()
  }
})

test('the slug of an environment is changed where it is asked for, with the keyboard in it', async ({ startApp }) => {
  const { page } = await startApp('holdfast', { workspace: { projects: { Fernweh: { Production: {}, Staging: {} } } } })
  const change = async () => {
    await page.getByRole('treeitem', { name: /^Staging/ }).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Change slug…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Change slug of Staging' })
    await expect(dialog.getByLabel('Slug')).toBeFocused()
    return dialog
  }
  const dialog = await change()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('production')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('production already exists here. Choose another slug.')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('stage')
  await page.keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)
  await expect((await change()).getByLabel('Slug')).toHaveValue('stage')
})

test('a deleted environment that was open gives way to the next of its project, in the tree as on the screen', async ({ startApp }) => {
  const { page } = await startApp('holdfast', {
    workspace: { projects: { Aurora: { Elsewhere: {} }, Fernweh: { Alpha: {}, Beta: {}, Gamma: {} } } },
  })
  const item = (name: string) => page.getByRole('treeitem', { name: new RegExp(`^${name}`) })
  for (const [deleted, opened] of [
    ['Beta', 'Gamma'],
    ['Gamma', 'Alpha'],
    ['Alpha', 'Elsewhere'],
  ] as const) {
    await item(deleted).click()
    await item(deleted).press('Delete')
    await expect(page.getByRole('alertdialog')).toBeVisible()
    await page.getByRole('button', { name: 'Delete environment' }).click()
    await expect(item(opened)).toBeFocused()
    await expect(item(opened)).toHaveAttribute('aria-selected', 'true')
    await expect(page.getByRole('heading', { level: 1 })).toContainText(opened)
  }
})

test('a project that its user deletes while it is compared gives way to the nearest environment', async ({ startApp }) => {
  const { page } = await startApp('holdfast', {
    workspace: { projects: { Fernweh: { Alpha: {}, Beta: {} }, Aurora: { Elsewhere: {} } } },
  })
  await askForComparison(page, 'Fernweh')
  const project = page.getByRole('treeitem', { name: /^Fernweh/ })
  await project.press('Delete')
  await page.getByRole('button', { name: 'Delete project' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Elsewhere')
  await expect(page.getByRole('treeitem', { name: /^Elsewhere/ })).toBeFocused()
})

test('a place that others delete while a name is typed in it keeps the keyboard in that field, with the text', async ({
  startApp,
  service,
}) => {
  const projects = { Aurora: { Production: { A_HOST: 'one' } }, Fernweh: { Beta: {} }, Gone: {} }
  const mine = await startApp('mine', { workspace: { service, projects, syncSeconds: 5 } })
  await expectSync(mine.page, 'synced')
  const theirs = await startApp('theirs', { workspace: { service, key: mine.workspaceKey } })
  const { page } = mine
  await page.getByRole('treeitem', { name: /^Production/ }).click()
  const row = rowOf(page, 'A_HOST')
  await expect(row).toBeVisible()

  await page.getByRole('treeitem', { name: /^Beta/ }).focus()
  await page.keyboard.press('F2')
  const name = page.getByLabel('Name of Beta')
  await name.fill('Better')
  await deleteParent(theirs.page, /^Beta/)
  // The sync that brings the deletion brings this, too.
  await addVariable(theirs.page, 'B_PORT', 'two')
  await expect(rowOf(page, 'B_PORT')).toBeVisible()
  // In the table these keys are commands.
  await page.keyboard.press('Backspace')
  await page.keyboard.type('rx')
  await expect(name).toBeFocused()
  await expect(name).toHaveValue('Betterx')
  await expect(page.getByTestId('typed-in-deleted')).toHaveCount(0)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toContainText('no longer exists')
  await page.keyboard.press('Escape')
  await expect(name).toHaveCount(0)

  await clickTool(page.locator('[data-testid="project-item"][data-name="Gone"]'), 'New environment in Gone')
  const created = page.getByLabel('New environment name')
  await created.fill('Dev')
  await deleteParent(theirs.page, /^Gone/)
  await addVariable(theirs.page, 'C_PATH', 'three')
  await expect(rowOf(page, 'C_PATH')).toBeVisible()
  await expect(created).toBeFocused()
  await expect(created).toHaveValue('Dev')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toContainText('no longer exists')
  await expect(row).toBeVisible()
})

test('a name that is half typed stays so when what others rename moves its field', async ({ startApp, service }) => {
  const { page } = await startApp('holdfast', {
    workspace: { service, projects: { Fernweh: { Alpha: {}, Beta: {}, Gamma: {} } } },
  })
  await expectSync(page, 'synced')
  const rename = async (slug: string, name: string) => {
    const path = `/projects/fernweh/environments/${slug}`
    expect((await service.ask('PATCH', path, { name })).status).toBe(200)
    await page.evaluate(() => void dispatchEvent(new Event('online')))
    await expect(page.getByRole('tree')).toContainText(name)
  }
  await page.getByRole('treeitem', { name: /^Beta/ }).focus()
  await page.keyboard.press('F2')
  const field = page.getByRole('tree').getByRole('textbox')
  await field.fill('Bet')
  await rename('alpha', 'Zeta')
  await rename('gamma', 'Aardvark')
  await rename('alpha', 'Alpha')
  await expect(field).toBeFocused()
  await expect(field).toHaveValue('Bet')
  expect((await service.ask('GET', '/projects/fernweh/environments/beta')).body.data['name']).toBe('Beta')
})
