/** How long a page counts as open after it was closed: a reload or a lost connection is over by then. */
export const stillOpenMs = 3000

/** The pages that are open. A page can be opened several times, as a reload does before its old connection has ended. */
export interface OpenPages {
  /** Counts a page as open until `stillOpenMs` after the returned function is called. */
  open(page: string): () => void
  isOpen(page: string): boolean
}

/** `onClosed` is called when a page no longer counts as open. */
export const createOpenPages = (onClosed: () => void): OpenPages => {
  const openings = new Set<{ page: string }>()
  const isOpen = (page: string) => [...openings].some((opening) => opening.page === page)
  return {
    open(page) {
      const opening = { page }
      openings.add(opening)
      const end = () => {
        openings.delete(opening)
        if (!isOpen(page)) onClosed()
      }
      return () => void setTimeout(end, stillOpenMs).unref()
    },
    isOpen,
  }
}
