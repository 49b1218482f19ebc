import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from './fixtures.ts'
import { readClipboard } from './steps/clipboard.ts'
import { unlock } from './steps/keys.ts'
import { expectSync } from './steps/sync.ts'
import { editVariable, findVariable } from './steps/variables.ts'
import { startLocalWorkspace } from './steps/workspaces.ts'

test('Ctrl+Shift+L locks, memory is scrubbed without a complaint, and the passphrase unlocks', { tag: '@shell' }, async ({ app }) => {
  const { page } = app
  await startLocalWorkspace(page)
  await expect(page.getByRole('textbox', { name: 'New project name' })).toBeFocused()
  await page.keyboard.press('ControlOrMeta+Shift+L')
  await expect(page.getByText('You locked Holdfast.')).toBeVisible()
  // Scrubbing is done some seconds after the lock, when calls under way have ended.
  await new Promise((resolve) => setTimeout(resolve, 8000))
  await unlock(page)
  await expect(page.getByRole('button', { name: /^Workspace / })).toBeVisible()
  const log = await readFile(path.join(app.dataDir, 'logs/holdfast.log'), 'utf8')
  expect(log).not.toContain('unhandled rejection')
})

test('a lock takes a copied value off the clipboard at once', { tag: '@shell' }, async ({ startApp, driver }) => {
  const app = await startApp('holdfast', { workspace: { projects: { Fernweh: { Production: { API_TOKEN: 'sesame' } } } } })
  const { page } = app
  await findVariable(page, 'API_TOKEN')
  await page.getByTestId('variables-grid').press('ControlOrMeta+c')
  await expect(page.getByText('Copied API_TOKEN. Clears in 30 seconds')).toBeVisible()
  expect(await readClipboard(app, driver)).toBe('sesame')
  // A page that is loading answers nothing.
  const reloaded = page.waitForEvent('load')
  await page.keyboard.press('ControlOrMeta+Shift+L')
  await reloaded
  await expect(page.getByText('You locked Holdfast.')).toBeVisible()
  // Its time would be up later.
  await expect.poll(() => readClipboard(app, driver), { timeout: 15_000 }).toBe('')
})

test('after a lock no field asks for the passphrase before the page is reloaded: what was typed into it would be lost', async ({
  startApp,
}) => {
  const { page } = await startApp('holdfast', { workspace: { projects: { Fernweh: { Production: { API_TOKEN: 'sesame' } } } } })
  await findVariable(page, 'API_TOKEN')
  await page.getByTestId('variables-grid').press('ControlOrMeta+c')
  await expect(page.getByText('Copied API_TOKEN. Clears in 30 seconds')).toBeVisible()
  // The reload waits a second for the clipboard, which does not answer.
  await page.evaluate(() => {
    navigator.permissions.query = () => new Promise(() => undefined)
    addEventListener('pagehide', () => sessionStorage.setItem('field left', String(document.activeElement instanceof HTMLInputElement)))
  })
  const reloaded = page.waitForEvent('load')
  await page.keyboard.press('ControlOrMeta+Shift+L')
  await reloaded
  await expect(page.getByLabel('Passphrase')).toBeFocused()
  expect(await page.evaluate(() => sessionStorage.getItem('field left'))).toBe('false')
  await unlock(page)
  await findVariable(page, 'API_TOKEN')
})

test('after an unlock the screen and the row that were active are back, and the tab has kept only their ids', async ({ startApp }) => {
  const values = { A_HOST: 'one', B_PORT: 'two', C_PATH: 'three' }
  const { page } = await startApp('holdfast', { workspace: { projects: { Fernweh: { Production: values, Staging: values } } } })
  const lockAndUnlock = async () => {
    const reloaded = page.waitForEvent('load')
    await page.keyboard.press('ControlOrMeta+Shift+L')
    await reloaded
    await expect(page.getByLabel('Passphrase')).toBeFocused()
    const kept = await page.evaluate(() => JSON.stringify({ ...sessionStorage }))
    for (const plain of [...Object.entries(values).flat(), 'Fernweh', 'Staging']) expect(kept).not.toContain(plain)
    await unlock(page)
  }
  const grid = page.getByTestId('variables-grid')
  await page.getByRole('treeitem', { name: /^Staging/ }).click()
  await expect(page).toHaveTitle(/Staging/)
  await grid.focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await lockAndUnlock()
  await expect(page).toHaveTitle(/Staging/)
  await expect(grid).toBeFocused()
  await expect(grid).toHaveAttribute('aria-activedescendant', 'cell-2-value')
  expect((await page.evaluate(() => Object.keys(sessionStorage))).filter((key) => key.includes('left-at'))).toEqual([])

  for (const [key, title] of [
    ['c', 'Fernweh / Compare'],
    ['v', 'Fernweh / Staging'],
  ] as const) {
    await grid.press(key)
    await expect(grid).toHaveCount(0)
    const active = page.locator('main [role="grid"]')
    if (key === 'c') {
      await expect(active).toHaveAttribute('aria-activedescendant', 'compare-2-1')
      await active.press('ArrowUp')
      await active.press('ArrowLeft')
    }
    await lockAndUnlock()
    if (key === 'c') await expect(active).toHaveAttribute('aria-activedescendant', 'compare-1-0')
    await expect(page.locator('main h1')).toHaveText(key === 'c' ? /Compare/ : /Versions/)
    await expect(page).toHaveTitle(new RegExp(title))
    await page.keyboard.press('Escape')
    await expect(grid).toHaveAttribute('aria-activedescendant', 'cell-2-value')
  }
})

test('who can’t unlock is offered to export unsent changes, and only where there are some', async ({ startApp, service, driver }) => {
  const app = await startApp('holdfast', { workspace: { service, projects: { Fernweh: { Production: { GREETING: 'hello' } } } } })
  const { page } = app
  const lock = async () => {
    const reloaded = page.waitForEvent('load')
    await page.keyboard.press('ControlOrMeta+Shift+L')
    await reloaded
    await expect(page.getByLabel('Passphrase')).toBeFocused()
  }
  const fail = async () => {
    await page.getByLabel('Passphrase').fill('not it')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Wrong passphrase.')).toBeVisible()
  }
  const way = page.getByRole('button', { name: 'Export unsent changes (encrypted)' })
  await service.stop()
  await editVariable(page, 'GREETING', 'good day')
  await expectSync(page, /offline|queued/)
  await lock()
  await expect(way).toHaveCount(0)
  await fail()
  await expect(way).toBeVisible()
  // Electron asks for a place with the system's own dialog.
  if (driver === 'browser') {
    const download = page.waitForEvent('download')
    await way.click()
    expect(await readFile(await (await download).path(), 'utf8')).toContain('unsent-edits')
  }
  await unlock(page)
  await service.start()
  await expectSync(page, 'synced')

  await lock()
  await fail()
  await expect(way).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Unlock' })).toBeVisible()
})
