import { oneLine } from './one-line.ts'

/** What a part of a .env text says its variable is, as one line: what comes after the name, without comments below it. */
export const partValue = (part: string | undefined): string => {
  if (part === undefined) return ''
  const rows = part.slice(part.search(/[=:]/) + 1).split('\n')
  while (rows.length > 1 && /^\s*(#|$)/.test(rows.at(-1) ?? '')) rows.pop()
  return oneLine(rows.join('\n').trim())
}
