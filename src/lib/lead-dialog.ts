import { tick } from 'svelte'

/**
 * Gives the keyboard to the main button of a dialog as soon as `isReady`, which is tracked, and until then to the dialog itself: the button that
 * led here was removed, and the close button would get the focus instead. Spread it on the button, or attach it.
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
