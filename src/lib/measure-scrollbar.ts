/**
 * Tells the styles, as `--scrollbar`, how much room a scrollbar takes from a list: none where it lies over the rows. A head that stands outside
 * of what scrolls leaves the same, so that its columns stand in line with the rows.
 */
export function measureScrollbar(): void {
  const probe = document.createElement('div')
  probe.style.cssText = 'position: absolute; width: 60px; height: 60px; overflow-y: scroll; visibility: hidden;'
  document.body.append(probe)
  document.documentElement.style.setProperty('--scrollbar', `${probe.offsetWidth - probe.clientWidth}px`)
  probe.remove()
}
