import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'

type State = 'synced' | 'syncing' | 'queued' | 'offline' | 'attention' | 'paused'

/**
 * Waits until the sync pill stands at one of `states`. An edit is in it as soon as the edit is done: the application tells what a
 * command changed before it answers, and the pill stands at `behind` until it has asked anew.
 */
export async function expectSync(page: Page, states: State | RegExp): Promise<void> {
  await expect(page.getByTestId('sync-pill')).toHaveAttribute('data-state-sync', states, { timeout: 120_000 })
}

/** Opens what the sync pill opens. */
export async function openQueue(page: Page): Promise<void> {
  await page.getByTestId('sync-pill').click()
  // It takes the keyboard a moment after it is there, and its list when that has come: a key pressed before would go to the pill or to nothing.
  const panel = page.getByTestId('queue-panel')
  await expect(panel.locator(':focus')).toHaveCount(1)
  await expect(panel.locator('[aria-busy="true"]')).toHaveCount(0)
}

export async function closeQueue(page: Page): Promise<void> {
  await page.getByTestId('queue-panel').press('Escape')
  await expect(page.getByTestId('queue-panel')).toBeHidden()
}

/** Asks for a sync now, as a user does who knows that the service is back. */
export async function syncNow(page: Page): Promise<void> {
  await openQueue(page)
  await page.getByTestId('queue-panel').getByRole('button', { name: 'Sync now' }).click()
  await closeQueue(page)
}
