import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'

export const passphrase = 'seven quiet herons at low tide'

/** On the screen that asks where keys live: a vault under `passphrase`. */
export async function chooseVault(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Where should Holdfast store your keys?' })).toBeVisible()
  await page.getByRole('radio', { name: 'A vault with a passphrase' }).check()
  await page.getByLabel('Passphrase', { exact: true }).fill(passphrase)
  await page.getByLabel('Confirm passphrase').fill(passphrase)
  await page.getByRole('button', { name: 'Continue' }).click()
}

/** On the screen of a locked vault. */
export async function unlock(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Unlock Holdfast' })).toBeVisible()
  await page.getByLabel('Passphrase').fill(passphrase)
  await page.getByRole('button', { name: 'Unlock' }).click()
}

/** On any screen: locks, and unlocks again. The page is loaded anew. */
export async function lockAndUnlock(page: Page): Promise<void> {
  await page.keyboard.press('ControlOrMeta+Shift+L')
  await expect(page.getByText('You locked Holdfast.')).toBeVisible()
  await unlock(page)
}

/** On the screen that shows a recovery key: the key, once the user has said to have written it down. */
export async function writeDownRecoveryKey(page: Page): Promise<string> {
  await expect(page.getByRole('heading', { name: 'Write down the workspace key' })).toBeVisible()
  await expect(page.getByRole('main')).toContainText('It decrypts every value in the workspace.')
  await expect(page.getByTestId('recovery-key')).toHaveText(/\S/)
  const key = (await page.getByTestId('recovery-key').innerText()).trim()
  const go = page.getByRole('button', { name: 'Continue' })
  await expect(go).toBeDisabled()
  await page.getByRole('checkbox', { name: 'I’ve written it down' }).click()
  await go.click()
  return key
}
