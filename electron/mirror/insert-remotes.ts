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
  if (rows.length > 0) showNewRows(tx, insertBase(tx, rows, nextRev(tx)))
}
