const storageKey = 'holdfast.secret'

/**
 * The secret that ties this tab to its host. It arrives once, in the fragment of the address (`#s=…`, which browsers never
 * send), moves to sessionStorage and leaves the address bar. Null when this tab never got one.
 */
export const takeSecret = (
  location: Pick<Location, 'hash' | 'pathname'>,
  history: Pick<History, 'replaceState'>,
  storage: Pick<Storage, 'getItem' | 'setItem'>,
): string | null => {
  const secret = new URLSearchParams(location.hash.slice(1)).get('s')
  if (secret !== null && secret !== '') {
    storage.setItem(storageKey, secret)
    history.replaceState(null, '', location.pathname)
    return secret
  }
  return storage.getItem(storageKey)
}
