/** How many deltas one transaction applies: an edit made meanwhile waits tens of milliseconds, not seconds. */
const sliceSize = 250

/** Splits a list into slices, in order; unless `size` says otherwise, each is for one transaction. */
export function slicesOf<T>(list: readonly T[], size = sliceSize): (readonly T[])[] {
  const slices: (readonly T[])[] = []
  for (let at = 0; at < list.length; at += size) slices.push(list.slice(at, at + size))
  return slices
}
