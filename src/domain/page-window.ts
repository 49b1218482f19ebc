import type { RowRange } from './visible-range.ts'

/**
 * The window of a long list to ask for, so that `range` is inside it. It moves in whole steps of `step` rows with one
 * step of margin on either side: a small scroll asks for nothing new. `limit` never exceeds 500, what one query gives.
 */
export const pageWindow = (range: RowRange, step: number): { offset: number; limit: number } => {
  const offset = Math.max(0, (Math.floor(range.first / step) - 1) * step)
  const end = (Math.ceil(Math.max(range.end, 1) / step) + 1) * step
  return { offset, limit: Math.min(500, end - offset) }
}
