const collator = new Intl.Collator('en', { numeric: true })

/** The order people expect of a short list of names: numbers by their size, letters whatever their case; equals by code unit. */
export const compareNames = (a: string, b: string): number => collator.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0)
