import { visibleText } from './invisible-character.ts'

/** The text of a value in a table cell: its first lines joined, at most `max` characters, so that a huge value costs nothing to draw. */
export const oneLine = (value: string, max = 240): string => {
  const head = visibleText(value.slice(0, max + 1)).replace(/\r\n|\r|\n/g, ' ¶ ')
  return value.length > max ? `${head.slice(0, max)}…` : head
}
