type FootFocus = 'project' | 'environment' | 'filter' | 'new' | 'invite'

/** What has the keyboard besides the list of a screen: its keys are shown at the foot in place of those of the list. */
export const footFocus = $state<{ on: FootFocus | null }>({ on: null })

/** Attach it to an element: while the keyboard is in it, the foot shows the keys of `on`. */
export const showsKeysOf = (on: FootFocus) => (element: HTMLElement) => {
  const enter = () => (footFocus.on = on)
  const leave = () => (footFocus.on = null)
  element.addEventListener('focusin', enter)
  element.addEventListener('focusout', leave)
  return () => {
    element.removeEventListener('focusin', enter)
    element.removeEventListener('focusout', leave)
    // An element that is removed is not blurred.
    if (footFocus.on === on) footFocus.on = null
  }
}
