import { sql } from 'kysely'
import { isVariable, type Variable } from '../../queue/entry.ts'
import { fromColumns } from '../row-codec.ts'
import { build, type Tx } from '../tx.ts'

/** The named variables of an environment, by name, in slices short enough not to block other work. */
export function* rowsOfEnvironment(tx: Tx, environmentId: string, slice = 500): Generator<Variable[]> {
  let after: Variable | undefined
  do {
    const last = after
    const rows = tx
      .all(
        build
          .selectFrom('working')
          .selectAll()
          .where('kind', '=', 'variable')
          .where('parent_id', '=', environmentId)
          .where('name', 'is not', null)
          .$if(last !== undefined, (query) => query.where(sql<boolean>`(name, id) > (${last?.fields.name}, ${last?.id})`))
          .orderBy('name')
          .orderBy('id')
          .limit(slice),
      )
      .map(fromColumns)
      .filter((row) => isVariable(row))
    yield rows
    after = rows.length < slice ? undefined : rows.at(-1)
  } while (after !== undefined)
}
