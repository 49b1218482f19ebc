/** Runs the action of a key; a handled key stops propagating. */
export const takeKey = (event: KeyboardEvent, act: () => boolean): void => {
  if (!act()) return
  event.preventDefault()
  event.stopPropagation()
}
