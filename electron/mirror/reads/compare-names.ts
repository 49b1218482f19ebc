const collator = new Intl.Collator('en', { numeric: true })

/** Compares names in natural order: digits as numbers, letters regardless of case, ties by code unit. For short lists. */
export const compareNames = (a: string, b: string): number => collator.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0)

/** Compares projects or environments by name. Equal names sort by slug, so that everyone sees the same order. */
export const compareParents = (a: { name: string; slug: string }, b: { name: string; slug: string }): number =>
  compareNames(a.name, b.name) || compareNames(a.slug, b.slug)
