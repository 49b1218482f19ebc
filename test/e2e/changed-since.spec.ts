import { expect, test } from './fixtures.ts'
import { clickTool } from './steps/click-tool.ts'
import { look } from './steps/look.ts'
import { expectSync, syncNow } from './steps/sync.ts'
import { addVariable, editVariable, expectEdited, expectValue, findVariable } from './steps/variables.ts'
import { connectWithKey, connectWithNewKey, createProject } from './steps/workspaces.ts'

test('an editor tells what a colleague made of its value meanwhile, and keeps what is typed', async ({ startApp, service }) => {
  const mine = await startApp('mine')
  const theirs = await startApp('theirs')
  const key = await connectWithNewKey(mine.page, service)
  await createProject(mine.page, 'Fernweh', 'Production')
  await addVariable(mine.page, 'GREETING', 'was this')
  await expectSync(mine.page, 'synced')
  await connectWithKey(theirs.page, service, key)
  await expectValue(theirs.page, 'GREETING', 'was this')

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

  // Decided with eyes open: it is no conflict.
  await field.press('Enter')
  await expectEdited(mine.page, field)
  await expectSync(mine.page, 'synced')
  await syncNow(theirs.page)
  await expectValue(theirs.page, 'GREETING', 'made this of it')
})
