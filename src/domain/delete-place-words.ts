import type { EnvironmentRow, QueueRow } from '../../electron/bridge/rows.ts'
import { counted } from './counted.ts'
import type { TreeItem } from './tree-items.ts'

/** What of the queue is inside a project or environment; its own creation and renames are not. */
export const unsentWithin = (queue: readonly Pick<QueueRow, 'at' | 'subject'>[], { kind, row }: TreeItem): number =>
  queue.filter(({ at, subject }) => subject !== kind && (kind === 'project' ? at.projectId : at.environmentId) === row.id).length

/** What goes when a project or environment is deleted: a sentence, and one more on the edits only this computer has. */
export const deletePlaceWords = (item: TreeItem, unsent: number): { goes: string; unsent: string | null } => {
  const lists: readonly EnvironmentRow[] = item.kind === 'project' ? item.environments : [item.row]
  const count = lists.reduce((sum, row) => sum + row.variableCount, 0)
  const variables = counted(count, 'variable')
  const what = item.kind === 'project' ? `${counted(lists.length, 'environment')} with ${variables}` : variables
  const isOne = item.kind === 'project' ? lists.length === 1 : count === 1
  return {
    goes: `${what} ${isOne ? 'goes' : 'go'} with it, here and on the service.`,
    unsent:
      unsent === 0
        ? null
        : `${counted(unsent, 'edit')} in it ${unsent === 1 ? 'was' : 'were'} not sent yet: only this computer has ${unsent === 1 ? 'it' : 'them'}.`,
  }
}
