const storageKey = 'holdfast.secret'
const metaName = 'holdfast-secret'

type Store = Pick<Storage, 'getItem' | 'setItem'>

/**
 * The secret that ties this tab to its host. It arrives once, inside the page that the address in the terminal opened, and moves to
 * sessionStorage; the spent token leaves the address bar. It is in no address, because browsers keep those. Null when this tab never got one.
 */
export const takeSecret = (
  document: Pick<Document, 'querySelector'>,
  location: Pick<Location, 'pathname' | 'search'>,
  history: Pick<History, 'replaceState'>,
  storage: Store,
): string | null => {
  const meta = document.querySelector<HTMLMetaElement>(`meta[name="${metaName}"]`)
  if (meta !== null) {
    storage.setItem(storageKey, meta.content)
    meta.remove()
  }
  if (location.search !== '') history.replaceState(null, '', location.pathname)
  return storage.getItem(storageKey)
}

/** Forgets the secret of a host that has ended, so that another program at its address can't read it. */
export const forgetSecret = (storage: Pick<Storage, 'removeItem'>): void => storage.removeItem(storageKey)
