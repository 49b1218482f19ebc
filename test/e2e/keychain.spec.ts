import path from 'node:path'
import { findOnPath } from '../support/find-on-path.ts'
import { expect, test } from './fixtures.ts'
import { startPrivateKeyring } from './private-keyring.ts'
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
})
