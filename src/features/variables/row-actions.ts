import type { VariableRow } from '../../../electron/bridge/rows.ts'
import type { Column } from './columns.ts'

/** The actions of a row of the table, which the screen carries out. */
export interface RowActions {
  press: (index: number, column: Column, event: MouseEvent) => void
  edit: (row: VariableRow, index: number, field: 'name' | 'value') => void
  pickType: (row: VariableRow, anchor: HTMLElement) => void
  toggleSecret: (row: VariableRow) => void
  reveal: (row: VariableRow) => void
  copy: (row: VariableRow) => void
  /** Opens the menu of the row at a button. */
  more: (row: VariableRow, index: number, anchor: HTMLElement) => void
  remove: (row: VariableRow) => void
  select: (row: VariableRow, index: number, event: MouseEvent) => void
  openChange: (row: VariableRow) => void
  /** The pointer rests on a value, or has left it. */
  point: (row: VariableRow | null) => void
}
