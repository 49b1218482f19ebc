import { baseChildren, deleteBase } from './base-layer.ts'
import { rebindEntries } from './queue-layer.ts'
import { build, type Tx } from './tx.ts'
import { refreshRow } from './working-layer.ts'

/**
 * Merges two local ids of the same record: the children, unsent changes and history of `from` become those of `to`. The caller writes the
 * base row of `to`.
 */
export function rebind(tx: Tx, from: string, to: string): void {
  const children = baseChildren(tx, from)
  tx.run(build.updateTable('base').set({ parent_id: to }).where('parent_id', '=', from))
  rebindEntries(tx, from, to)
  for (const table of ['history', 'past'] as const)
    for (const column of ['row_id', 'parent_id'] as const)
      tx.run(
        build
          .updateTable(table)
          .set({ [column]: to })
          .where(column, '=', from),
      )
  deleteBase(tx, from)
  refreshRow(tx, from)
  for (const child of children) refreshRow(tx, child.id)
}
