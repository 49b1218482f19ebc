import type { Bridge } from '../../../electron/bridge/bridge.ts'
import type { CompareCell, CompareRow, ShownValue } from '../../../electron/bridge/rows.ts'
import { newEdit, type Edit } from '../variables/drafts.svelte.ts'

interface Asked {
  row: CompareRow
  cell: CompareCell
  /** Where the cell is. */
  index: number
  column: number
  /** Of a variable that is there. */
  value: ShownValue | null
}

/** The value that is being edited in a cell, or created where it is missing. */
export class CellEdit {
  draft = $state<Edit | null>(null)
  environmentId = $state('')
  column = $state(0)
  readonly #bridge: Bridge
  readonly #workspaceId: string

  constructor(bridge: Bridge, workspaceId: string) {
    this.#bridge = bridge
    this.#workspaceId = workspaceId
  }

  begin({ row, cell, index, column, value }: Asked): void {
    const original = value?.state === 'shown' ? value.value : ''
    this.environmentId = cell.environmentId
    this.column = column
    this.draft = newEdit(
      {
        id: cell.variableId ?? '',
        environmentId: cell.environmentId,
        name: row.name,
        type: row.type,
        isSecret: row.isSecret,
        isEmpty: cell.state === 'empty',
        sync: cell.sync,
        syncReason: cell.syncReason,
        changeId: cell.changeId,
        updatedAt: null,
        updatedBy: null,
        rev: cell.rev,
        trust: value?.state === 'unverified' ? 'unverified' : 'local',
      },
      index,
      'value',
      original,
      { rev: value?.rev ?? cell.rev, unreadable: value?.state === 'unreadable' || value?.state === 'unverified' },
    )
  }

  /** Saves the typed value; false when it was refused, and the editor stays open. */
  async save(): Promise<boolean> {
    const { draft, environmentId } = this
    if (draft === null) return true
    const { name, type, isSecret } = draft.row
    const id = draft.row.id === '' ? (draft.over ?? '') : draft.row.id
    const value = draft.text
    if (id === '' || value !== draft.original || draft.unreadable) {
      const workspaceId = this.#workspaceId
      const result =
        id === ''
          ? await this.#bridge.command('variables.create', {
              workspaceId,
              environmentId,
              name,
              value,
              type: type ?? 'string',
              isSecret: isSecret !== false,
            })
          : await this.#bridge.command('variables.update', { workspaceId, id, seen: draft.seen, value })
      if (!result.ok) {
        draft.error = result.error.message
        draft.gone = result.error.kind === 'not-found'
        return false
      }
    }
    if (this.draft === draft) this.draft = null
    return true
  }

  cancel(): void {
    this.draft = null
  }

  /** The variable went while it was edited: the next save creates it again. */
  makeNew(): void {
    if (this.draft !== null) this.draft.row = { ...this.draft.row, id: '' }
  }
}
