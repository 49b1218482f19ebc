/** Does what a key stands for; a key that stood for something goes no further. */
export const takeKey = (event: KeyboardEvent, act: () => boolean): void => {
  if (!act()) return
  event.preventDefault()
  event.stopPropagation()
}
