/**
 * The ids of what was on the screen last. A lock stores them in the tab while it reloads the page: ids alone, because whatever a tab stores
 * can be read while Holdfast is locked.
 */
type Kind = 'screen' | 'row'

const last = new Map<Kind, readonly string[]>()

const keyOf = (kind: Kind) => `holdfast.left-at.${kind}`

export const keepLeftAt = (kind: Kind, ids: readonly string[]): void => void last.set(kind, ids)

/** Call before a lock reloads the page. */
export const storeLeftAt = (): void => {
  for (const [kind, ids] of last) sessionStorage.setItem(keyOf(kind), ids.join(' '))
}

/** The ids that a lock has stored. They are given once. */
export const takeLeftAt = (kind: Kind): string[] => {
  const stored = sessionStorage.getItem(keyOf(kind)) ?? ''
  sessionStorage.removeItem(keyOf(kind))
  return stored.split(' ')
}
