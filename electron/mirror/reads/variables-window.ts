import { sql, type RawBuilder } from 'kysely'
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
  /** By name unless said; equals by name. */
  sort?: { by: 'name' | 'type' | 'secret' | 'updated' | 'sync'; dir: 'asc' | 'desc' } | undefined
  /** Empty lists filter nothing. */
  types?: readonly ('string' | 'number' | 'boolean' | 'unknown')[] | undefined
  secret?: boolean | undefined
  sync?: readonly ('synced' | 'queued' | 'sending' | 'blocked' | 'conflict' | 'failed')[] | undefined
  offset: number
  limit: number
}

/** LIKE with the user's text taken literally. */
const contains = (text: string): string => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`

/** Where the first unsent change of a row stands. */
const syncState = sql<string>`coalesce((SELECT state FROM queue WHERE queue.row_id = row.id ORDER BY seq LIMIT 1), 'synced')`

/** What a sort looks at; a sort by name needs nothing beside the index. */
const sortKeys: Record<NonNullable<WindowArgs['sort']>['by'], RawBuilder<unknown>> = {
  name: sql`NULL`,
  type: sql`coalesce(row.type, '')`,
  // What was never classed is shown like a secret, after those that are known to be.
  secret: sql`CASE WHEN row.is_secret = 1 THEN 2 WHEN row.is_secret IS NULL THEN 1 ELSE 0 END`,
  updated: sql`coalesce((SELECT updated_at FROM base WHERE base.id = row.id), '9999')`,
  sync: sql`CASE ${syncState} WHEN 'conflict' THEN 5 WHEN 'failed' THEN 4 WHEN 'blocked' THEN 3 WHEN 'sending' THEN 2 WHEN 'queued' THEN 1 ELSE 0 END`,
}

/** A window of an environment's variables as the user sees them, by name unless said, and how many match in all. */
export async function variablesWindow({ read }: Mirror, args: WindowArgs): Promise<{ total: number; rows: VariableColumns[] }> {
  const { types = [], sync = [], sort = { by: 'name', dir: 'asc' } } = args
  const nameDir = sort.by === 'name' ? sort.dir : 'asc'
  const matching = read
    .selectFrom('working as row')
    .where('row.kind', '=', 'variable')
    .where('row.parent_id', '=', args.environmentId)
    .$if(args.filter !== '', (query) => query.where(sql<boolean>`row.name LIKE ${contains(args.filter)} ESCAPE '\\'`))
    .$if(types.length > 0, (query) => query.where(sql`coalesce(row.type, 'unknown')`, 'in', types))
    .$if(args.secret === true, (query) => query.where('row.is_secret', 'is not', 0))
    .$if(args.secret === false, (query) => query.where('row.is_secret', '=', 0))
    .$if(sync.length > 0, (query) => query.where(syncState, 'in', sync))
  const { total } = await matching.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  // The window first, then what hangs on its rows: joins over all that match would cost a look-up for every row skipped.
  const window = matching
    .select(['row.id', 'row.name', sortKeys[sort.by].as('sort_key')])
    // The index gives names in order; any other key sorts what matches.
    .$if(sort.by !== 'name', (query) => query.orderBy('sort_key', sort.dir))
    .orderBy('row.name', nameDir)
    .orderBy('row.id', nameDir)
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
    .$if(sort.by !== 'name', (query) => query.orderBy('window.sort_key', sort.dir))
    .orderBy('window.name', nameDir)
    .orderBy('window.id', nameDir)
    .$narrowType<{ name: string }>()
    .execute()
  return { total, rows }
}
