import type { VariableRow } from '../../../electron/bridge/rows.ts'
import { access } from '../../lib/access.svelte.ts'
import { keepsFocus } from '../../lib/keeps-focus.ts'
import type { Drafts } from './drafts.svelte.ts'
import type { RowEditing } from './row-editing.ts'
import type { SeenRow, Selection } from './selection.svelte.ts'
import type { VariableCommands } from './variable-commands.ts'
import type { VariableRows } from './variable-rows.svelte.ts'

interface Table {
  drafts: Drafts
  editing: RowEditing
  variables: VariableCommands
  rows: VariableRows
  selection: Selection
  /** The selected rows as the user last saw them. */
  selected: () => readonly SeenRow[]
  inView: () => readonly VariableRow[]
  /** Asks first, in a dialog. */
  ask: (rows: readonly SeenRow[], name: string | null) => void
  focus: () => void
}

/** Deletes rows of the table: at once, because it can be undone, but asks about rows out of sight and about a conflict. */
export class RowDeletion {
  readonly #table: Table
  #isUnderWay = false

  constructor(table: Table) {
    this.#table = table
  }

  /** Deletes these rows without asking. Returns why none was deleted, or null. `name`: of a single one. */
  readonly now = async (meant: readonly SeenRow[], name: string | null): Promise<string | null> => {
    const { drafts, editing, variables, selection } = this.#table
    const { edit } = drafts
    // Text typed in one of the rows is saved first, so that an undo brings it back.
    if (edit !== null && meant.some(({ id }) => id === edit.row.id)) {
      if (drafts.saving === null && edit.text === edit.original) drafts.edit = null
      else if (!(await editing.save())) return edit.error
    }
    const problem = await variables.remove(meant, name)
    if (problem === null) for (const { id } of meant) selection.ids.delete(id)
    return problem
  }

  /** Deletes the selected rows; this row, if it isn't one of them. */
  async begin(row: VariableRow | undefined): Promise<void> {
    const { variables, rows, selection, selected, inView, ask, focus } = this.#table
    await selection.settled
    const isSelected = selection.ids.size > 0 && (row === undefined || selection.ids.has(row.id))
    const meant = isSelected ? selected() : row ? [{ id: row.id, seen: row.rev }] : []
    const name = isSelected ? selection.onlyName(rows.near) : (row?.name ?? null)
    if (this.#isUnderWay || meant.length === 0) return
    // Rows that were never sent are discarded, which is always allowed.
    if (!selection.isUnsent(meant, rows.near) && !access.mayBegin('variables.delete')) return
    const ids = new Set(meant.map(({ id }) => id))
    const inSight = inView().filter(({ id }) => ids.has(id))
    if (inSight.length < ids.size || inSight.some(({ sync }) => sync === 'conflict')) return ask(meant, name)
    this.#isUnderWay = true
    const isStill = keepsFocus()
    const problem = await this.now(meant, name)
    this.#isUnderWay = false
    if (problem !== null) variables.complain(problem)
    if (isStill()) focus()
  }
}
