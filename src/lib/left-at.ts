/**
 * The ids of what is on the screen, kept while a lock reloads the page. Ids alone: whatever a tab stores can be read while Holdfast is locked.
 */
type Kind = 'screen' | 'row'

const keyOf = (kind: Kind) => `holdfast.left-at.${kind}`

export const keepLeftAt = (kind: Kind, ids: readonly string[]): void => sessionStorage.setItem(keyOf(kind), ids.join(' '))

export const leftAt = (kind: Kind): string[] => (sessionStorage.getItem(keyOf(kind)) ?? '').split(' ')
