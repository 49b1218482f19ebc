import { sql, type Insertable } from 'kysely'
import type { BaseRow } from '../queue/entry.ts'
import { nextRev } from './past-layer.ts'
import { reusable } from './reusable.ts'
import { toBaseColumns, toColumns } from './row-codec.ts'
import type { BaseTable, WorkingTable } from './schema.ts'
import { build, type Tx } from './tx.ts'

const inBase = reusable((columns: Insertable<BaseTable>) => build.insertInto('base').values(columns))
const columnNames = ['id', 'kind', 'parent_id', 'name', 'slug', 'sealed', 'tag', 'key_id', 'type', 'is_secret'] as const
const inWorking = reusable((columns: WorkingTable) =>
  build
    .insertInto('working')
    .columns(columnNames)
    .expression(
      build
        .selectFrom('working')
        .select((row) => columnNames.map((name) => row.val(columns[name]).as(name)))
        .where('id', '=', columns.parent_id)
        .limit(sql<number>`1`),
    ),
)
const onTop = reusable((columns: WorkingTable) => build.insertInto('working').values(columns))

/**
 * Writes a row that others created, under an id that nothing here has: it has no unsent changes and nothing below it. The user sees it where
 * its parent is seen. A first pull writes every row this way, so it takes few statements.
 */
export function insertRemote(tx: Tx, row: BaseRow): void {
  const columns = toColumns(row)
  tx.run(inBase({ ...toBaseColumns(row), rev: nextRev(tx) }))
  tx.run((row.parentId === null ? onTop : inWorking)(columns))
}
