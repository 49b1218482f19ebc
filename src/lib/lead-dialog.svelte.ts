import { tick } from 'svelte'

/**
 * Gives the keyboard to the main button of a dialog once, as soon as `isReady`, which is tracked, and until then to the dialog itself: the
 * button that led here was removed, and the close button would get the focus instead. A user who has gone on to another control stays
 * there: Enter on “Cancel” must not press the main button because a sync brought something. Spread it on the button, or attach it.
 */
export const leadDialog =
  (isReady: () => boolean) =>
  (button: HTMLElement): void => {
    const dialog = button.closest<HTMLElement>('[role="dialog"]')
    const hasGoneOn = () => {
      const at = document.activeElement
      return at !== dialog && dialog?.contains(at) === true && at?.matches(':disabled') === false
    }
    let isDone = false
    void tick().then(() => dialog?.focus({ preventScroll: true }))
    $effect(() => {
      if (isDone || !isReady()) return
      void tick().then(() => {
        isDone = true
        if (!hasGoneOn()) button.focus({ preventScroll: true })
      })
    })
  }
