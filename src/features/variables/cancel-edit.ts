import { toasts } from '../../lib/toasts.svelte.ts'
import type { Drafts } from './drafts.svelte.ts'

/** Closes the open editor without saving. Escape is pressed easily, so the typed text can be restored; `show` goes to where it was typed. */
export const cancelEdit = (drafts: Drafts, show: () => void = () => {}): void => {
  // A text that was sent is saved already.
  if (drafts.saving !== null) return
  const draft = drafts.edit
  drafts.edit = null
  if (draft === null || draft.text === draft.original) return
  const offer = () => toasts.say(`Discarded your change to ${draft.row.name}`, 'plain', { name: 'Restore', run: bringBack })
  const bringBack = () => {
    // While another one is being saved, it may still have to say why it was refused.
    if (drafts.saving !== null) return offer()
    // The editor that is open now gives way, and its text can be restored in its turn.
    cancelEdit(drafts, show)
    drafts.edit = draft
    show()
  }
  offer()
}

/** Empties the line of a new variable. The typed text can be restored, as in an editor. */
export const cancelAddition = (drafts: Drafts, onrestored: () => void): void => {
  const { name, value } = drafts.addition
  if (name === '' && value === '') return
  const addition = { ...drafts.takeAddition(), error: null }
  drafts.fillLine()
  const bringBack = () => {
    drafts.offerAddition(addition)
    onrestored()
  }
  const what = name.trim() === '' ? 'the new variable' : name.trim()
  toasts.say(`Discarded ${what}`, 'plain', { name: 'Restore', run: bringBack })
}
