const collator = new Intl.Collator('en', { numeric: true })

/** Natural order for short lists of names: digits by their number, letters regardless of case; ties by code unit. */
export const compareNames = (a: string, b: string): number => collator.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0)

/** The same for projects and environments; of equal names by slug, so that everyone sees one order. */
export const compareParents = (a: { name: string; slug: string }, b: { name: string; slug: string }): number =>
  compareNames(a.name, b.name) || compareNames(a.slug, b.slug)
