/**
 * A text in two: the part that may be cut off where it has no room, and its end of `endLength` characters, where names that begin alike
 * differ. A short text is all beginning.
 */
export const splitEnd = (text: string, endLength: number): [start: string, end: string] => {
  if (text.length <= 2 * endLength) return [text, '']
  let at = text.length - endLength
  // Not between the halves of one character.
  while (at > 0 && /^[\uDC00-\uDFFF\p{M}\u200D]/u.test(text.slice(at))) at -= 1
  return [text.slice(0, at), text.slice(at)]
}
