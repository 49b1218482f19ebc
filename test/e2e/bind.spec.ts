import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { encryptValue } from '../../electron/cipher/value-cipher.ts'
import { formatWorkspaceKey } from '../../electron/cipher/workspace-key.ts'
import { expect, test } from './fixtures.ts'
import { holdToasts } from './steps/hold-toasts.ts'
import { look } from './steps/look.ts'
import { closeQueue, expectSync, openQueue, syncNow } from './steps/sync.ts'
import { editVariable, expectValue, rowOf } from './steps/variables.ts'
import { connectWithKey } from './steps/workspaces.ts'

test('values of a service that other clients write to are not verified, until its user takes only verified ones', async ({
  app,
  service,
}) => {
  const { page } = app
  const key = randomBytes(32)
  const at = '/projects/fernweh/environments/production/variables'
  /** As another client does, which knows the key and binds nothing. */
  const write = async (method: string, route: string, body: object) => {
    const answer = await service.ask(method, route, body)
    expect(answer.status, `${method} ${route}`).toBeLessThan(300)
    return String(answer.body.data['id'])
  }
  await write('POST', '/projects', { name: 'Fernweh', slug: 'fernweh' })
  await write('POST', '/projects/fernweh/environments', { name: 'Production', slug: 'production' })
  const create = (name: string) =>
    write('POST', at, { name, value: encryptValue(key, `${name} was this`), type: 'string', isSecret: false })
  await create('DATABASE_URL')
  const id = await create('LOG_LEVEL')
  await connectWithKey(page, service, formatWorkspaceKey(key))
  await page.getByTestId('environment-item').filter({ hasText: 'Production' }).click()
  await expectValue(page, 'DATABASE_URL', 'DATABASE_URL was this')

  const proof = page.getByRole('status').filter({ hasText: 'Not verified: another client may have written it' })
  const openEditor = async () => {
    await rowOf(page, 'LOG_LEVEL').getByTestId('value-cell').dblclick()
    await expect(page.getByRole('textbox', { name: 'Value of LOG_LEVEL' })).toBeFocused()
  }
  await openEditor()
  await expect(proof).toBeVisible()
  await look(page, 'not-verified')
  await page.keyboard.press('Escape')

  await openQueue(page)
  await look(page, 'open-values')
  await page.getByTestId('values-notice').getByRole('button', { name: 'Accept only verified values…' }).click()
  const question = page.getByRole('alertdialog', { name: 'Accept only verified values?' })
  await expect(question.getByRole('button', { name: 'Seal values' })).toBeFocused()
  await look(page, 'bind')
  await page.keyboard.press('Enter')
  await expect(question).toHaveCount(0)
  await expectSync(page, 'synced')
  await openQueue(page)
  await expect(page.getByTestId('values-notice')).toHaveCount(0)
  await closeQueue(page)
  await openEditor()
  await expect(proof).toHaveCount(0)
  await page.keyboard.press('Escape')

  // What another client writes is not taken any more.
  await write('PATCH', `/variables/${id}`, { value: encryptValue(key, 'debug') })
  await syncNow(page)
  await expectSync(page, 'attention')
  await expect(rowOf(page, 'LOG_LEVEL').getByTestId('value-cell')).toHaveText('Unverified')
  await expectValue(page, 'DATABASE_URL', 'DATABASE_URL was this')
})

test('one notice about a restored backup covers the earlier values that it brings back', async ({ startApp, service, folder }) => {
  const { page } = await startApp('holdfast', {
    workspace: {
      service,
      projects: { Fernweh: { Production: { DATABASE_URL: 'DATABASE_URL was this', LOG_LEVEL: 'LOG_LEVEL was this' } } },
    },
  })
  await expectSync(page, 'synced')
  const backup = path.join(folder, 'backup')
  await service.command('backup', '--to', backup)
  for (const name of ['DATABASE_URL', 'LOG_LEVEL']) await editVariable(page, name, `${name} is this`)
  await expectSync(page, 'synced')
  await service.stop()
  await service.command('restore', '--from', backup, '--replace')
  await service.start()
  await syncNow(page)

  const notice = page.getByTestId('restart-notice')
  await expect(notice).toContainText('2 earlier values are Unverified until you choose.')
  await expect(page.getByTestId('sync-pill')).toHaveText('2 Unverified')
  await look(page, 'restart-unverified')
  await holdToasts(page)
  await notice.getByRole('button', { name: 'Keep the service’s data' }).click()
  await expect(page.locator('.toast')).toContainText('Accepted 2 earlier values')
  await expect(notice).toHaveCount(0)
  await expectSync(page, 'synced')
  await expectValue(page, 'DATABASE_URL', 'DATABASE_URL was this')
})
