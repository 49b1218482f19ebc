/** Texts with fewer characters in common have no part to mark. */
const leastCommon = 4

/**
 * The part in which two similar texts differ, to be marked in each; null where they are equal, or have too little in common for
 * a part to say more than the whole.
 */
export const markedDifference = (a: string, b: string): { start: number; endA: number; endB: number } | null => {
  const part = differingPart(a, b)
  const common = part.start + a.length - part.endA
  return a === b || common < leastCommon ? null : part
}

/** Where two texts differ: the part of each between their common start and end. Offsets in UTF-16 units, never inside a surrogate pair. */
export const differingPart = (a: string, b: string): { start: number; endA: number; endB: number } => {
  const shorter = Math.min(a.length, b.length)
  let start = 0
  while (start < shorter && a[start] === b[start]) start += 1
  if (start > 0 && isHighHalf(a.charCodeAt(start - 1))) start -= 1
  let tail = 0
  while (tail < shorter - start && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail += 1
  if (tail > 0 && isLowHalf(a.charCodeAt(a.length - tail))) tail -= 1
  return { start, endA: a.length - tail, endB: b.length - tail }
}

const isHighHalf = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00
const isLowHalf = (unit: number): boolean => unit >= 0xdc00 && unit < 0xe000
