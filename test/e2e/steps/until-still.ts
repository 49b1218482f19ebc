import type { Page } from '@playwright/test'

/** Waits until nothing on the screen fades or moves any more: half faded in, a text has a contrast that it never has at rest. */
export async function untilStill(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    document.getAnimations().every((animation) => {
      const { endTime } = animation.effect?.getComputedTiming() ?? {}
      return animation.playState !== 'running' || endTime === Infinity
    }),
  )
}
