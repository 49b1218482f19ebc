import { sql } from 'kysely'
import type { Mirror } from '../mirror.ts'
import type { SyncColumns } from './sync-columns.ts'

export interface VariableColumns extends SyncColumns {
  id: string
  parent_id: string | null
  name: string
  tag: string | null
  key_id: string | null
  type: 'string' | 'number' | 'boolean' | null
  is_secret: number | null
  updated_at: string | null
  updated_by: string | null
}

export interface WindowArgs {
  environmentId: string
  /** Any part of the name, case-insensitive for ASCII; empty for all. */
  filter: string
  offset: number
  limit: number
}

/** LIKE with the user's text taken literally. */
const contains = (text: string): string => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`

/** A window of an environment's variables as the user sees them, by name, and how many there are in all. */
export async function variablesWindow({ read }: Mirror, args: WindowArgs): Promise<{ total: number; rows: VariableColumns[] }> {
  const matching = read
    .selectFrom('working as row')
    .where('row.kind', '=', 'variable')
    .where('row.parent_id', '=', args.environmentId)
    .$if(args.filter !== '', (query) => query.where(sql<boolean>`row.name LIKE ${contains(args.filter)} ESCAPE '\\'`))
  const { total } = await matching.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  // The window first, then what hangs on its rows: joins over all that match would cost a look-up for every row skipped.
  const window = matching
    .select(['row.id', 'row.name'])
    .orderBy('row.name')
    .orderBy('row.id')
    .offset(args.offset)
    .limit(args.limit)
    .as('window')
  const rows = await read
    .selectFrom(window)
    .innerJoin('working as row', 'row.id', 'window.id')
    .leftJoin('base', 'base.id', 'window.id')
    .leftJoin('queue as first', (join) =>
      join.on('first.seq', '=', (eb) =>
        eb
          .selectFrom('queue')
          .select(({ fn }) => fn.min('queue.seq').as('seq'))
          .whereRef('queue.row_id', '=', 'window.id'),
      ),
    )
    .select([
      'row.id',
      'row.parent_id',
      'row.name',
      'row.tag',
      'row.key_id',
      'row.type',
      'row.is_secret',
      'base.updated_at',
      'base.updated_by',
      'first.id as change_id',
      'first.state as change_state',
      'first.reason as change_reason',
    ])
    .orderBy('window.name')
    .orderBy('window.id')
    .$narrowType<{ name: string }>()
    .execute()
  return { total, rows }
}
