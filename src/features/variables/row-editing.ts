import type { Bridge } from '../../../electron/bridge/bridge.ts'
import type { ShownValue, VariableRow } from '../../../electron/bridge/rows.ts'
import { keepKeysForField } from '../../lib/keep-keys-for-field.ts'
import { newEdit, pasteInto, type Drafts } from './drafts.svelte.ts'
import { saveEdit } from './save-edit.ts'

interface Ports {
  bridge: Bridge
  workspaceId: string
  drafts: Drafts
  /** The value of one variable, secret or not; null when it could not be read, with a toast that says why. */
  readValue: (id: string) => Promise<ShownValue | null>
  focusTable: () => void
  /** Gives the keyboard to the open editor. */
  focusEditor: () => void
}

/** Opens and saves the editor of a name or a value in the table. At most one is open: opening another saves it first. */
export class RowEditing {
  readonly #ports: Ports
  #turn = 0

  constructor(ports: Ports) {
    this.#ports = ports
  }

  /**
   * Opens the editor of one field. `onturn` is called once the previous edit is saved; not if that was refused, or another editor was
   * requested since. `pasted`: a copied text to put into it, to be saved or cancelled there.
   */
  async open(row: VariableRow, index: number, field: 'name' | 'value', onturn: () => void, pasted: string | null = null): Promise<void> {
    const { drafts } = this.#ports
    const isOpen = drafts.saving === null && drafts.edit?.row.id === row.id && drafts.edit.field === field
    if (!isOpen) {
      const turn = ++this.#turn
      await keepKeysForField((isAwaited) => this.#open(row, index, field, onturn, pasted, () => turn === this.#turn && isAwaited()))
    } else {
      if (drafts.edit !== null && pasted !== null) pasteInto(drafts.edit, pasted)
      this.#ports.focusEditor()
    }
  }

  async #open(
    row: VariableRow,
    index: number,
    field: 'name' | 'value',
    onturn: () => void,
    pasted: string | null,
    isTurn: () => boolean,
  ): Promise<boolean> {
    const { drafts, readValue } = this.#ports
    if (drafts.edit !== null && !(await this.save())) return false
    if (!isTurn()) return false
    onturn()
    if (field === 'name') {
      drafts.edit = newEdit(row, index, 'name', row.name)
      return true
    }
    const value = await readValue(row.id)
    if (value === null || !isTurn()) return false
    drafts.edit = newEdit(row, index, 'value', value.state === 'shown' ? value.value : '', {
      rev: value.rev,
      unreadable: value.state === 'unreadable' || value.state === 'unverified',
    })
    if (pasted !== null) pasteInto(drafts.edit, pasted)
    return true
  }

  /** Saves the open editor; false when that was refused: the editor stays open and says why. */
  save(): Promise<boolean> {
    return saveEdit(this.#ports)
  }
}
