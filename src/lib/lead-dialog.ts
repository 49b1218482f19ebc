import { tick } from 'svelte'

/**
 * Gives the keyboard to the main button of a dialog as soon as `isReady`, which is tracked, and until then to the dialog itself: the button that
 * led here has gone, and what would take its place is the one that closes. Spread it on the button, or attach it.
 */
export const leadDialog =
  (isReady: () => boolean) =>
  (button: HTMLElement): void => {
    const isReadyNow = isReady()
    void tick().then(() => {
      if (isReadyNow && !button.matches(':disabled')) button.focus({ preventScroll: true })
      else button.closest<HTMLElement>('[role="dialog"]')?.focus({ preventScroll: true })
    })
  }
