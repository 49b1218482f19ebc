/**
 * Marks where the focus is before something slow: the function it gives says whether the user has left it there meanwhile. Focus that
 * went with an element that is gone counts as left; focus that the user put elsewhere does not, and must not be taken away from there.
 */
export const keepsFocus = (): (() => boolean) => {
  const before = document.activeElement
  return () => document.activeElement === before || document.activeElement === null || document.activeElement === document.body
}
