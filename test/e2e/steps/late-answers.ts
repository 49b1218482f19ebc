import type { Page } from '@playwright/test'

/**
 * Loads the page anew with an application that is slow from the call of the returned function on: each of its messages then comes `lateMs`
 * late, in their order. In Electron nothing is late: its messages come through no socket.
 */
export async function lateAnswers(page: Page, lateMs: number): Promise<() => void> {
  let isLate = false
  await page.routeWebSocket(/\/bridge$/, (socket) => {
    let last: Promise<unknown> = Promise.resolve()
    socket.connectToServer().onMessage((message) => {
      const due = new Promise((resolve) => setTimeout(resolve, isLate ? lateMs : 0))
      last = last.then(() => due).then(() => socket.send(message))
    })
  })
  await page.reload()
  return () => {
    isLate = true
  }
}
