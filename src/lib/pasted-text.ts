/** The text of a paste; empty when the clipboard holds none. */
export const pastedText = (event: ClipboardEvent): string => event.clipboardData?.getData('text/plain') ?? ''

/** Pastes a text at an element, as a paste by the user does. Returns whether anything handled it. */
export const pasteAt = (target: Element, text: string): boolean => {
  const clipboardData = new DataTransfer()
  clipboardData.setData('text/plain', text)
  return !target.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
}
