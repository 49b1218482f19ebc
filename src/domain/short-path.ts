import { splitEnd } from './split-end.ts'

/** The most characters of one name in a path, and how many of them are its end. */
const [most, end] = [40, 12]

/** A path such as `Shop / Production` for a sentence, with long names cut in their middle. */
export const shortPath = (path: string): string => path.split(' / ').map(shortName).join(' / ')

function shortName(name: string): string {
  if (name.length <= most) return name
  const [start, rest] = splitEnd(name, end)
  return `${start.slice(0, most - end)}…${rest}`
}
