import { expect, test } from './fixtures.ts'
import { clickTool } from './steps/click-tool.ts'
import { setCode } from './steps/code.ts'
import { cellOf, openComparison } from './steps/compare.ts'
import { look } from './steps/look.ts'
import { expectSync, openQueue, syncNow } from './steps/sync.ts'
import { addVariable, editVariable, expectEdited, expectValue, findVariable, importText } from './steps/variables.ts'
import { createEnvironment } from './steps/workspaces.ts'
import { changeBoth, shareGreeting, shareRows } from './steps/two-people.ts'

const seven = ['A1', 'A2', 'A3', 'A4', 'A5', 'A6', 'A7']
const textOf = (names: readonly string[], value: string): string => names.map((name) => `${name}=${value}\n`).join('')

test('an editor tells what a colleague made of its value meanwhile, and keeps what is typed', async ({ startApp, service }) => {
  const { mine, theirs } = await shareGreeting(startApp, service)

  await clickTool(await findVariable(mine.page, 'GREETING'), 'Edit GREETING')
  const field = mine.page.getByRole('textbox', { name: 'Value of GREETING' })
  await field.fill('made this of it')
  await editVariable(theirs.page, 'GREETING', 'made that of it')
  await syncNow(theirs.page)
  await expectSync(theirs.page, 'synced')
  await syncNow(mine.page)

  const strip = mine.page.getByTestId('changed-since')
  await expect(strip).toContainText('was this')
  await expect(strip).toContainText('made that of it')
  await expect(field).toHaveValue('made this of it')
  await look(mine.page, 'editor over a changed value')

  // Decided with eyes open, it is no conflict; who saves sooner has not read it, and is asked.
  await expect(strip).toHaveAttribute('data-seen', 'true')
  await field.press('Enter')
  await expectEdited(mine.page, field)
  await expectSync(mine.page, 'synced')
  await syncNow(theirs.page)
  await expectValue(theirs.page, 'GREETING', 'made this of it')
})

for (const how of ['left as it was', 'typed and taken back'] as const)
  test(`an editor whose text is ${how} does not claim to replace a colleague’s value, and leaves theirs`, async ({ startApp, service }) => {
    const { mine, theirs } = await shareGreeting(startApp, service)
    await clickTool(await findVariable(mine.page, 'GREETING'), 'Edit GREETING')
    const field = mine.page.getByRole('textbox', { name: 'Value of GREETING' })
    if (how === 'typed and taken back') await field.fill('made this of it')
    await editVariable(theirs.page, 'GREETING', 'made that of it')
    await syncNow(theirs.page)
    await expectSync(theirs.page, 'synced')
    await syncNow(mine.page)

    const strip = mine.page.getByTestId('changed-since')
    await expect(strip).toHaveAttribute('data-seen', 'true')
    if (how === 'typed and taken back') {
      await expect(strip).toContainText('Saving replaces')
      await field.fill('was this')
    }
    await expect(strip).not.toContainText('Saving replaces')
    await look(mine.page, 'editor with the former value over a changed value')
    await field.press('Enter')
    await expect(field).toBeHidden()
    await expectSync(mine.page, 'synced')
    await expectValue(mine.page, 'GREETING', 'made that of it')
  })

test('the line for a new variable tells that a colleague has just created one of its name', async ({ startApp, service }) => {
  const { mine, theirs } = await shareGreeting(startApp, service)

  const name = mine.page.getByRole('textbox', { name: 'New variable name' })
  const value = mine.page.getByRole('textbox', { name: 'New variable value' })
  await name.fill('FAREWELL')
  await value.fill('mine')
  await addVariable(theirs.page, 'FAREWELL', 'theirs')
  await syncNow(theirs.page)
  await expectSync(theirs.page, 'synced')
  await syncNow(mine.page)

  const strip = mine.page.getByTestId('changed-since')
  await expect(strip).toContainText('added FAREWELL here')
  await expect(strip).toContainText('theirs')
  await expect(name).toHaveValue('FAREWELL')
  await expect(value).toHaveValue('mine')
  await look(mine.page, 'adder over a name that has just come')

  await strip.getByRole('button', { name: 'Replace its value' }).click()
  await expect(name).toHaveValue('')
  await expect(name).toBeFocused()
  await expectSync(mine.page, 'synced')
  await syncNow(theirs.page)
  await expectValue(theirs.page, 'FAREWELL', 'mine')
})

test('an environment edited as text tells what a colleague changed meanwhile, and the review shows all three sides', async ({
  startApp,
  service,
}) => {
  const mine = await startApp('mine', {
    workspace: { service, projects: { Fernweh: { Production: { GREETING: 'was this', PORT: '1' } } }, syncSeconds: 5 },
  })
  await expectSync(mine.page, 'synced')
  const theirs = await startApp('theirs', { workspace: { service, key: mine.workspaceKey } })
  await expectValue(theirs.page, 'GREETING', 'was this')

  await mine.page.getByRole('button', { name: 'More for this environment' }).click()
  await mine.page.getByRole('menuitem', { name: 'Edit as text…' }).click()
  const text = mine.page.getByRole('textbox', { name: 'Variables as text' })
  await setCode(text, 'GREETING=mine\nPORT=1\n')
  await editVariable(theirs.page, 'GREETING', 'made that of it')
  await editVariable(theirs.page, 'PORT', '2')
  await syncNow(theirs.page)
  await expectSync(theirs.page, 'synced')
  // The dialog covers the pill: the check for changes of the service finds it.
  const told = mine.page.getByTestId('changed-elsewhere')
  await expect(told).toHaveCount(2, { timeout: 60_000 })
  await expect(told.first()).toContainText('made that of it')
  await look(mine.page, 'text over changed values')

  await mine.page.getByRole('button', { name: 'Review changes' }).click()
  // PORT was left as it was, and stays theirs.
  await expect(told).toHaveCount(1)
  for (const side of ['was this', 'made that of it', 'mine']) await expect(told).toContainText(side)
  await look(mine.page, 'review of a text over changed values')

  // Who saves sooner has not read it, and is asked.
  await expect(told).toHaveAttribute('data-seen', 'true')
  await mine.page.getByRole('button', { name: 'Save 1 change' }).click()
  // It closes when the change is queued: until then the pill tells of before.
  await expect(mine.page.getByRole('dialog')).toHaveCount(0)
  await expectSync(mine.page, 'synced')
  await syncNow(theirs.page)
  await expectValue(theirs.page, 'GREETING', 'mine')
  await expectValue(theirs.page, 'PORT', '2')
})

test('what a first review of a text left alone, and so did not list, asks when a second one means it', async ({ startApp, service }) => {
  const { mine, theirs } = await shareRows(startApp, service, seven)
  await mine.page.getByRole('button', { name: 'More for this environment' }).click()
  await mine.page.getByRole('menuitem', { name: 'Edit as text…' }).click()
  const text = mine.page.getByRole('textbox', { name: 'Variables as text' })
  await setCode(text, `${textOf(seven, 'was')}NEW=mine\n`)
  await importText(theirs.page, textOf(seven, 'theirs'))
  await syncNow(theirs.page)
  await expectSync(theirs.page, 'synced')
  const told = mine.page.getByTestId('changed-elsewhere')
  await expect(told).toHaveCount(5, { timeout: 60_000 })

  const review = mine.page.getByRole('button', { name: 'Review changes' })
  await review.click()
  await expect(told).toHaveCount(0)
  await expect(mine.page.getByTestId('text-review')).toHaveAttribute('data-seen', 'true')
  await mine.page.getByRole('button', { name: 'Back to the text' }).click()
  await setCode(text, `${textOf(seven, 'mine')}NEW=mine\n`)
  await review.click()
  await expect(told).toHaveCount(5)
  await look(mine.page, 'review of a text over more changed values than are listed')
  await mine.page.getByRole('button', { name: 'Save 8 changes' }).click()
  await expect(mine.page.getByRole('dialog')).toHaveCount(0)
  await expectSync(mine.page, 'attention')
})

test('a cell of a comparison tells what a colleague made of its value meanwhile', async ({ startApp, service }) => {
  const { mine, theirs } = await shareGreeting(startApp, service)
  await createEnvironment(mine.page, 'Fernweh', 'Staging')
  await openComparison(mine.page, 'Fernweh')
  await cellOf(mine.page, 'GREETING', 'Production').dblclick()
  const field = mine.page.getByRole('textbox', { name: 'Value of GREETING' })
  await field.fill('made this of it')
  await editVariable(theirs.page, 'GREETING', 'made that of it')
  await expectSync(theirs.page, 'synced')
  await syncNow(mine.page)

  const strip = mine.page.getByTestId('changed-since')
  await expect(strip).toContainText('was this')
  await expect(strip).toContainText('made that of it')
  await expect(field).toHaveValue('made this of it')
  await look(mine.page, 'cell of a comparison over a changed value')
  await expect(strip).toHaveAttribute('data-seen', 'true')
  await field.press('Enter')
  await expect(field).toBeHidden()
  await expectSync(mine.page, 'synced')
  await syncNow(theirs.page)
  await expectValue(theirs.page, 'GREETING', 'made this of it')
})

test('the preview of an import tells what a colleague made of its variables meanwhile', async ({ startApp, service }) => {
  const { mine, theirs } = await shareGreeting(startApp, service, 5)
  await mine.page.getByRole('button', { name: 'Import', exact: true }).click()
  const dialog = mine.page.getByTestId('import-dialog')
  await setCode(dialog.getByLabel('Text to import'), 'GREETING=mine\nNEW=mine\n')
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await expect(dialog.getByTestId('import-line')).toHaveCount(2)
  await editVariable(theirs.page, 'GREETING', 'made that of it')
  await addVariable(theirs.page, 'OTHER', 'no line of the text')
  await expectSync(theirs.page, 'synced')

  // The dialog covers the pill: the check for changes of the service finds it.
  const told = mine.page.getByTestId('changed-elsewhere')
  await expect(told).toHaveCount(1, { timeout: 60_000 })
  for (const side of ['was this', 'made that of it', 'mine']) await expect(told).toContainText(side)
  await look(mine.page, 'import over a changed value')
  // Who imports sooner has not read it, and is asked.
  await expect(told).toHaveAttribute('data-seen', 'true')
  await dialog.getByRole('button', { name: 'Import 2 variables' }).click()
  await expect(dialog).toHaveCount(0)
  await expectSync(mine.page, 'synced')
  await syncNow(theirs.page)
  await expectValue(theirs.page, 'GREETING', 'mine')
})

for (const how of ['left ticked', 'unticked and ticked again'] as const)
  test(`of more changed rows than an import lists, ${how}, the rest is asked about`, async ({ startApp, service }) => {
    const { mine, theirs } = await shareRows(startApp, service, seven)
    await mine.page.getByRole('button', { name: 'Import', exact: true }).click()
    const dialog = mine.page.getByTestId('import-dialog')
    await setCode(dialog.getByLabel('Text to import'), textOf(seven, 'mine'))
    await dialog.getByRole('button', { name: 'Preview' }).click()
    await expect(dialog.getByTestId('import-line')).toHaveCount(7)
    await importText(theirs.page, textOf(seven, 'theirs'))
    await syncNow(theirs.page)
    await expectSync(theirs.page, 'synced')

    const told = mine.page.getByTestId('changed-elsewhere')
    await expect(told).toHaveCount(5, { timeout: 60_000 })
    if (how === 'unticked and ticked again') {
      const all = dialog.getByRole('checkbox', { name: 'Import all' })
      await all.click()
      await expect(told).toHaveCount(0)
      await all.click()
      await expect(told).toHaveCount(5)
    }
    await look(mine.page, `import over more changed values than are listed, ${how}`)
    await dialog.getByRole('button', { name: 'Import 7 variables' }).click()
    await expect(dialog).toHaveCount(0)
    await expectSync(mine.page, 'attention')
  })

test('the selected rows tell what a colleague made of them meanwhile, before they are changed together', async ({ startApp, service }) => {
  const { mine, theirs } = await shareGreeting(startApp, service)
  await addVariable(mine.page, 'PORT', '1')
  await expectSync(mine.page, 'synced')
  await syncNow(theirs.page)
  await expectValue(theirs.page, 'PORT', '1')
  await mine.page.getByTestId('variables-grid').press('ControlOrMeta+a')
  const actions = mine.page.getByRole('toolbar', { name: 'Actions for selected variables' })
  await expect(actions).toBeVisible()

  await editVariable(theirs.page, 'GREETING', 'made that of it')
  await (await findVariable(theirs.page, 'PORT')).getByRole('button', { name: 'Type of PORT: string' }).click()
  await theirs.page.getByRole('menuitemradio', { name: 'boolean' }).click()
  await expectSync(theirs.page, 'synced')
  await syncNow(mine.page)

  const told = mine.page.getByTestId('changed-elsewhere')
  await expect(told).toHaveCount(2)
  const [greeting, port] = ['GREETING', 'PORT'].map((name) => mine.page.locator(`[data-testid="changed-elsewhere"][data-name="${name}"]`))
  for (const side of ['was this', 'made that of it']) await expect(greeting ?? told).toContainText(side)
  for (const side of ['string', 'boolean']) await expect(port ?? told).toContainText(side)
  await look(mine.page, 'selected rows that a colleague changed')

  // Decided with eyes open, it is no conflict; who is quicker has not read it, and is asked about the type.
  await expect(told.first()).toHaveAttribute('data-seen', 'true')
  await actions.getByRole('button', { name: 'Type' }).click()
  await mine.page.getByRole('menuitemradio', { name: 'number' }).click()
  await expect(told).toHaveCount(0)
  await expectSync(mine.page, 'synced')
  await syncNow(theirs.page)
  await expect((await findVariable(theirs.page, 'PORT')).getByRole('button', { name: 'Type of PORT: number' })).toBeVisible()
  await expectValue(theirs.page, 'GREETING', 'made that of it')
})

test('the question before rows out of sight are deleted tells what a colleague made of one meanwhile', async ({ startApp, service }) => {
  const { mine, theirs } = await shareRows(startApp, service, ['GREETING', 'PORT'])
  await mine.page.getByTestId('variables-grid').press('Control+a')
  await findVariable(mine.page, 'GREETING')
  await mine.page.getByRole('button', { name: 'Delete', exact: true }).click()
  const question = mine.page.getByRole('alertdialog')
  await expect(question).toBeVisible()
  await editVariable(theirs.page, 'GREETING', 'made that of it')
  await expectSync(theirs.page, 'synced')

  const told = question.getByTestId('changed-elsewhere')
  await expect(told).toHaveCount(1, { timeout: 60_000 })
  for (const side of ['was', 'made that of it']) await expect(told).toContainText(side)
  await look(mine.page, 'deletion of a changed variable')
  await expect(told).toHaveAttribute('data-seen', 'true')
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect(question).toHaveCount(0)
  await expectSync(mine.page, 'synced')
})

test('the list of unsent changes shows the sides of a conflict that a key decides there', async ({ startApp, service }) => {
  const { mine, theirs } = await shareGreeting(startApp, service)
  await changeBoth(mine, theirs, service, 'GREETING')
  await openQueue(mine.page)
  const glance = mine.page.getByTestId('conflict-glance')
  for (const side of ['was this', 'made this of it', 'made that of it']) await expect(glance).toContainText(side)
  await look(mine.page, 'conflict in the list of unsent changes')

  // Theirs moves on while the list is open: the key is about that once it was read, and before it decides nothing.
  await editVariable(theirs.page, 'GREETING', 'moved on')
  await expectSync(theirs.page, 'synced')
  await mine.page.getByTestId('queue-panel').getByRole('button', { name: 'Sync now' }).click()
  await expect(glance).toContainText('moved on')
  await expect(glance).toHaveAttribute('data-seen', 'true')
  await mine.page.getByRole('grid', { name: 'Unsent changes' }).press('t')
  await expectSync(mine.page, 'synced')
  await mine.page.keyboard.press('Escape')
  await expectValue(mine.page, 'GREETING', 'moved on')
})
