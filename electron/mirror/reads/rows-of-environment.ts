import { sql, type Selectable } from 'kysely'
import { isVariable, type Variable } from '../../queue/entry.ts'
import { fromColumns } from '../row-codec.ts'
import type { WorkingTable } from '../schema.ts'
import { build, type Tx } from '../tx.ts'

/** Yields the variables of an environment in natural order of their names, in slices short enough not to block other work. */
export function* rowsOfEnvironment(tx: Tx, environmentId: string, slice = 500): Generator<Variable[]> {
  let after: Selectable<WorkingTable> | undefined
  do {
    const last = after
    const rows = tx.all(
      build
        .selectFrom('working')
        .selectAll()
        .where('kind', '=', 'variable')
        .where('parent_id', '=', environmentId)
        .where('name', 'is not', null)
        .$if(last !== undefined, (query) =>
          query.where(sql<boolean>`(name_key, name, id) > (${last?.name_key}, ${last?.name}, ${last?.id})`),
        )
        .orderBy('name_key')
        .orderBy('name')
        .orderBy('id')
        .limit(slice),
    )
    yield rows.map(fromColumns).filter((row) => isVariable(row))
    after = rows.length < slice ? undefined : rows.at(-1)
  } while (after !== undefined)
}
