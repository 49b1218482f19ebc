import { numberText } from './number-text.ts'

/** `1 change`, `1,204 changes`: a number with its noun in the right form. */
export const counted = (count: number, one: string, many = `${one}s`): string => `${numberText(count)} ${count === 1 ? one : many}`
