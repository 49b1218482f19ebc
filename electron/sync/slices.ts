/** So many deltas are applied in one transaction: what the user does meanwhile waits some tens of milliseconds, not seconds. */
const sliceSize = 250

/** Splits a list into slices of one transaction each, in order; an empty list is one empty slice. */
export function slicesOf<T>(list: readonly T[]): (readonly T[])[] {
  const slices: (readonly T[])[] = [list.slice(0, sliceSize)]
  for (let at = sliceSize; at < list.length; at += sliceSize) slices.push(list.slice(at, at + sliceSize))
  return slices
}
