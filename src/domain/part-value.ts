import { oneLine } from './one-line.ts'

/** The value in one part of a .env text, as one line, without trailing comments. */
export const partValue = (part: string | undefined): string => {
  if (part === undefined) return ''
  const rows = part.slice(part.search(/[=:]/) + 1).split('\n')
  while (rows.length > 1 && /^\s*(#|$)/.test(rows.at(-1) ?? '')) rows.pop()
  const text = rows.join('\n').trim()
  // Quotes that change nothing of what they hold are no part of it to a reader.
  return oneLine(/^'([^']*)'$/.exec(text)?.[1] ?? /^"([^"\\]*)"$/.exec(text)?.[1] ?? text)
}
