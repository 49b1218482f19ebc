/** The scroll position, in pixels, that brings row `index` fully into view with the least movement. */
export const scrollToRow = (index: number, scrollTop: number, viewportHeight: number, rowHeight: number): number => {
  const top = index * rowHeight
  if (top < scrollTop) return top
  if (top + rowHeight > scrollTop + viewportHeight) return top + rowHeight - viewportHeight
  return scrollTop
}
