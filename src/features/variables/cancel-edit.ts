import { toasts } from '../../lib/toasts.svelte.ts'
import { typedForms, type Drafts } from './drafts.svelte.ts'
import { ImportDraft } from './import-draft.svelte.ts'

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

/** Closes the import that is open, without applying it. Its text can be restored, as in an editor; `show` goes to where it was open. */
export const cancelImport = (drafts: Drafts, show: () => void): void => {
  const [draft, ...others] = drafts.imports
  drafts.imports = others
  if (draft === undefined || draft.text === '') return
  const bringBack = () => {
    // The one that is open now can be restored in its turn.
    cancelImport(drafts, show)
    drafts.imports = [draft, ...drafts.imports]
    show()
  }
  toasts.say('Discarded the import', 'plain', { name: 'Restore', run: bringBack })
}

/** Opens an import in place of the one that is open: at its review, or without a text or file to begin with. */
export const openImport = (drafts: Drafts, { text, from }: { text: string; from: string | null }, show: () => void): void => {
  cancelImport(drafts, show)
  drafts.imports = [new ImportDraft({ text, from, isReviewed: text !== '' || from !== null }), ...drafts.imports]
}

const wordsOf = { version: 'the new version', tracking: 'the names to track' }

/** Closes a form of a workspace without saving. What is typed in it can be restored, as in an editor; `open` opens it again. */
export const cancelForm = (drafts: Drafts, form: 'version' | 'tracking', open: () => void): void => {
  const typed = typedForms({ [form]: drafts.forms[form] })
  delete drafts.forms[form]
  if (typed[form] === undefined) return
  const bringBack = () => {
    Object.assign(drafts.forms, typed)
    open()
  }
  toasts.say(`Discarded ${wordsOf[form]}`, 'plain', { name: 'Restore', run: bringBack })
}
