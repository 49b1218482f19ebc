/**
 * Remembers the focus before something slow; the returned function says whether the user has left it unchanged. A focus lost with a removed
 * element counts as unchanged; one that the user moved does not, and must not be taken away.
 */
export const keepsFocus = (): (() => boolean) => {
  const before = document.activeElement
  return () => document.activeElement === before || document.activeElement === null || document.activeElement === document.body
}
