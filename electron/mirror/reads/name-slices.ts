import { sql } from 'kysely'
import type { Mirror } from '../mirror.ts'
import type { RowKind } from '../../queue/entry.ts'

export interface NameColumns {
  id: string
  parent_id: string | null
  name: string
}

/** Returns the projects or environments that have a name. */
export function placeNames({ read }: Pick<Mirror, 'read'>, kind: 'project' | 'environment'): Promise<NameColumns[]> {
  return read
    .selectFrom('working')
    .select(['id', 'parent_id', 'name'])
    .where('kind', '=', kind)
    .where('name', 'is not', null)
    .orderBy('name')
    .$narrowType<{ name: string }>()
    .execute()
}

/** Yields the names of an environment's variables in order, in slices short enough not to block other work. */
export async function* variableNames(
  { read }: Pick<Mirror, 'read'>,
  environmentId: string,
  slice = 2000,
): AsyncGenerator<{ id: string; name: string }[]> {
  let after: { id: string; name: string; name_key: string } | undefined
  do {
    const rows = await read
      .selectFrom('working')
      .select(['id', 'name', 'name_key'])
      .where('kind', '=', 'variable')
      .where('parent_id', '=', environmentId)
      .where('name', 'is not', null)
      .$if(after !== undefined, (query) =>
        query.where(sql<boolean>`(name_key, name, id) > (${after?.name_key}, ${after?.name}, ${after?.id})`),
      )
      .orderBy('name_key')
      .orderBy('name')
      .orderBy('id')
      .limit(slice)
      .$narrowType<{ name: string }>()
      .execute()
    yield rows
    after = rows.length < slice ? undefined : rows.at(-1)
  } while (after !== undefined)
}

/** Returns the names of these rows. Leaves out rows that don't exist or have no name. */
export function namesOfRows({ read }: Pick<Mirror, 'read'>, ids: readonly string[]): Promise<(NameColumns & { kind: RowKind })[]> {
  return read
    .selectFrom('working')
    .select(['id', 'kind', 'parent_id', 'name'])
    .where('id', 'in', ids)
    .where('name', 'is not', null)
    .$narrowType<{ name: string }>()
    .execute()
}
