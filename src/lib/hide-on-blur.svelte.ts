import { on } from 'svelte/events'

/**
 * Calls `hide` when the window loses the focus, and when the component is removed. Every state that reveals a secret ends in it. Call it
 * while a component is being made.
 */
export const hideOnBlur = (hide: () => void): void => {
  $effect(() => {
    const stop = on(window, 'blur', hide)
    return () => {
      stop()
      hide()
    }
  })
}
