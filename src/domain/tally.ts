import { numberText } from './number-text.ts'

/** `2 added, 1,000 changed`: the counts above 0, each with its word. Empty if there is none. */
export const tally = (parts: readonly (readonly [count: number, what: string])[], between = ', '): string =>
  parts
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${numberText(count)} ${what}`)
    .join(between)
