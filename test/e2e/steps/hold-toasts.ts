import type { Page } from '@playwright/test'
import { toastTimes } from '../../../src/domain/toast-times.ts'

/**
 * Keeps what is said in passing on the screen until something else is said or it is dismissed: on a busy machine its seconds are over before a
 * spec has looked. Of the page's timers only those of toasts do not run out; they begin again when the page is loaded anew.
 */
export const holdToasts = (page: Page): Promise<void> =>
  page.evaluate(
    (times) => {
      const { setTimeout } = window
      const held = (run: TimerHandler, ms?: number, ...args: unknown[]) =>
        ms !== undefined && times.includes(ms) ? 0 : setTimeout(run, ms, ...args)
      Object.assign(window, { setTimeout: held })
    },
    Object.values(toastTimes) as number[],
  )
