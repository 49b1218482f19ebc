import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from './fixtures.ts'
import { findQuietPort } from './quiet-port.ts'
import { ServiceOnStage } from './service-on-stage.ts'
import { clickTool } from './steps/click-tool.ts'
import { setCode } from './steps/code.ts'
import { expectAccessible } from './steps/expect-accessible.ts'
import { unlock } from './steps/keys.ts'
import { expectSync } from './steps/sync.ts'
import { addVariable, expectCount, findVariable, rowOf } from './steps/variables.ts'
import { walkTo } from './steps/walk-to.ts'
import { askService, connectWithNewKey, createProject, openConnectForm, startLocalWorkspace } from './steps/workspaces.ts'

test.describe('connecting', () => {
  test('an address where nothing listens', async ({ app }) => {
    const port = await findQuietPort()
    await openConnectForm(app.page)
    await askService(app.page, { url: `http://127.0.0.1:${port}`, apiKey: 'whatever' })
    await expect(app.page.getByRole('alert')).toContainText(/reach|connect|answer/i)
    await expect(app.page.getByLabel('Service address')).toHaveAttribute('aria-invalid', 'true')
  })

  test('an address that is none', async ({ app }) => {
    await openConnectForm(app.page)
    await askService(app.page, { url: 'not an address', apiKey: 'whatever' })
    await expect(app.page.getByRole('alert')).toContainText(/address/i)
  })

  test('plain http to another machine is refused until confirmed', async ({ app }) => {
    await openConnectForm(app.page)
    await askService(app.page, { url: 'http://config.example.com', apiKey: 'whatever' })
    await expect(app.page.getByRole('alert')).toContainText(/https|encrypt/i)
    await expect(app.page.getByRole('checkbox', { name: /^Connect without encryption/ })).toBeVisible()
  })

  test('an API key that the service does not know', async ({ app, service }) => {
    await openConnectForm(app.page)
    await askService(app.page, { url: service.url, apiKey: 'no-such-key' })
    await expect(app.page.getByRole('alert')).toContainText(/key/i)
    await expect(app.page.getByLabel('API key')).toHaveAttribute('aria-invalid', 'true')
  })

  test('a web page where the service should be', async ({ app }) => {
    const page = createServer((_request, response) =>
      response.setHeader('content-type', 'text/html').end('<!doctype html><h1>Welcome</h1>'),
    )
    await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve))
    const { port } = page.address() as AddressInfo
    await openConnectForm(app.page)
    await askService(app.page, { url: `http://127.0.0.1:${port}`, apiKey: 'whatever' })
    await expect(app.page.getByRole('alert')).toContainText(/not|service/i)
    await expect(app.page.getByLabel('Service address')).toHaveAttribute('aria-invalid', 'true')
    page.close()
  })

  test('the workspace key of another workspace', async ({ startApp, service }) => {
    const owner = await startApp('owner')
    const key = await connectWithNewKey(owner.page, service)
    await createProject(owner.page, 'Fernweh', 'Production')
    await addVariable(owner.page, 'SEALED', 'under the right key')
    await expectSync(owner.page, 'synced')

    const stranger = await startApp('stranger')
    await openConnectForm(stranger.page)
    await askService(stranger.page, service)
    const field = stranger.page.getByRole('textbox', { name: 'Workspace key' })
    await field.fill(Buffer.alloc(32, 7).toString('base64'))
    await stranger.page.getByRole('button', { name: 'Connect' }).click()
    await expect(stranger.page.getByRole('alert')).toContainText('does not open the values')
    await field.fill('not a key at all')
    await stranger.page.getByRole('button', { name: 'Connect' }).click()
    await expect(stranger.page.getByRole('alert')).toContainText(/key/i)
    await field.fill(key)
    await stranger.page.getByRole('button', { name: 'Connect' }).click()
    await expect(stranger.page.getByTestId('sync-pill')).toBeVisible()
  })

  test('a revoked API key, then one of another workspace: the edits stay', async ({ app, stage, service, folder }) => {
    await connectWithNewKey(app.page, service)
    await createProject(app.page, 'Fernweh', 'Production')
    await addVariable(app.page, 'KEPT', 'whatever happens')
    await expectSync(app.page, 'synced')
    const url = service.url
    await service.stop()

    // Another workspace answers at the same address.
    const other = new ServiceOnStage(stage, path.join(folder, 'other'), Number(new URL(url).port))
    await other.start()
    try {
      await addVariable(app.page, 'UNSENT', 'still here')
      await expectSync(app.page, /attention|paused/)
      await app.page.getByRole('button', { name: 'Enter an API key' }).click()
      await app.page.getByLabel('API key').fill(other.apiKey)
      await app.page.getByRole('button', { name: 'Continue' }).click()
      await expect(app.page.getByRole('alert')).toContainText('not this one')
      await expect(await findVariable(app.page, 'UNSENT')).toBeVisible()
    } finally {
      await other.stop()
    }
  })
})

test.describe('typing and importing', () => {
  test.beforeEach(async ({ app }) => {
    await startLocalWorkspace(app.page)
    await createProject(app.page, 'Fernweh', 'Production')
  })

  const names: [name: string, words: RegExp][] = [
    ['WITH/SLASH', /cannot contain “\/”/],
    ['.', /cannot be a name/],
    ['..', /cannot be a name/],
  ]
  for (const [name, words] of names) {
    test(`a variable called ${JSON.stringify(name)}`, async ({ app }) => {
      await app.page.getByLabel('New variable name').fill(name)
      await app.page.getByRole('textbox', { name: 'New variable value' }).fill('value')
      await app.page.getByRole('button', { name: 'Add variable' }).click()
      await expect(app.page.getByRole('form', { name: 'New variable' }).getByRole('alert')).toHaveText(words)
      await expectCount(app.page, 0)
    })
  }

  test('a name that is taken', async ({ app }) => {
    await addVariable(app.page, 'TAKEN', 'first')
    await app.page.getByLabel('New variable name').fill('TAKEN')
    await app.page.getByRole('button', { name: 'Add variable' }).click()
    await expect(app.page.getByRole('form', { name: 'New variable' }).getByRole('alert')).toContainText('TAKEN')
    await expectCount(app.page, 1)
  })

  test('an odd name that no shell takes is warned of and taken', async ({ app }) => {
    await app.page.getByLabel('New variable name').fill('ODD.name-1')
    await expect(app.page.getByText('Shells take no such name.')).toBeVisible()
    await addVariable(app.page, 'ODD.name-1', 'fine')
    await expect(rowOf(app.page, 'ODD.name-1')).toBeVisible()
  })

  test('a value of one megabyte is kept whole', async ({ app }) => {
    const value = 'mega '.repeat(200_000).trim()
    await addVariable(app.page, 'LARGE', value)
    const row = await findVariable(app.page, 'LARGE')
    await clickTool(row, 'Edit LARGE')
    await app.page.getByRole('button', { name: 'Small editor' }).click()
    await expect(app.page.getByRole('textbox', { name: 'Value of LARGE' })).toHaveValue(value)
  })

  test('a value that is too large is refused with its limit', async ({ app }) => {
    await app.page.getByLabel('New variable name').fill('TOO_LARGE')
    await app.page.getByRole('textbox', { name: 'New variable value' }).fill('x'.repeat(3_200_000))
    await app.page.getByRole('button', { name: 'Add variable' }).click()
    await expect(app.page.getByRole('form', { name: 'New variable' }).getByRole('alert')).toContainText(/large|long|at most/i)
    await expectCount(app.page, 0)
  })

  const files: [title: string, file: string, content: Buffer, words: RegExp][] = [
    ['a .env of 10 MB', 'huge.env', Buffer.from('NAME=value\n'.repeat(1_000_000)), /at most 5 MiB/],
    ['a binary file', 'logo.png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0xff, 0xfe, 0x00]), /not text/],
    ['an empty file', 'empty.env', Buffer.alloc(0), /no variable in this text/i],
  ]
  for (const [title, file, content, words] of files) {
    test(`${title} is not imported, with the reason`, async ({ app, folder }) => {
      const chosen = path.join(folder, file)
      await writeFile(chosen, content)
      await app.page.getByRole('button', { name: 'Import', exact: true }).click()
      const dialog = app.page.getByTestId('import-dialog')
      await dialog.getByLabel('File to import').setInputFiles(chosen)
      await expect(dialog).toContainText(words)
      await dialog.getByRole('button', { name: 'Close' }).click()
      await expectCount(app.page, 0)
    })
  }

  test('lines that cannot be imported are named one by one, and the others are taken', async ({ app }) => {
    await app.page.getByRole('button', { name: 'Import', exact: true }).click()
    const dialog = app.page.getByTestId('import-dialog')
    await setCode(dialog.getByLabel('Text to import'), 'GOOD=1\nthis is not a line\nTWICE=a\nTWICE=b\n')
    await dialog.getByRole('button', { name: 'Preview' }).click()
    const invalid = dialog.locator('[data-testid="import-line"][data-status="invalid"]')
    await expect(invalid).toContainText('this is not a line')
    await expect(invalid).toContainText('There is no = here.')
    await expect(dialog.locator('[data-testid="import-line"][data-status="overridden"]')).toHaveCount(1)
    await dialog.getByRole('button', { name: 'Import 2 variables' }).click()
    await expectCount(app.page, 2)
  })

  test('a text of which nothing can be taken is looked through by keyboard', async ({ app }) => {
    await app.page.getByRole('button', { name: 'Import', exact: true }).click()
    const dialog = app.page.getByTestId('import-dialog')
    const lines = Array.from({ length: 40 }, (_, at) => `line ${at + 1} of a letter`)
    await setCode(dialog.getByLabel('Text to import'), lines.join('\n'))
    await dialog.getByRole('button', { name: 'Preview' }).click()
    const list = dialog.getByRole('list', { name: 'Lines to import' })
    await expect(list.getByText('line 1 of a letter', { exact: true })).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Nothing to import' })).toBeDisabled()
    await expectAccessible(app.page, 'an import of which nothing can be taken')
    await walkTo(app.page, 'Tab', list)
    await app.page.keyboard.press('End')
    await expect(list.getByText('line 40 of a letter')).toBeInViewport()
  })
})

test('a workspace whose database is from a newer Holdfast is left alone, with the reason', async ({ app }) => {
  await startLocalWorkspace(app.page)
  await createProject(app.page, 'Fernweh', 'Production')
  await app.quit()

  const files = await readdir(app.dataDir, { recursive: true })
  const mirrors = files.filter((file) => file.endsWith('mirror.sqlite')).map((file) => path.join(app.dataDir, file))
  expect(mirrors).toHaveLength(1)
  for (const file of mirrors) {
    const database = new Database(file)
    database.pragma('user_version = 9999')
    database.close()
  }

  await app.start()
  await unlock(app.page)
  await expect(app.page.getByRole('heading', { name: 'This workspace cannot be opened' })).toBeVisible()
  await expect(app.page.getByText(/newer/)).toBeVisible()
})
