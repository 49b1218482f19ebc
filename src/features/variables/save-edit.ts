import type { Bridge } from '../../../electron/bridge/bridge.ts'
import { tick } from 'svelte'
import { variableNameProblem } from '../../../service/protocol/names.ts'
import { keepsFocus } from '../../lib/keeps-focus.ts'
import type { Drafts, Edit } from './drafts.svelte.ts'

interface Place {
  bridge: Bridge
  workspaceId: string
  drafts: Drafts
  focusTable: () => void
}

/**
 * Saves the open editor and closes it; false when that was refused: the editor stays open and says why. The table gets the focus at once,
 * so that no key is typed into a text that was sent; after a refusal the field gets it back, unless the user has moved it.
 */
export const saveEdit = (place: Place): Promise<boolean> => {
  const { drafts, focusTable } = place
  if (drafts.saving !== null) return drafts.saving
  if (drafts.edit === null) return Promise.resolve(true)
  const field = document.activeElement
  focusTable()
  const isStill = keepsFocus()
  const saving = send(place, drafts.edit).finally(() => (drafts.saving = null))
  drafts.saving = saving
  return saving.then(async (saved) => {
    await tick()
    // A click focuses the cell, where the keys of the table don't work: then the table keeps the focus.
    if (!saved && isStill() && field instanceof HTMLElement && !field.matches('[role="gridcell"], [role="rowheader"]')) field.focus()
    return saved
  })
}

const send = async ({ bridge, workspaceId, drafts }: Place, draft: Edit): Promise<boolean> => {
  const text = draft.field === 'name' ? draft.text.trim() : draft.text
  if (draft.row.id === '' || text !== draft.original || draft.unreadable) {
    const problem = draft.field === 'name' ? variableNameProblem(text) : null
    if (problem !== null) {
      draft.error = problem
      return false
    }
    const result = await save(bridge, workspaceId, draft, text)
    if (!result.ok) {
      draft.error = result.error.message
      draft.gone = result.error.kind === 'not-found'
      return false
    }
    if (result.step !== undefined) draft.step = result.step
  }
  if (drafts.edit === draft) drafts.edit = null
  return true
}

const save = (bridge: Bridge, workspaceId: string, { row, over, seen, field }: Edit, text: string) => {
  const { environmentId, name, type, isSecret } = row
  // A new variable replaces the one of its name that the editor has shown.
  const id = row.id === '' ? over : row.id
  if (id !== null) return bridge.command('variables.update', { workspaceId, id, seen, [field]: text })
  return bridge.command('variables.create', {
    workspaceId,
    environmentId,
    name,
    value: text,
    type: type ?? 'string',
    isSecret: isSecret !== false,
  })
}
