import { valueLength } from '../../../queue/fields.ts'
import type { Delta, PullPage } from '../../port.ts'
import { slicesOf } from '../../slices.ts'

/** Deltas as pages, without a cursor, because every pull reads everything. */
export const pagesOf = (deltas: readonly Delta[]): PullPage[] =>
  slicesOf(deltas, undefined, weightOf).map((slice) => ({ deltas: slice, cursor: null, restarted: false }))

const weightOf = (delta: Delta): number => (delta.is === 'row' ? valueLength(delta.row.fields) : 0)
