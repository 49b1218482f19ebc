import type { Delta, PullPage } from '../../port.ts'
import { slicesOf } from '../../slices.ts'

/** Deltas as pages; there is no cursor, because everything is read anew by every pull. */
export const pagesOf = (deltas: readonly Delta[]): PullPage[] =>
  deltas.length === 0 ? [] : slicesOf(deltas).map((slice) => ({ deltas: slice, cursor: null, restarted: false }))
