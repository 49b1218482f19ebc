import { z } from 'zod'
import { getState, setState } from '../../mirror/workspace-state.ts'
import { parseFields } from '../../mirror/row-codec.ts'
import type { Tx } from '../../mirror/tx.ts'
import type { RowKind } from '../../queue/entry.ts'
import { changedFields, type Fields } from '../../queue/fields.ts'

/** A row that the service's return to a backup changed here. */
export interface RestartedRow {
  id: string
  kind: RowKind
  parentId: string | null
  /** null: it came back. */
  before: Fields | null
  /** null: it is gone. */
  after: Fields | null
}

/** What changed here when the service went back to a backup. */
export interface RestartNote {
  at: number
  /** Whether all of it was read. */
  isWhole: boolean
  rows: RestartedRow[]
}

/** More rows are not listed one by one. */
const mostRows = 5000

/** From now on, until `endRestart`, the changes of a pull are noted, beside those that the user has not read yet. */
export function beginRestart(tx: Tx, at: number): void {
  write(tx, { at, isWhole: false, rows: readRestart(tx)?.rows ?? [] })
  setState(tx, 'restarting', 'yes')
}

/** Whether the changes of a pull are noted now. */
export const isNoting = (tx: Tx): boolean => getState(tx, 'restarting') !== null

/** Notes rows that a pull changed, if it is one after a restart. */
export function noteRestart(tx: Tx, changes: readonly RestartedRow[]): void {
  const note = changes.length === 0 || !isNoting(tx) ? null : readRestart(tx)
  if (note === null) return
  const isOther = ({ before, after }: RestartedRow) =>
    before === null || after === null || Object.keys(changedFields(before, after)).length > 0
  const more = note.rows.length < mostRows ? changes.filter(isOther) : []
  if (more.length > 0) write(tx, { ...note, rows: [...note.rows, ...more].slice(0, mostRows) })
}

/** The user has read the note. */
export const dropRestart = (tx: Tx): void => setState(tx, 'restart', null)

/** All of it was read: the note waits for the user, if there is anything to say. */
export function endRestart(tx: Tx): void {
  if (!isNoting(tx)) return
  setState(tx, 'restarting', null)
  const note = readRestart(tx)
  if (note === null) return
  if (note.rows.length === 0) dropRestart(tx)
  else write(tx, { ...note, isWhole: true })
}

const write = (tx: Tx, note: RestartNote): void => setState(tx, 'restart', JSON.stringify(note))

const fields = z.unknown().transform((value): Fields => parseFields(JSON.stringify(value)))
const schema = z.object({
  at: z.number(),
  isWhole: z.boolean(),
  rows: z.array(
    z.object({
      id: z.string(),
      kind: z.enum(['project', 'environment', 'variable']),
      parentId: z.string().nullable(),
      before: fields.nullable(),
      after: fields.nullable(),
    }),
  ),
})

/** What the last restart of the service changed here; null: nothing that the user has not read. */
export function readRestart(tx: Tx): RestartNote | null {
  const text = getState(tx, 'restart')
  return text === null ? null : schema.parse(JSON.parse(text))
}
