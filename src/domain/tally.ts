import { numberText } from './number-text.ts'

/** `2 added, 1,000 changed`: how many of each, without those of which there are none. Empty where there are none at all. */
export const tally = (parts: readonly (readonly [count: number, what: string])[], between = ', '): string =>
  parts
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${numberText(count)} ${what}`)
    .join(between)
