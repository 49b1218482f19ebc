import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'

type State = 'synced' | 'syncing' | 'queued' | 'offline' | 'attention' | 'paused'

/** Waits until the sync pill stands at one of `states`, and stays there for a moment: an edit just made has not reached it yet. */
export async function expectSync(page: Page, states: State | RegExp): Promise<void> {
  const pill = page.getByTestId('sync-pill')
  await expect(async () => {
    await expect(pill).toHaveAttribute('data-state-sync', states)
    await page.waitForTimeout(500)
    await expect(pill).toHaveAttribute('data-state-sync', states, { timeout: 1 })
  }).toPass({ timeout: 60_000 })
}

/** Opens what the sync pill opens. */
export async function openQueue(page: Page): Promise<void> {
  await page.getByTestId('sync-pill').click()
  await expect(page.getByTestId('queue-panel')).toBeVisible()
}

export async function closeQueue(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await expect(page.getByTestId('queue-panel')).toBeHidden()
}

/** Asks for a sync now, as a user does who knows that the service is back. */
export async function syncNow(page: Page): Promise<void> {
  await openQueue(page)
  await page.getByTestId('queue-panel').getByRole('button', { name: 'Sync now' }).click()
  await closeQueue(page)
}
