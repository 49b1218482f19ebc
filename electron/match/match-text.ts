import { align, type Alignment } from './align.ts'
import { beginsWord, foldCode, foldQuery, sortBit } from './fold.ts'

/**
 * Returns how well a query fits a text, and where; null if the query's characters are not in the text in order. An empty query fits every
 * text.
 */
export function matchText(query: string, text: string): Alignment | null {
  const wanted = foldQuery(query)
  if (wanted.length === 0) return { score: 0, ranges: [] }
  const codes = new Uint16Array(text.length)
  const starts = new Uint8Array(text.length)
  foldInto(text, codes, starts, 0)
  return align(wanted, codes, starts)
}

/** Writes the folded codes of a text from `at` on, and which of them begin a word; gives the sorts of characters that words begin with. */
export function foldInto(text: string, codes: Uint16Array, starts: Uint8Array, at: number): number {
  let heads = 0
  let before = 0
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    const folded = foldCode(code)
    codes[at + index] = folded
    starts[at + index] = index === 0 || beginsWord(before, code) ? 1 : 0
    if (starts[at + index] === 1) heads |= sortBit(folded)
    before = code
  }
  return heads
}
