import type { Bridge } from '../../../electron/bridge/bridge.ts'
import type { CompareCell, CompareRow, ShownValue } from '../../../electron/bridge/rows.ts'
import { copyTargets } from '../../domain/copy-targets.ts'
import { counted } from '../../domain/counted.ts'
import { environmentName } from '../../domain/environment-name.ts'
import { notCopiedWords } from '../../domain/not-copied-words.ts'
import { copyRead, type Copy } from '../../lib/copy-text.ts'
import { toasts } from '../../lib/toasts.svelte.ts'
import { undoAction } from '../../lib/undo.ts'
import type { Comparison } from './comparison.svelte.ts'

interface Replacement {
  from: CompareCell
  name: string
  /** Ids of the environments it is copied to. */
  to: readonly string[]
  /** The cells as they were shown. */
  cells: readonly CompareCell[]
  /** Names of those whose other value it replaces. */
  replaced: readonly string[]
}

/** Copies values of cells to the clipboard and to other environments. */
export class CellCopies {
  /** A copy that would replace several values, until the user confirms it. */
  asked = $state.raw<Replacement | null>(null)
  readonly #bridge: Bridge
  readonly #workspaceId: string
  readonly #comparison: Comparison

  constructor(bridge: Bridge, workspaceId: string, comparison: Comparison) {
    this.#bridge = bridge
    this.#workspaceId = workspaceId
    this.#comparison = comparison
  }

  /** The value of a variable, secret or not; null when it could not be read, with a toast that says why. */
  async read(id: string): Promise<ShownValue | null> {
    const result = await this.#bridge.query('variables.values', { workspaceId: this.#workspaceId, ids: [id], reveal: true })
    if (!result.ok) toasts.say(result.error.message, 'bad')
    return result.ok ? (result.value[0] ?? null) : null
  }

  async toClipboard(name: string, cell: CompareCell | undefined): Promise<void> {
    if (cell?.variableId) await copyRead(this.#readToCopy(name, cell.variableId))
  }

  async #readToCopy(name: string, id: string): Promise<Copy | null> {
    const value = await this.read(id)
    if (value?.state === 'shown') return { text: value.value, what: name }
    if (value !== null) toasts.say(notCopiedWords(name, value.state), 'bad')
    return null
  }

  /** Copies to environments; asks first if it would replace several values. */
  async ask(from: CompareCell, row: CompareRow, to: readonly string[]): Promise<void> {
    const replaced = copyTargets(from, row.cells).replaced.filter((id) => to.includes(id))
    // The menu names one replaced value; several are listed in a confirmation.
    if (replaced.length > 1) this.asked = { from, name: row.name, to, cells: row.cells, replaced: replaced.map((id) => this.#nameOf(id)) }
    else await this.#copy({ from, name: row.name, to, cells: row.cells })
  }

  async agree(): Promise<void> {
    const { asked } = this
    this.asked = null
    if (asked !== null) await this.#copy(asked)
  }

  /**
   * Fills missing cells. From a cell with a value: all missing cells of its row. A missing cell itself: with the value of the others if they
   * have the same; else calls `choose` with its row.
   */
  async fill(name: string | undefined, cell: CompareCell | undefined, choose: (row: CompareRow) => void): Promise<void> {
    const row = cell !== undefined && name !== undefined ? await this.#comparison.wholeRow(name) : null
    if (cell === undefined || row === null) return
    if (cell.variableId === null) {
      const from = row.cells.find(({ variableId }) => variableId !== null)
      if (from !== undefined && copyTargets(from, row.cells).replaced.length === 0) await this.ask(from, row, [cell.environmentId])
      else choose(row)
      return
    }
    const { missing } = copyTargets(cell, row.cells)
    if (missing.length > 0) await this.#copy({ from: cell, name: row.name, to: missing, cells: row.cells })
    else toasts.say(`${row.name} isn’t missing anywhere.`)
  }

  async #copy({ from, name, to, cells }: Omit<Replacement, 'replaced'>): Promise<void> {
    if (from.variableId === null) return
    const places = to.map((id) => ({
      id,
      name: this.#nameOf(id),
      // 0: the cell was not shown.
      seen: cells.find(({ environmentId }) => environmentId === id)?.rev ?? 0,
    }))
    await copyAcross(this.#bridge, this.#workspaceId, { from: { id: from.variableId, seen: from.rev }, name, to: places })
  }

  #nameOf(id: string): string {
    return environmentName(this.#comparison.environments, id)
  }
}

/** Copies one value to other environments, with a toast that offers undo. */
async function copyAcross(
  bridge: Bridge,
  workspaceId: string,
  of: { from: { id: string; seen: number }; name: string; to: readonly { id: string; name: string; seen: number }[] },
): Promise<void> {
  const [first] = of.to
  if (first === undefined) return
  const to = of.to.map(({ id, seen }) => ({ environmentId: id, seen }))
  const result = await bridge.command('compare.copy', { workspaceId, from: of.from, to })
  if (!result.ok) return toasts.say(result.error.message, 'bad')
  const where = of.to.length === 1 ? first.name : counted(of.to.length, 'environment')
  toasts.say(`Copied ${of.name} to ${where}`, 'plain', undoAction(bridge, workspaceId, result))
}
