import { sql } from 'kysely'
import { build, type Tx } from './tx.ts'
import { refreshRow } from './working-layer.ts'

/**
 * Hangs on `to` what the user made below `from` and the server has not seen yet, in the transaction that made `to`. Records of the
 * server below `from` stay where they are.
 */
export function moveUnsent(tx: Tx, from: string, to: string): void {
  const onlyHere = build.selectFrom('base').select('id')
  const below = build.selectFrom('queue').select('row_id').distinct().where('ancestors', 'like', `%${from}%`)
  const rows = tx.all(below.where('row_id', 'not in', onlyHere))
  tx.run(build.updateTable('queue').set({ parent_id: to }).where('parent_id', '=', from).where('row_id', 'not in', onlyHere))
  tx.run(
    build
      .updateTable('queue')
      .set({ ancestors: sql<string>`replace(ancestors, ${JSON.stringify(from)}, ${JSON.stringify(to)})` })
      .where('ancestors', 'like', `%${from}%`)
      .where('row_id', 'not in', onlyHere),
  )
  for (const row of rows) refreshRow(tx, row.row_id)
}
