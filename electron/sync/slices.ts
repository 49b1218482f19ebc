/** How many deltas one transaction applies: an edit made meanwhile waits tens of milliseconds, not seconds. */
const sliceSize = 250
/** The most that the items of a slice weigh, in characters of their values, unless one alone weighs more: some 10 ms of opening and writing. */
const sliceWeight = 512 * 1024

/** Splits a list into slices, in order; unless `size` says otherwise, each is for one transaction. `weigh`: characters of the values of an item. */
export function slicesOf<T>(list: readonly T[], size = sliceSize, weigh: (item: T) => number = () => 0): (readonly T[])[] {
  const slices: T[][] = []
  let weight = 0
  for (const item of list) {
    const last = slices.at(-1)
    const weighs = weigh(item)
    weight += weighs
    if (last !== undefined && last.length < size && weight <= sliceWeight) last.push(item)
    else {
      slices.push([item])
      weight = weighs
    }
  }
  return slices
}
