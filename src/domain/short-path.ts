import { splitEnd } from './split-end.ts'

/** The most characters of one name in a path, and how many of them are its end. */
const [most, end] = [40, 12]

/** A path such as `Shop / Production` for a sentence, with long names cut in their middle. */
export const shortPath = (path: string): string =>
  path
    .split(' / ')
    .map((name) => (name.length <= most ? name : `${splitEnd(name, end)[0].slice(0, most - end)}…${splitEnd(name, end)[1]}`))
    .join(' / ')
