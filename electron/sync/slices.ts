/** How many deltas one transaction writes: an edit during a pull then waits tens of milliseconds, not seconds. */
const sliceSize = 250
/** The most characters of values in one slice: some 10 ms of opening and writing. A single item may have more. */
export const sliceWeight = 512 * 1024

/**
 * Splits a list into slices, in order. By default a slice is small enough for one transaction. `weigh`: returns the characters of an item's
 * values.
 */
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
