import { sql } from 'kysely'
import type { MissingVariables } from '../../bridge/rows.ts'
import type { Mirror } from '../mirror.ts'
import { environmentsOf } from './compare-columns.ts'

/** The variables of other environments whose names the target does not have. */
const missingIn = ({ read }: Mirror, targetId: string, sourceIds: readonly string[]) =>
  read
    .selectFrom('working as row')
    .where('row.parent_id', 'in', sourceIds)
    .where('row.name', 'is not', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('working as there')
            .select(sql`1`.as('one'))
            .where('there.parent_id', '=', targetId)
            .whereRef('there.name', '=', 'row.name'),
        ),
      ),
    )

/** Counts the variables that an environment is missing and other environments of its project have. */
export async function missingSources(
  mirror: Mirror,
  projectId: string,
  targetId: string,
): Promise<Pick<MissingVariables, 'total' | 'sources'>> {
  const others = (await environmentsOf(mirror, projectId)).filter(({ id }) => id !== targetId)
  if (others.length === 0) return { total: 0, sources: [] }
  const ids = others.map(({ id }) => id)
  const counts = await mirror.read
    .with('missing', () => missingIn(mirror, targetId, ids).select(['row.parent_id', 'row.name']).distinct())
    .selectFrom('missing')
    .select(({ fn }) => ['parent_id', fn.countAll<number>().as('count')])
    .groupBy('parent_id')
    .unionAll(({ selectFrom }) =>
      selectFrom('missing').select(({ fn }) => [sql<string>`''`.as('parent_id'), fn.count<number>('name').distinct().as('count')]),
    )
    .execute()
  const of = new Map(counts.map(({ parent_id, count }) => [parent_id, count]))
  const sources = others.map(({ id, name }) => ({ id, name, count: of.get(id) ?? 0 })).filter(({ count }) => count > 0)
  return { total: of.get('') ?? 0, sources: sources.toSorted((a, b) => b.count - a.count) }
}

/** Returns up to `limit` variables of a source that an environment is missing, in natural order, one of each name. */
export async function missingVariables(
  mirror: Mirror,
  targetId: string,
  sourceId: string,
  limit: number,
): Promise<MissingVariables['variables']> {
  // The other columns are those of the row with the least id.
  const rows = await missingIn(mirror, targetId, [sourceId])
    .leftJoin('base', 'base.id', 'row.id')
    .select(['row.name', 'base.rev', ({ fn }) => fn.min('row.id').as('id')])
    .groupBy('row.name')
    .orderBy('row.name_key')
    .orderBy('row.name')
    .limit(limit)
    .$narrowType<{ name: string }>()
    .execute()
  return rows.map(({ id, name, rev }) => ({ id, name, rev: rev ?? 0 }))
}
