const scrollKeys = new Set(['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End', ' '])

/**
 * For a box with a text that scrolls in it: while there is more text than fits, Tab reaches the box, and the keys that scroll do nothing else.
 * Safari does neither by itself.
 */
export const scrollsByKeys = (box: HTMLElement): (() => void) => {
  const onkeydown = (event: KeyboardEvent) => {
    if (event.target === box && box.tabIndex === 0 && scrollKeys.has(event.key)) event.stopPropagation()
  }
  const sizes = new ResizeObserver(() => {
    if (box.scrollHeight > box.clientHeight) box.tabIndex = 0
    else box.removeAttribute('tabindex')
  })
  sizes.observe(box)
  for (const child of box.children) sizes.observe(child)
  box.addEventListener('keydown', onkeydown)
  return () => {
    sizes.disconnect()
    box.removeEventListener('keydown', onkeydown)
  }
}
