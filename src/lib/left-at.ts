/**
 * The ids of what was on the screen last. A lock stores them in the tab while it reloads the page: ids alone, because whatever a tab stores
 * can be read while Holdfast is locked.
 */
type Kind = 'screen' | 'row' | 'cell'

const key = 'holdfast.left-at'
const last = new Map<Kind, readonly string[]>()
let stored: Map<string, readonly string[]> | null = null

export const keepLeftAt = (kind: Kind, ids: readonly string[]): void => void last.set(kind, ids)

/** Call before a lock reloads the page. */
export const storeLeftAt = (): void => sessionStorage.setItem(key, [...last].map(([kind, ids]) => [kind, ...ids].join(' ')).join('\n'))

/** The ids that a lock has stored. They are given once; the first call removes all of them from the tab. */
export const takeLeftAt = (kind: Kind): readonly string[] => {
  stored ??= takeStored()
  const ids = stored.get(kind) ?? []
  stored.delete(kind)
  return ids
}

function takeStored(): Map<string, readonly string[]> {
  const text = sessionStorage.getItem(key) ?? ''
  sessionStorage.removeItem(key)
  return new Map(
    text.split('\n').map((line) => {
      const [kind = '', ...ids] = line.split(' ')
      return [kind, ids]
    }),
  )
}
