import type { CompareCell } from '../../electron/bridge/rows.ts'

/** Where the value of one cell could go in its row. */
export interface CopyTargets {
  /** Environments that do not have the variable. */
  missing: string[]
  /** Environments whose value would be replaced: known to be another one, or not known to be the same. */
  replaced: string[]
}

/** Sorts the other cells of a row by the effect of copying `from` to them; equal ones are left out. */
export const copyTargets = (from: CompareCell, cells: readonly CompareCell[]): CopyTargets => ({
  missing: cells.filter((cell) => cell.variableId === null).map((cell) => cell.environmentId),
  replaced: cells
    .filter((cell) => cell.variableId !== null && cell.environmentId !== from.environmentId && cell.group !== from.group)
    .map((cell) => cell.environmentId),
})
