import type { Bridge } from '../../../electron/bridge/bridge.ts'
import type { ShownValue, VariableRow } from '../../../electron/bridge/rows.ts'
import { valueLook } from '../../domain/value-look.ts'
import { keepKeysForField } from '../../lib/keep-keys-for-field.ts'
import { newEdit, type Drafts } from './drafts.svelte.ts'
import { saveEdit } from './save-edit.ts'

interface Ports {
  bridge: Bridge
  workspaceId: string
  drafts: Drafts
  /** The value of one variable, secret or not; null when it could not be asked for, which it has said. */
  readValue: (id: string) => Promise<ShownValue | null>
  /** Gives the keyboard to the table. */
  focusTable: () => void
}

/** Opens and saves the editor of a name or a value in the table. At most one is open: opening another saves it first. */
export class RowEditing {
  readonly #ports: Ports
  #turn = 0

  constructor(ports: Ports) {
    this.#ports = ports
  }

  /** Opens the editor of one field. `onturn` is called once what was edited before is saved, and not at all when that was refused or another editor was asked for since. */
  async open(row: VariableRow, index: number, field: 'name' | 'value', onturn: () => void): Promise<void> {
    const { drafts } = this.#ports
    // Opened twice for the same field: the text in the first editor stays.
    if (drafts.saving === null && drafts.edit?.row.id === row.id && drafts.edit.field === field) return
    const turn = ++this.#turn
    await keepKeysForField(() => this.#open(row, index, field, onturn, () => turn === this.#turn))
  }

  async #open(row: VariableRow, index: number, field: 'name' | 'value', onturn: () => void, isTurn: () => boolean): Promise<boolean> {
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
    return true
  }

  /** Opens the editor of a value with `text` in it, to be saved or cancelled. */
  async paste(row: VariableRow, index: number, text: string, onturn: () => void): Promise<void> {
    await this.open(row, index, 'value', onturn)
    const { edit } = this.#ports.drafts
    if (edit?.row.id !== row.id || edit.field !== 'value') return
    edit.text = text
    edit.look = valueLook(row.type, text)
  }

  /** Saves the open editor; false when that was refused, and the editor stays and says why. */
  save(): Promise<boolean> {
    return saveEdit(this.#ports)
  }
}
