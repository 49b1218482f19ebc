import { expect, test } from './fixtures.ts'
import { startListening } from './steps/start-listening.ts'
import { closeQueue, expectSync, openQueue } from './steps/sync.ts'
import { addVariable, expectCount } from './steps/variables.ts'

test('a screen reader says columns by their names, what a filter finds, and which places are not sent yet', async ({ startApp }) => {
  const { page } = await startApp('holdfast', {
    workspace: { projects: { Fernweh: { Production: { HOST: 'db', PORT: '80' }, Staging: { HOST: 'test' } } } },
  })
  await expectSync(page, 'synced')
  await page.getByRole('treeitem', { name: 'Production, 2 variables', exact: true }).click()
  await expectCount(page, 2)
  const headers = page.getByTestId('variables-grid').getByRole('columnheader')
  for (const name of ['Name', 'Value', 'Type', 'Secret', 'State'])
    await expect(headers.and(page.getByRole('columnheader', { name, exact: true }))).toHaveCount(1)

  const heard = await startListening(page)
  await page.getByLabel('Filter variables').fill('PORT')
  await expect.poll(heard).toContain('1 of 2 variables')
  await page.getByLabel('Filter variables').fill('')
  // After an edit only the edit is told, not how many variables there are.
  await addVariable(page, 'ADDED', 'new')
  await expect.poll(heard).toContain('Added ADDED')
  expect(await heard()).not.toContain('3 variables')

  await page.getByTestId('variables-grid').press('c')
  await expect(page.getByTestId('compare-grid').getByRole('columnheader', { name: 'Production', exact: true })).toBeVisible()
  await page.getByTestId('compare-grid').press('Escape')

  await openQueue(page)
  await page.getByTestId('queue-panel').getByRole('button', { name: 'Pause' }).click()
  await closeQueue(page)
  await page.getByTestId('environment-item').first().press('F2')
  await page.getByLabel('Name of Production').fill('Live')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('treeitem', { name: 'Live, 3 variables, Queued', exact: true })).toBeVisible()
})
