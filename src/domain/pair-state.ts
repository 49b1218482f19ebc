import type { CompareCell } from '../../electron/bridge/rows.ts'

/** How two environments differ in one name. */
export type PairState = 'same' | 'different' | 'left-only' | 'right-only' | 'neither' | 'unknown'

/** Compares two cells of one row. Values that can't be compared are `unknown`, never equal. */
export const pairState = (left: CompareCell | undefined, right: CompareCell | undefined): PairState => {
  const hasLeft = left !== undefined && left.state !== 'missing'
  const hasRight = right !== undefined && right.state !== 'missing'
  if (!hasLeft || !hasRight) return hasLeft ? 'left-only' : hasRight ? 'right-only' : 'neither'
  if (left.group === right.group) return 'same'
  return left.state === 'unknown' || right.state === 'unknown' ? 'unknown' : 'different'
}
