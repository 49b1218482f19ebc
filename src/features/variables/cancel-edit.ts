import { toasts } from '../../lib/toasts.svelte.ts'
import type { Drafts } from './drafts.svelte.ts'

/** Closes the open editor without saving. Much may have been typed in the large one, and Escape is pressed quickly: that can be restored. */
export const cancelEdit = (drafts: Drafts): void => {
  const draft = drafts.edit
  drafts.edit = null
  if (draft?.look !== 'code' || draft.text === draft.original) return
  const bringBack = () => {
    if (drafts.edit === null) drafts.edit = draft
  }
  toasts.say(`Discarded your change to ${draft.row.name}`, 'plain', { name: 'Restore', run: bringBack })
}
