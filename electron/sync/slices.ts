/** So many deltas are applied in one transaction: what the user does meanwhile waits some tens of milliseconds, not seconds. */
const sliceSize = 250

/** Splits a list into slices, in order; unless `size` says otherwise, each is for one transaction. */
export function slicesOf<T>(list: readonly T[], size = sliceSize): (readonly T[])[] {
  const slices: (readonly T[])[] = []
  for (let at = 0; at < list.length; at += size) slices.push(list.slice(at, at + size))
  return slices
}
