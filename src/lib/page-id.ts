/**
 * Tells pages of one browser apart. An id survives a reload of its page, also the one at a lock: the tab stores it, though only between two
 * pages, so that a duplicated tab gets an id of its own.
 */
const key = 'holdfast.page'
const lockName = 'holdfast.page '

/** The id of this page. */
export const pageId = sessionStorage.getItem(key) ?? crypto.randomUUID().slice(0, 8)
addEventListener('pageshow', () => sessionStorage.removeItem(key))
addEventListener('pagehide', () => sessionStorage.setItem(key, pageId))

/** Lets the other pages know that this one is open, until the returned function is called. */
export const showPageOpen = (): (() => void) => {
  const { promise, resolve } = Promise.withResolvers<void>()
  void navigator.locks.request(lockName + pageId, () => promise)
  return resolve
}

/** The ids of the other pages that are open. */
export const otherPages = async (): Promise<ReadonlySet<string>> => {
  const { held = [] } = await navigator.locks.query()
  const ids = held.flatMap(({ name = '' }) => (name.startsWith(lockName) ? name.slice(lockName.length) : []))
  return new Set(ids.filter((id) => id !== pageId))
}
