import type { EnvironmentRow, QueueRow } from '../../electron/bridge/rows.ts'
import { counted } from './counted.ts'
import type { TreeItem } from './tree-items.ts'

/** How many unsent changes are inside a project or environment; its own creation and renames don't count. */
export const unsentWithin = (queue: readonly Pick<QueueRow, 'at' | 'subject'>[], { kind, row }: TreeItem): number =>
  queue.filter(({ at, subject }) => subject !== kind && (kind === 'project' ? at.projectId : at.environmentId) === row.id).length

/** Says what a deletion takes along, and which changes exist only on this computer. */
export const deleteParentWords = (item: TreeItem, unsent: number): { goes: string; unsent: string | null } => {
  const lists: readonly EnvironmentRow[] = item.kind === 'project' ? item.environments : [item.row]
  const count = lists.reduce((sum, row) => sum + row.variableCount, 0)
  const within = [
    ...(item.kind === 'project' && lists.length > 0 ? [counted(lists.length, 'environment')] : []),
    ...(count > 0 ? [counted(count, 'variable')] : []),
  ]
  return {
    goes:
      within.length === 0
        ? `This ${item.kind} is empty.`
        : `This also deletes ${within.join(' with ')}.${unsent === 0 ? ` You can restore the ${item.kind} within 30 days.` : ''}`,
    unsent:
      unsent === 0
        ? null
        : `${counted(unsent, 'change')} in it ${unsent === 1 ? 'hasn’t' : 'haven’t'} been sent yet and ${unsent === 1 ? 'exists' : 'exist'} only on this computer.`,
  }
}
