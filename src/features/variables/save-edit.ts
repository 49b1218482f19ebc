import type { Bridge } from '../../../electron/bridge/bridge.ts'
import { variableNameProblem } from '../../../service/protocol/names.ts'
import type { Drafts, Edit } from './drafts.svelte.ts'

interface Place {
  bridge: Bridge
  workspaceId: string
  drafts: Drafts
}

/** Saves the open editor and closes it; false when that was refused: the editor stays and says why. */
export const saveEdit = async ({ bridge, workspaceId, drafts }: Place): Promise<boolean> => {
  const draft = drafts.edit
  if (draft === null) return true
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
  }
  if (drafts.edit === draft) drafts.edit = null
  return true
}

const save = (bridge: Bridge, workspaceId: string, { row, over, seen, field }: Edit, text: string) => {
  const { environmentId, name, type, isSecret } = row
  // A new variable replaces the one of its name that the editor has told of.
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
