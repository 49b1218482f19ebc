import { sql } from 'kysely'
import type { Entry } from '../../queue/entry.ts'
import { build, type Tx } from '../tx.ts'
import { readEntries } from './read-queue.ts'

const sealedOf = (json: string) => sql`${sql.ref(json)} ->> '$.value.sealed'`
/** `base` if both sides of a change have the same sealed value, so that they are still equal to each other. */
const standIn = sql`CASE WHEN ${sealedOf('patch')} = ${sealedOf('base')} THEN 'base' ELSE 'patch' END`

const outlines = build
  .selectFrom('queue')
  .select([
    'seq',
    'id',
    'kind',
    'row_kind',
    'row_id',
    'parent_id',
    'ancestors',
    sql<string>`json_replace(patch, '$.value.sealed', ${standIn})`.as('patch'),
    sql<string | null>`json_replace(base, '$.value.sealed', 'base')`.as('base'),
    'key_now',
    'key_before',
    'state',
    'attempts',
    'next_attempt_at',
    'reason',
    'remote_id',
    'leaves',
    'seen',
    sql<string | null>`json_replace(conflict, '$.remote.value.sealed', 'remote')`.as('conflict'),
    'created_at',
  ])
  .orderBy('seq')

/**
 * Returns all entries of the queue in order, and lets other work run in between. Every sealed value in them is only a stand-in, because the
 * values of a long queue are many megabytes: the entries can be listed, but not sent or written.
 */
export const readOutlines = (tx: Tx): Promise<Entry[]> => readEntries(tx, outlines)
