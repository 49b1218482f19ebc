const collator = new Intl.Collator('en', { numeric: true })

/** Natural order for short lists of names: digits by their number, letters regardless of case; ties by code unit. */
export const compareNames = (a: string, b: string): number => collator.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0)
