type FootFocus = 'project' | 'environment' | 'filter' | 'new' | 'invite' | 'form' | 'notice'

/** The part of a screen that has the keyboard, if it isn't the list: the foot shows its keys instead of the list's. */
export const footFocus = $state<{ on: FootFocus | null }>({ on: null })

/**
 * Called when the keyboard leaves an element. An element that is removed is left too, in the middle of an update that must set no state:
 * therefore this waits for its end.
 */
export const leaveFoot = (element: Element): void => {
  const { on } = footFocus
  queueMicrotask(() => {
    if (footFocus.on === on && !element.contains(document.activeElement)) footFocus.on = null
  })
}

/** Attach it to an element: while the keyboard is in it, the foot shows the keys of `on`. */
export const showsKeysOf = (on: FootFocus) => (element: HTMLElement) => {
  const enter = () => (footFocus.on = on)
  const leave = () => leaveFoot(element)
  element.addEventListener('focusin', enter)
  element.addEventListener('focusout', leave)
  // A field that takes the keyboard as it appears has it already.
  if (element.contains(document.activeElement)) enter()
  return () => {
    element.removeEventListener('focusin', enter)
    element.removeEventListener('focusout', leave)
    // Not every browser blurs an element that is removed.
    if (footFocus.on === on) footFocus.on = null
  }
}
