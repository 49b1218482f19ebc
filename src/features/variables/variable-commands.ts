import type { Bridge } from '../../../electron/bridge/bridge.ts'
import type { RangeRow, ShownValue, VariableRow, VariableType } from '../../../electron/bridge/rows.ts'
import { counted } from '../../domain/counted.ts'
import { goneWords } from '../../domain/gone-words.ts'
import { notCopiedWords } from '../../domain/not-copied-words.ts'
import { hasReferences, isReferable } from '../../domain/reference-parts.ts'
import { resolvedWords } from '../../domain/reference-words.ts'
import { copyRead, type Copy } from '../../lib/copy-text.ts'
import { journey } from '../../lib/journey.svelte.ts'
import { toasts, type ToastAction } from '../../lib/toasts.svelte.ts'
import { undoAction } from '../../lib/undo.ts'
import type { Ends, SeenRow } from './selection.svelte.ts'
import type { TableView } from './table-view.svelte.ts'

interface Place {
  bridge: Bridge
  workspaceId: string
  environmentId: string
}

/** The commands on variables of one environment. A failure is shown in a toast. */
export class VariableCommands {
  readonly #place: Place

  constructor(place: Place) {
    this.#place = place
  }

  /** Shows a failure. */
  complain(message: string): void {
    toasts.say(message, 'bad')
  }

  /** The value of one variable, secret or not, to edit or to copy it. Null, with a toast, when it could not be read or was deleted. */
  async readValue(id: string): Promise<ShownValue | null> {
    const { bridge, workspaceId } = this.#place
    const result = await bridge.query('variables.values', { workspaceId, ids: [id], reveal: true })
    const value = result.ok ? result.value[0] : undefined
    if (value === undefined) this.complain(result.ok ? goneWords('variable') : result.error.message)
    return value ?? null
  }

  /** The rows of a view between two places in it, both included, or all. Null, with a toast, if they could not be read. */
  async rowsBetween(view: TableView, ends: Ends | null): Promise<readonly RangeRow[] | null> {
    const { bridge, workspaceId, environmentId } = this.#place
    const result = await bridge.query('variables.range', { workspaceId, environmentId, ...view.args, ends })
    if (result.ok) return result.value
    this.complain(result.error.message)
    return null
  }

  /**
   * Reports effects of a rename that the table doesn't show: the filter hides the variable now, or variables still refer to its former
   * name. `made`: the step of the rename.
   */
  async tellRenamed({ id, from, to }: { id: string; from: string; to: string }, view: TableView, made: { step?: string }): Promise<void> {
    const { bridge, workspaceId, environmentId } = this.#place
    const [outdated, position] = await Promise.all([
      bridge.query('references.outdated', { workspaceId, renamed: { id, from } }),
      bridge.query('variables.position', { workspaceId, environmentId, ...view.args, id }),
    ])
    const broken = outdated.ok ? outdated.value : []
    const count = broken.length
    const elsewhere = broken.filter((one) => one.environmentId !== environmentId).length
    const where = elsewhere === 0 ? '' : elsewhere === count ? ' from other environments' : `, ${elsewhere} from other environments`
    const referring = count === 0 ? '' : `${counted(count, 'variable')} still ${count === 1 ? 'refers' : 'refer'} to ${from}${where}`
    if (position.ok && position.value === null) {
      const hidden = `Renamed to ${to}, which the filter hides`
      toasts.say(referring === '' ? hidden : `${hidden}. ${referring}`, 'plain', this.#showing({ id, name: to }))
    } else if (referring !== '' && !isReferable(to)) {
      toasts.say(`${referring}, and references can’t use the name ${to}`, 'plain', undoAction(bridge, workspaceId, made))
    } else if (referring !== '') {
      toasts.say(referring, 'plain', {
        name: `Update ${count === 1 ? 'it' : 'them'}`,
        run: () =>
          void this.#renameIn(
            broken.map((one) => one.id),
            { id, from, to },
          ),
      })
    }
  }

  /** Renames the references to a variable in the values of these others; its renaming is undone together with that. */
  async #renameIn(ids: readonly string[], { id, from, to }: { id: string; from: string; to: string }): Promise<void> {
    const { bridge, workspaceId } = this.#place
    const result = await bridge.command('references.rename', { workspaceId, renamed: { id, from }, ids: [...ids] })
    if (!result.ok) return this.complain(result.error.message)
    const [only, ...more] = result.value.names
    if (only === undefined) return toasts.say(`No variable refers to ${from} anymore.`)
    const what = more.length === 0 ? only : counted(result.value.names.length, 'variable')
    toasts.say(`Updated ${what} to refer to ${to}`, 'plain', undoAction(bridge, workspaceId, result))
  }

  /** Says that a variable was added, and shows it on request where the filter hides it. */
  async tellAdded(added: { id: string; name: string }, isTakenForSecret: boolean, view: TableView): Promise<void> {
    const { bridge, workspaceId, environmentId } = this.#place
    const words = isTakenForSecret ? `Added ${added.name} as a secret, going by its name` : `Added ${added.name}`
    if (!view.isFiltered) return toasts.say(words)
    const position = await bridge.query('variables.position', { workspaceId, environmentId, ...view.args, id: added.id })
    if (!position.ok || position.value !== null) return toasts.say(words)
    toasts.say(`${words}, which the filter hides`, 'plain', this.#showing(added))
  }

  #showing(variable: { id: string; name: string }): ToastAction {
    const { workspaceId, environmentId } = this.#place
    return { name: 'Show', run: () => journey.go({ workspaceId, projectId: null, environmentId, variable }) }
  }

  copy(row: VariableRow): Promise<void> {
    return copyRead(this.#read(row))
  }

  async #read(row: VariableRow): Promise<Copy | null> {
    const value = await this.readValue(row.id)
    if (value === null) return null
    if (value.state !== 'shown') return this.#refuse(notCopiedWords(row.name, value.state))
    if (!hasReferences(value.value)) return { text: value.value, what: row.name }
    const action = { name: 'Copy resolved', run: () => void copyRead(this.#readResolved(row)) }
    return { text: value.value, what: `${row.name}, references unresolved`, action }
  }

  async #readResolved({ id, name }: VariableRow): Promise<Copy | null> {
    const { bridge, workspaceId } = this.#place
    const result = await bridge.query('references.resolve', { workspaceId, id, reveal: true })
    if (!result.ok) return this.#refuse(result.error.message)
    const { state, value, problems } = result.value
    if (state === 'shown' && problems.length === 0 && value !== null) return { text: value, what: `${name}, resolved` }
    const why = resolvedWords(result.value)
    return this.#refuse([`${name} can’t be resolved, so it isn’t copied.`, ...(why === null ? [] : [why.text])].join(' '))
  }

  /** Copies `NAME=value`, quoted as a .env file needs it. */
  copyLine(row: VariableRow): Promise<void> {
    return copyRead(this.#readLine(row))
  }

  async #readLine({ name }: VariableRow): Promise<Copy | null> {
    const { bridge, workspaceId, environmentId } = this.#place
    const how = { format: 'env', reveal: true, resolve: true } as const
    const result = await bridge.query('export.text', { workspaceId, environmentId, ...how, names: [name] })
    if (!result.ok) return this.#refuse(result.error.message)
    const [refused] = result.value.refused
    if (refused) return this.#refuse(`${name} can’t be written as NAME=value. ${refused.reason}`)
    return { text: result.value.text.trimEnd(), what: `${name}=…` }
  }

  #refuse(why: string): null {
    this.complain(why)
    return null
  }

  /** The id of the copy; null when there is none. */
  async duplicate(row: VariableRow): Promise<string | null> {
    const { bridge, workspaceId } = this.#place
    const result = await bridge.command('variables.duplicate', { workspaceId, id: row.id, seen: row.rev })
    if (!result.ok) {
      this.complain(result.error.message)
      return null
    }
    toasts.say(`Duplicated ${row.name}`, 'plain', undoAction(bridge, workspaceId, result))
    return result.value.id
  }

  /** Deletes variables, with a toast that offers undo. Returns why none was deleted, or null. `name`: of a single variable. */
  async remove(rows: readonly SeenRow[], name: string | null): Promise<string | null> {
    const { bridge, workspaceId } = this.#place
    const result = await bridge.command('variables.delete', { workspaceId, rows: [...rows] })
    if (!result.ok) return result.error.message
    const { gone } = result.value
    if (gone === rows.length) toasts.say(goneWords('variable', gone))
    else toasts.say(`Deleted ${name ?? counted(rows.length - gone, 'variable')}`, 'plain', undoAction(bridge, workspaceId, result))
    return null
  }

  async update(row: VariableRow, change: { type?: VariableType; isSecret?: boolean }): Promise<void> {
    const { bridge, workspaceId } = this.#place
    const result = await bridge.command('variables.update', { workspaceId, id: row.id, seen: row.rev, ...change })
    if (!result.ok) this.complain(result.error.message)
  }

  /** True if all of them were changed, with a toast that offers undo; else none was. */
  async updateMany(rows: readonly SeenRow[], change: { isSecret: boolean } | { type: VariableType }): Promise<boolean> {
    const { bridge, workspaceId } = this.#place
    const result = await bridge.command('variables.update-many', { workspaceId, rows: [...rows], ...change })
    if (!result.ok) {
      this.complain(result.error.message)
      return false
    }
    const to = 'type' in change ? change.type : change.isSecret ? 'secret' : 'not secret'
    const { gone } = result.value
    const what = counted(rows.length - gone, 'variable')
    const text = 'type' in change ? `Set the type of ${what} to ${to}` : `Marked ${what} as ${to}`
    if (gone === rows.length) toasts.say(goneWords('variable', gone))
    else toasts.say(text, 'plain', undoAction(bridge, workspaceId, result))
    return true
  }
}
