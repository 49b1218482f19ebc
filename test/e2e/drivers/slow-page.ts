import type { Page } from '@playwright/test'

/** How late a message or script may come, in milliseconds; null: nothing is slowed down. */
const lateMs = process.env['HOLDFAST_E2E_SLOW'] === undefined ? null : Number(process.env['HOLDFAST_E2E_SLOW'])

/** How much longer the page's scripts take. */
const cpuRate = 3

/**
 * With HOLDFAST_E2E_SLOW=300 a page is slower than on any busy machine: messages of the application come up to 300 ms late (in their order), as do
 * the scripts it loads. A spec that waits for a time, or for the wrong state, then fails at once and not in one run of a thousand.
 */
export async function slowPage(page: Page): Promise<void> {
  if (lateMs === null) return
  const delay = () => new Promise((resolve) => setTimeout(resolve, Math.random() * lateMs))
  await page.routeWebSocket(/\/bridge$/, (socket) => {
    let last: Promise<unknown> = Promise.resolve()
    socket.connectToServer().onMessage((message) => {
      const due = delay()
      last = last.then(() => due).then(() => socket.send(message))
    })
  })
  await page.route(/\/assets\/.*\.(js|css)$/, async (route) => {
    await delay()
    // The page may be closed by then.
    await route.continue().catch(() => undefined)
  })
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: cpuRate })
}
