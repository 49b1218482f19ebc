const key = 'holdfast.page'
/** A tab that was duplicated, or was elsewhere and came back, has a copy of what another one may still have. */
const isReload = performance.getEntriesByType('navigation').some((entry) => 'type' in entry && entry.type === 'reload')
const stored = isReload ? sessionStorage.getItem(key) : null

/** The id of this page. It survives a reload, also the one at a lock: the tab stores it, though only between the two pages. */
export const pageId = stored ?? crypto.randomUUID().slice(0, 8)
addEventListener('pageshow', () => sessionStorage.removeItem(key))
addEventListener('pagehide', () => sessionStorage.setItem(key, pageId))
