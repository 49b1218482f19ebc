import path from 'node:path'
import { findOnPath } from '../support/find-on-path.ts'
import { expect, test } from './fixtures.ts'
import { startPrivateKeyring } from './private-keyring.ts'
import { look } from './steps/look.ts'
import { addVariable, expectValue } from './steps/variables.ts'
import { createProject } from './steps/workspaces.ts'

const missing = ['dbus-daemon', 'dbus-send', 'gnome-keyring-daemon'].filter((program) => findOnPath(program) === null)
test.skip(missing.length > 0, `Not installed: ${missing.join(', ')} (Debian: dbus, gnome-keyring).`)

test('with a keychain nothing is asked, and values open again after a restart', { tag: '@shell' }, async ({ startApp, folder }) => {
  const keyring = await startPrivateKeyring(path.join(folder, 'keyring'))
  try {
    const app = await startApp('holdfast', { keychain: { busAddress: keyring.busAddress } })
    await app.page.getByRole('button', { name: 'Start a local workspace' }).click()
    await createProject(app.page, 'Fernweh', 'Production')
    await addVariable(app.page, 'GREETING', 'kept by the keychain')
    await expectValue(app.page, 'GREETING', 'kept by the keychain')

    await app.restart()
    await expectValue(app.page, 'GREETING', 'kept by the keychain')
    await app.quit()
  } finally {
    await keyring.stop()
  }
})

test('a PIN is set, asked for after a lock, and changed by whoever knows it', async ({ startApp, folder }) => {
  const keyring = await startPrivateKeyring(path.join(folder, 'keyring'))
  try {
    const app = await startApp('holdfast', { keychain: { busAddress: keyring.busAddress } })
    const { page } = app
    await page.getByRole('button', { name: 'Start a local workspace' }).click()
    await createProject(page, 'Fernweh', 'Production')
    const openKeys = async () => {
      await page.keyboard.press('ControlOrMeta+,')
      await page.getByTestId('settings-dialog').getByRole('tab', { name: 'Keys' }).click()
    }
    await openKeys()
    await page.getByRole('button', { name: 'Set PIN…' }).click()
    await expect(page.getByLabel('New PIN')).toBeFocused()
    await page.keyboard.type('123')
    await page.keyboard.press('Enter')
    await expect(page.getByLabel('New PIN')).toHaveAttribute('aria-invalid', 'true')
    await look(page, 'a PIN that is too short')
    await page.getByLabel('New PIN').fill('271828')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: 'Change PIN…' })).toBeFocused()
    await page.keyboard.press('Escape')

    await page.keyboard.press('ControlOrMeta+Shift+L')
    await expect(page.getByLabel('PIN')).toBeFocused()
    await look(page, 'unlock by PIN')
    await page.keyboard.type('314159')
    await page.keyboard.press('Enter')
    await expect(page.getByLabel('PIN')).toHaveAttribute('aria-invalid', 'true')
    await look(page, 'a wrong PIN')
    await page.getByLabel('PIN').fill('271828')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: /^Workspace / })).toBeVisible()

    await openKeys()
    await page.getByRole('button', { name: 'Change PIN…' }).click()
    await expect(page.getByLabel('Current PIN')).toBeFocused()
    await look(page, 'change of a PIN')
    await page.keyboard.type('271828')
    await page.getByRole('button', { name: 'Remove PIN' }).click()
    await expect(page.getByRole('button', { name: 'Set PIN…' })).toBeVisible()
    await app.quit()
  } finally {
    await keyring.stop()
  }
})

const prompts = [
  // A busy machine may take as long to show no prompt as a person takes to dismiss one.
  {
    prompt: 'cannot be shown',
    promptSeconds: 0,
    first: 'system keychain is locked|keychain request was canceled',
    afterwards: 'is locked|wasn’t unlocked',
  },
  { prompt: 'is dismissed after a while', promptSeconds: 1, first: 'keychain request was canceled', afterwards: 'wasn’t unlocked' },
]
for (const { prompt, promptSeconds, first, afterwards } of prompts) {
  test(
    `a keychain that is locked and whose prompt ${prompt} is told as such, and opens once it is unlocked`,
    { tag: '@shell' },
    async ({ startApp, folder }) => {
      const home = path.join(folder, 'keyring')
      const before = await startPrivateKeyring(home)
      const keychain = { busAddress: before.busAddress }
      const app = await startApp('holdfast', { keychain })
      await app.page.getByRole('button', { name: 'Start a local workspace' }).click()
      await createProject(app.page, 'Fernweh', 'Production')
      await addVariable(app.page, 'GREETING', 'still here')
      await app.quit()
      await before.stop()

      const keyring = await startPrivateKeyring(home, { locked: true, promptSeconds })
      try {
        keychain.busAddress = keyring.busAddress
        await app.start()
        const { page } = app
        await expect(page.getByRole('heading', { name: 'Holdfast is locked' })).toBeVisible({ timeout: 60_000 })
        await expect(page.getByText(new RegExp(`^The (${first})\\. Your keys are stored there, and nothing is lost\\.`))).toBeVisible()
        await look(page, `a locked keychain whose prompt ${prompt}`)
        await page.getByRole('button', { name: 'Try again' }).click()
        await expect(page.getByRole('alert')).toContainText(new RegExp(`The system keychain (${afterwards})\\.`))
        await look(page, `a keychain that stays locked, whose prompt ${prompt}`)
        await keyring.unlock()
        await page.getByRole('button', { name: 'Try again' }).click()
        await expectValue(page, 'GREETING', 'still here')
        await app.quit()
      } finally {
        await keyring.stop()
      }
    },
  )
}

test('a keychain that is gone is told as such, and nothing is lost', { tag: '@shell' }, async ({ startApp, folder }) => {
  const home = path.join(folder, 'keyring')
  const keyring = await startPrivateKeyring(home)
  const app = await startApp('holdfast', { keychain: { busAddress: keyring.busAddress } })
  await app.page.getByRole('button', { name: 'Start a local workspace' }).click()
  await createProject(app.page, 'Fernweh', 'Production')
  await addVariable(app.page, 'GREETING', 'still here')
  await app.quit()
  await keyring.stop()

  await app.start()
  await expect(app.page.getByRole('heading', { name: 'Holdfast is locked' })).toBeVisible({ timeout: 60_000 })
  await expect(app.page.getByRole('button', { name: 'Try again' })).toBeVisible()
  await look(app.page, 'a locked keychain')
})
