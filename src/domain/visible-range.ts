/** Rows `first` up to, not including, `end`. */
export interface RowRange {
  first: number
  end: number
}

/**
 * The rows of a fixed-height list that a viewport shows, with `overscan` more on either side.
 * Pixels in, row numbers out; always inside `0..total`, whatever the scroll position claims.
 */
export const visibleRange = (scrollTop: number, viewportHeight: number, rowHeight: number, total: number, overscan: number): RowRange => {
  const lastFirst = Math.max(0, total - Math.ceil(viewportHeight / rowHeight))
  const top = Math.min(Math.max(0, Math.floor(scrollTop / rowHeight)), lastFirst)
  const bottom = Math.ceil((Math.max(0, scrollTop) + viewportHeight) / rowHeight)
  return {
    first: Math.max(0, top - overscan),
    end: Math.min(total, Math.max(top, bottom) + overscan),
  }
}
