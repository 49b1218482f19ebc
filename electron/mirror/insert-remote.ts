import type { Insertable } from 'kysely'
import type { BaseRow } from '../queue/entry.ts'
import { nextRev } from './past-layer.ts'
import { reusable } from './reusable.ts'
import { toBaseColumns } from './row-codec.ts'
import type { BaseTable } from './schema.ts'
import { build, type Tx } from './tx.ts'
import { showNewRow } from './working-layer.ts'

const inBase = reusable((columns: Insertable<BaseTable>) => build.insertInto('base').values(columns))

/**
 * Writes a row that others created, under an id that nothing here has: it has no unsent changes and nothing below it. The user sees it where
 * its parent is seen. A first pull writes every row this way, so it takes few statements.
 */
export function insertRemote(tx: Tx, row: BaseRow): void {
  tx.run(inBase({ ...toBaseColumns(row), rev: nextRev(tx) }))
  showNewRow(tx, row)
}
