import type { CompareCell, CompareRow, ShownValue } from '../../../electron/bridge/rows.ts'
import { newEdit, type Edit } from '../variables/drafts.svelte.ts'

/** The beginning of an edit of a cell; `value` is null where the variable is missing, and created by the edit. */
export const newCellEdit = (row: CompareRow, cell: CompareCell, index: number, value: ShownValue | null): Edit =>
  newEdit(
    {
      id: cell.variableId ?? '',
      environmentId: cell.environmentId,
      name: row.name,
      type: row.type,
      isSecret: row.isSecret,
      isEmpty: cell.state === 'empty',
      sync: cell.sync,
      isUnsent: cell.variableId === null,
      syncReason: cell.syncReason,
      changeId: cell.changeId,
      conflict: null,
      updatedAt: null,
      updatedBy: null,
      rev: cell.rev,
      trust: value?.state === 'unverified' ? 'unverified' : 'local',
    },
    index,
    'value',
    value?.state === 'shown' ? value.value : '',
    { rev: value?.rev ?? cell.rev, unreadable: value?.state === 'unreadable' || value?.state === 'unverified' },
  )
