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
import { keepPicture } from './steps/keep-picture.ts'
import { unlock } from './steps/keys.ts'
import { expectSync } from './steps/sync.ts'
import { addVariable, expectCount, findVariable, rowOf } from './steps/variables.ts'
import { walkTo } from './steps/walk-to.ts'
import { narrow } from './steps/window-sizes.ts'
import { askService, openConnectForm } from './steps/workspaces.ts'

test.describe('connecting', () => {
  test('each address or API key that does not lead to the service says why, and the right ones are taken after all', async ({
    app: { page },
    service,
  }) => {
    await openConnectForm(page)
    const alert = page.getByRole('alert')
    const invalid = page.locator('[aria-invalid="true"]')

    await test.step('an address where nothing listens', async () => {
      const port = await findQuietPort()
      await askService(page, { url: `http://127.0.0.1:${port}`, apiKey: 'whatever' })
      await expect(alert).toContainText(/reach|connect|answer/i)
      await expect(page.getByLabel('Service address')).toHaveAttribute('aria-invalid', 'true')
      await expect(page.getByLabel('Service address')).toBeFocused()
    })

    await test.step('an API key that the service does not know', async () => {
      await askService(page, { url: service.url, apiKey: 'no-such-key' })
      await expect(page.getByLabel('API key')).toHaveAttribute('aria-invalid', 'true')
      await expect(page.getByLabel('API key')).toBeFocused()
      await expect(alert).toContainText(/key/i)
    })

    await test.step('an address that is none', async () => {
      await askService(page, { url: 'not an address', apiKey: 'whatever' })
      await expect(page.getByLabel('API key')).not.toHaveAttribute('aria-invalid', 'true')
      await expect(alert).toContainText(/address/i)
    })

    await test.step('a web page where the service should be', async () => {
      const web = createServer((_request, response) =>
        response.setHeader('content-type', 'text/html').end('<!doctype html><h1>Welcome</h1>'),
      )
      await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
      const { port } = web.address() as AddressInfo
      await askService(page, { url: `http://127.0.0.1:${port}`, apiKey: 'whatever' })
      await expect(alert).toContainText('web page')
      await expect(page.getByLabel('Service address')).toHaveAttribute('aria-invalid', 'true')
      web.close()
    })

    await test.step('plain http to another machine is refused until confirmed', async () => {
      await askService(page, { url: 'http://config.example.com', apiKey: 'whatever' })
      await expect(alert).toContainText(/https|encrypt/i)
      const consent = page.getByRole('checkbox', { name: /^Connect without encryption/ })
      await consent.click()
      await page.getByLabel('Service address').fill('http://other.example.com')
      await expect(consent, 'the consent was to another address').toBeHidden()
    })

    await askService(page, service)
    await expect(page.getByRole('radio', { name: 'Create a new key' })).toBeVisible()
    await expect(invalid).toHaveCount(0)
  })

  test('the workspace key of another workspace', async ({ startApp, service }) => {
    const owner = await startApp('owner', {
      workspace: { service, projects: { Fernweh: { Production: { SEALED: 'under the right key' } } } },
    })
    const key = owner.workspaceKey
    await expectSync(owner.page, 'synced')

    const stranger = await startApp('stranger')
    await openConnectForm(stranger.page)
    await askService(stranger.page, service)
    const field = stranger.page.getByRole('textbox', { name: 'Workspace key' })
    await expect(field).toBeFocused()
    await field.fill(Buffer.alloc(32, 7).toString('base64'))
    await stranger.page.getByRole('button', { name: 'Connect' }).click()
    await expect(stranger.page.getByRole('alert')).toContainText('doesn’t decrypt this workspace’s values')
    await field.fill('not a key at all')
    await stranger.page.getByRole('button', { name: 'Connect' }).click()
    await expect(stranger.page.getByRole('alert')).toContainText(/key/i)
    await field.fill(key)
    await stranger.page.getByRole('button', { name: 'Connect' }).click()
    await expect(stranger.page.getByTestId('sync-pill')).toBeVisible()
  })

  test('a revoked API key, then one of another workspace: the edits stay', async ({ startApp, stage, service, folder }) => {
    const app = await startApp('holdfast', { workspace: { service, projects: { Fernweh: { Production: { KEPT: 'whatever happens' } } } } })
    await expectSync(app.page, 'synced')
    const url = service.url
    await service.stop()

    // Another workspace answers at the same address.
    const other = new ServiceOnStage(stage, path.join(folder, 'other'), Number(new URL(url).port))
    await other.start()
    try {
      await addVariable(app.page, 'UNSENT', 'still here')
      await expectSync(app.page, /attention|paused/)
      await app.page.getByRole('button', { name: 'Enter an API key' }).press('Enter')
      await expect(app.page.getByLabel('API key')).toBeFocused()
      await app.page.getByLabel('API key').fill(other.apiKey)
      await app.page.getByRole('button', { name: 'Continue' }).click()
      await expect(app.page.getByRole('alert')).toContainText('Nothing was changed.')
      await expect(await findVariable(app.page, 'UNSENT')).toBeVisible()
    } finally {
      await other.stop()
    }
  })
})

test.describe('typing and importing', () => {
  test.use({ workspace: { projects: { Fernweh: { Production: {} } } } })

  const names: [name: string, words: RegExp][] = [
    ['WITH/SLASH', /can’t contain "\/"/],
    ['.', /can’t be "\."/],
    ['..', /can’t be "\."/],
    ['TAKEN', /TAKEN/],
  ]
  test('names that cannot be taken say why, one that no shell takes is warned of and taken', async ({ app: { page } }) => {
    await addVariable(page, 'TAKEN', 'first')
    for (const [name, words] of names) {
      await test.step(`a variable called ${JSON.stringify(name)}`, async () => {
        await page.getByLabel('New variable name').fill(name)
        await page.getByRole('textbox', { name: 'New variable value' }).fill('value')
        await page.getByRole('button', { name: 'Add variable' }).click()
        await expect(page.getByRole('form', { name: 'New variable' }).getByRole('alert')).toHaveText(words)
        await expectCount(page, 1)
      })
    }
    await page.getByLabel('New variable name').fill('ODD.name-1')
    await expect(page.getByText('Not a valid shell variable name.')).toBeVisible()
    await addVariable(page, 'ODD.name-1', 'fine')
    await expect(rowOf(page, 'ODD.name-1')).toBeVisible()
  })

  test('a value that is too large is refused with its limit, and one of half a megabyte is kept whole', async ({ app: { page } }) => {
    await page.getByLabel('New variable name').fill('TOO_LARGE')
    await page.getByRole('textbox', { name: 'New variable value' }).fill('x'.repeat(600_000))
    await page.getByRole('button', { name: 'Add variable' }).click()
    await expect(page.getByRole('form', { name: 'New variable' }).getByRole('alert')).toContainText(/large|long|at most/i)
    await expectCount(page, 0)

    const value = 'mega '.repeat(100_000).trim()
    await addVariable(page, 'LARGE', value)
    const row = await findVariable(page, 'LARGE')
    await clickTool(row, 'Edit LARGE')
    await page.getByRole('button', { name: 'Small editor' }).click()
    await expect(page.getByRole('textbox', { name: 'Value of LARGE' })).toHaveValue(value)
  })

  const files: [title: string, file: string, content: Buffer, words: RegExp][] = [
    ['a .env of 10 MB', 'huge.env', Buffer.from('NAME=value\n'.repeat(1_000_000)), /at most 5 MiB/],
    ['a binary file', 'logo.png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0xff, 0xfe, 0x00]), /isn’t UTF-8 text/],
    ['an empty file', 'empty.env', Buffer.alloc(0), /no variables found in this text/i],
  ]
  test('files that cannot be imported say why, and change nothing', async ({ app: { page }, folder }) => {
    for (const [title, file, content, words] of files) {
      await test.step(title, async () => {
        const chosen = path.join(folder, file)
        await writeFile(chosen, content)
        await page.getByRole('button', { name: 'Import', exact: true }).click()
        const dialog = page.getByTestId('import-dialog')
        await dialog.getByLabel('File to import').setInputFiles(chosen)
        await expect(dialog).toContainText(words)
        await dialog.getByRole('button', { name: 'Close' }).click()
        await expect(dialog).toHaveCount(0)
        await expectCount(page, 0)
      })
    }
  })

  test('lines that cannot be imported are named one by one, and the others are taken', async ({ app }) => {
    await app.page.getByRole('button', { name: 'Import', exact: true }).click()
    const dialog = app.page.getByTestId('import-dialog')
    await setCode(dialog.getByLabel('Text to import'), 'GOOD=1\nthis is not a line\nTWICE=a\nTWICE=b\n')
    await dialog.getByRole('button', { name: 'Preview' }).click()
    const invalid = dialog.locator('[data-testid="import-line"][data-status="invalid"]')
    await expect(invalid).toContainText('There’s no = here.')
    // It may be a part of a secret.
    await expect(invalid).not.toContainText('this is not a line')
    await dialog.getByRole('checkbox', { name: 'Show secrets' }).click()
    await expect(invalid).toContainText('this is not a line')
    await expect(dialog.locator('[data-testid="import-line"][data-status="overridden"]')).toHaveCount(1)
    await dialog.getByRole('button', { name: 'Import 2 variables' }).click()
    await expectCount(app.page, 2)
  })

  test('why a line cannot be imported is read whole, in the narrowest window too', async ({ app }) => {
    await app.page.setViewportSize(narrow)
    await app.page.getByRole('button', { name: 'Import', exact: true }).click()
    const dialog = app.page.getByTestId('import-dialog')
    await setCode(dialog.getByLabel('Text to import'), '{"PORT": 80, "SERVERS": ["a", "b"]}')
    await dialog.getByRole('button', { name: 'Preview' }).click()
    const reason = dialog.getByText(/is a list\..*quoted string\.$/)
    await expect(reason).toBeInViewport({ ratio: 1 })
    const isWhole = (element: HTMLElement) => element.scrollWidth <= element.clientWidth && element.scrollHeight <= element.clientHeight
    expect(await reason.evaluate(isWhole)).toBe(true)
    await keepPicture(app.page, 'browser', 'import-reasons')
  })

  test('a text of which nothing can be taken is looked through by keyboard', async ({ app }) => {
    await app.page.getByRole('button', { name: 'Import', exact: true }).click()
    const dialog = app.page.getByTestId('import-dialog')
    const lines = Array.from({ length: 40 }, (_, at) => `line ${at + 1} of a letter`)
    await setCode(dialog.getByLabel('Text to import'), lines.join('\n'))
    await dialog.getByRole('button', { name: 'Preview' }).click()
    const list = dialog.getByRole('list', { name: 'Lines to import' })
    await dialog.getByRole('checkbox', { name: 'Show secrets' }).click()
    await expect(list.getByText('line 1 of a letter', { exact: true })).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Nothing to import' })).toBeDisabled()
    await expectAccessible(app.page, 'an import of which nothing can be taken')
    await walkTo(app.page, 'Tab', list)
    await app.page.keyboard.press('End')
    await expect(list.getByText('line 40 of a letter')).toBeInViewport()
  })
})

test('a workspace whose database is from a newer Holdfast is left alone, with the reason', async ({ startApp }) => {
  const app = await startApp('holdfast', { workspace: { projects: { Fernweh: { Production: {} } } } })
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
  await expect(app.page.getByRole('heading', { name: 'This workspace can’t be opened' })).toBeVisible()
  await expect(app.page.getByText(/newer/)).toBeVisible()
})
