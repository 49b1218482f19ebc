import type { Ranges } from '../../electron/match/align.ts'

/** A text cut where its marked ranges begin and end, in order; ranges may lie outside the text or overlap. */
export const markedParts = (text: string, ranges: Ranges): { text: string; marked: boolean }[] => {
  const parts: { text: string; marked: boolean }[] = []
  let at = 0
  const cut = (end: number, marked: boolean) => {
    const upTo = Math.min(end, text.length)
    if (upTo > at) parts.push({ text: text.slice(at, upTo), marked })
    at = Math.max(at, upTo)
  }
  for (const [start, end] of ranges.toSorted((a, b) => a[0] - b[0])) {
    cut(start, false)
    cut(end, true)
  }
  cut(text.length, false)
  return parts
}
