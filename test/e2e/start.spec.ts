import { spawnSync } from 'node:child_process'
import { readdir, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { startHostProcess } from './drivers/start-in-browser.ts'
import { expect, test } from './fixtures.ts'
import { databaseOf } from './steps/database-of.ts'
import { passphrase, unlock } from './steps/keys.ts'
import { look } from './steps/look.ts'
import { expectSync } from './steps/sync.ts'
import { expectValue } from './steps/variables.ts'

const root = path.resolve(import.meta.dirname, '../..')

/** Runs what follows among mounts of its own, after the mounts of `script`, whose $0 is `dataDir`. */
const mounted = (script: string, dataDir: string) => ['unshare', '-rm', 'sh', '-c', `${script} && exec "$@"`, dataDir]
const readOnly = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0"'
/** A small disk with the data folder on it, and a file that fills it up until `$0.full` is removed. */
const full = `mount -t tmpfs tmpfs /mnt && cp -a "$0"/. /mnt && mount -t tmpfs -o size=4m tmpfs "$0" && cp -a /mnt/. "$0" || exit 1
cat /dev/zero 2>&- >"$0/fill" || true
(while [ -e "$0.full" ]; do sleep 0.1; done; rm "$0/fill") & true`
const canMount = spawnSync('unshare', ['-rm', 'sh', '-c', `mount -t tmpfs tmpfs /mnt && ${readOnly}`, tmpdir()]).status === 0
const noMounts = 'Read-only and full disks need Linux, and its leave to mount.'

/** Starts the browser host on a folder it cannot use, and gives what it said. */
function startOn(dataDir: string, through: readonly string[] = []): { status: number | null; stderr: string } {
  const [command, ...args] = [...through, process.execPath, 'electron/host/main.ts', '--port', '0', '--data-dir', dataDir, '--no-open']
  const { status, stderr } = spawnSync(command, args, { cwd: root, encoding: 'utf8', timeout: 180_000 })
  return { status, stderr }
}

test('a data folder that cannot be written is told in one sentence', async ({ folder }) => {
  const file = path.join(folder, 'file')
  await writeFile(file, 'not a folder')
  // On Linux even root may not write to /sys.
  const folders = [path.join(file, 'data'), ...(process.platform === 'linux' ? ['/sys/holdfast'] : [])]
  for (const dataDir of folders) expectRefused(dataDir, startOn(dataDir))
})

test('a data folder on a disk that is read-only is told in one sentence', async ({ folder }) => {
  test.skip(!canMount, noMounts)
  expectRefused(folder, startOn(folder, mounted(readOnly, folder)))
})

const expectRefused = (dataDir: string, { status, stderr }: ReturnType<typeof startOn>) => {
  expect(stderr).toContain(dataDir)
  expect(stderr).toContain('--data-dir')
  expect(stderr).not.toContain('    at ')
  expect(status).toBe(1)
}

test('a data folder that another Holdfast works in is left to it', { tag: '@shell' }, async ({ app }) => {
  await expect(app.page.getByRole('heading', { name: 'Welcome to Holdfast' })).toBeVisible()
  const { status, stderr } = startOn(app.dataDir)
  expect(stderr).toContain('Another Holdfast is already using')
  expect(status).toBe(1)
  await expect(app.page.getByRole('heading', { name: 'Welcome to Holdfast' })).toBeVisible()
})

const workspace = { projects: { Fernweh: { Production: { GREETING: 'still here' } } } }

test('a vault file that is missing is said before a passphrase is typed, and opens once it is put back', async ({ startApp }) => {
  const app = await startApp('holdfast', { workspace })
  await app.quit()
  const vault = path.join(app.dataDir, 'keys.vault')
  await rename(vault, `${vault}.moved`)
  await app.start()
  const { page } = app
  await expect(page.getByRole('alert')).toContainText(`The vault file keys.vault is missing from ${app.dataDir}.`)
  await look(page, 'a missing vault file')
  await unlock(page)
  await expect(page.getByRole('alert')).toContainText(`The vault file ${vault} is missing.`)
  expect(await readdir(app.dataDir)).not.toContain('keys.vault')

  await rename(`${vault}.moved`, vault)
  await unlock(page)
  await expectValue(page, 'GREETING', 'still here')
})

test('a vault file that is lost is made anew by choice, and the workspace asks for its keys', async ({ startApp, service }) => {
  const app = await startApp('holdfast', { workspace: { service, ...workspace } })
  await app.quit()
  await rm(path.join(app.dataDir, 'keys.vault'))
  await app.start()
  const { page } = app
  await page.getByRole('button', { name: 'Create a new vault…' }).click()
  await page.getByLabel('Passphrase', { exact: true }).fill(passphrase)
  await page.getByLabel('Confirm passphrase').fill(passphrase)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Enter the keys' }).click()
  await page.getByLabel('API key').fill(service.apiKey)
  await page.getByLabel('Workspace key').fill(app.workspaceKey)
  await page.keyboard.press('Enter')
  await expectValue(page, 'GREETING', 'still here')
})

const harmed = [
  { what: 'a vault file that is damaged', file: 'keys.vault', says: 'The vault file is damaged.' },
  { what: 'a workspace whose description is damaged', file: 'workspace.json', says: 'workspace.json is damaged' },
  { what: 'a workspace whose database is damaged', file: 'mirror.sqlite', says: 'The database of this workspace is damaged' },
] as const
for (const { what, file, says } of harmed) {
  test(`${what} is told in a sentence`, async ({ startApp }) => {
    const app = await startApp('holdfast', { workspace })
    await app.quit()
    const [id = ''] = await readdir(path.join(app.dataDir, 'workspaces'))
    const at = file === 'keys.vault' ? path.join(app.dataDir, file) : path.join(app.dataDir, 'workspaces', id, file)
    await writeFile(at, 'no file of Holdfast any more. '.repeat(100))
    await app.start()
    await unlock(app.page)
    await expect(app.page.getByText(says)).toBeVisible()
    await look(app.page, what)
  })
}

test('a workspace whose database is missing says so, opens once it is put back, and gets a new one only by choice', async ({
  startApp,
}) => {
  const app = await startApp('holdfast', { workspace })
  await app.quit()
  const file = await databaseOf(app)
  await rename(file, `${file}.away`)
  await app.start()
  const { page } = app
  await unlock(page)
  await expect(page.getByText('The database of this workspace is missing.', { exact: false })).toBeVisible()
  await look(page, 'a missing database')
  await rename(`${file}.away`, file)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expectValue(page, 'GREETING', 'still here')
  await expectSync(page, 'synced')
  await app.quit()
  await rm(file)
  await app.start()
  await unlock(app.page)
  await app.page.getByRole('button', { name: 'Create a new database' }).click()
  await expect(app.page.getByTestId('repair-note')).toContainText('was missing')
  await expectValue(app.page, 'GREETING', 'still here')
})

test('a workspace on a full disk says so, and opens once there is room', async ({ startApp, tabs }) => {
  test.skip(tabs === null || !canMount, noMounts)
  const app = await startApp('holdfast', { workspace, ownProcess: true })
  await app.quit()
  const isFull = `${app.dataDir}.full`
  await writeFile(isFull, '')
  const host = await startHostProcess({ dataDir: app.dataDir, keychain: 'none' }, mounted(full, app.dataDir))
  const page = (await tabs?.newPage()) as Page
  try {
    await page.goto(host.url)
    await unlock(page)
    await expect(page.getByText('The disk is full. Free some space, then try again.')).toBeVisible()
    await look(page, 'a full disk')
    await rm(isFull)
    await expect(async () => {
      await page.getByRole('button', { name: 'Try again' }).click({ timeout: 5000 })
      await expect(page.getByTestId('variables-grid')).toBeVisible({ timeout: 5000 })
    }).toPass()
    await expectValue(page, 'GREETING', 'still here')
  } finally {
    await rm(isFull, { force: true })
    await page.close()
    await host.end('SIGTERM')
  }
})
