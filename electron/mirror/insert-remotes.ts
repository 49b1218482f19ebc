import type { BaseRow } from '../queue/entry.ts'
import { insertBase } from './base-layer.ts'
import { nextRev } from './past-layer.ts'
import type { Tx } from './tx.ts'
import { showNewRows } from './working-layer.ts'

/**
 * Inserts rows that others created, under unused local ids. They have no unsent changes and no children, and none is below another. Each is
 * visible if its parent is. A first pull writes every row this way.
 */
export function insertRemotes(tx: Tx, rows: readonly BaseRow[]): void {
  if (rows.length === 0) return
  const rev = nextRev(tx)
  const numbers = rows.map((row) => insertBase(tx, row, rev))
  const first = numbers[0]
  if (first !== undefined) showNewRows(tx, first)
}
