import type { Edit } from './drafts.svelte.ts'

/** The rows that the table shows. */
interface Shown {
  /** Undefined until the first answer. */
  total: number | undefined
  /** The index of the row being edited; null if it isn't among the loaded rows. */
  own: number | null
  isLoaded: (index: number) => boolean
}

/**
 * Where an open editor is drawn. `isAstray`: its row isn't shown, because it is filtered out or deleted, so the editor is over another row and
 * must name its own. The first row stays visible: it may be the one that the user looks for.
 */
export const editorPlace = (edit: Edit, { total, own, isLoaded }: Shown): { index: number; isAstray: boolean } => {
  if (own !== null || total === undefined) return { index: own ?? edit.index, isAstray: false }
  const index = Math.min(Math.max(1, edit.index), total)
  // Rows far from the view aren't loaded: the editor is out of sight there, and its row may be under it.
  return { index, isAstray: index === total || isLoaded(index) }
}
