/** Whether something inside `element` has the focus; the element itself does not count. */
export const holdsFocus = (element: HTMLElement | undefined): boolean =>
  element !== undefined && document.activeElement !== element && element.contains(document.activeElement)
