/** The text of a paste; empty when the clipboard holds none. */
export const pastedText = (event: ClipboardEvent): string => event.clipboardData?.getData('text/plain') ?? ''
