import type { Migration } from './migration.ts'

/** Whether two JSON texts hold the same at a path. Values are the same when their bytes are, or their tags under one key. */
const same = (path: string) => `json_extract(made.patch, '${path}') IS json_extract(gone.base, '${path}')`
const sameValue = `(${same('$.value.sealed')} OR (json_extract(made.patch, '$.value.tag') IS NOT NULL
  AND ${same('$.value.tag')} AND ${same('$.value.keyId')}))`
const unlessChanged = (path: string, equal: string) => `CASE WHEN ${equal} THEN '${path}' ELSE '$.unknown' END`

/** A copy that was never sent and the deletion that waits for it, with nothing else queued for either row. */
const pair = `gone.kind = 'delete' AND gone.after = made.row_id AND gone.base IS NOT NULL AND made.kind = 'create' AND made.row_kind = 'variable'
  AND made.state = 'queued' AND made.attempts = 0 AND gone.state = 'queued' AND gone.attempts = 0
  AND NOT EXISTS (SELECT 1 FROM queue AS other WHERE other.row_id IN (made.row_id, gone.row_id) AND other.seq NOT IN (made.seq, gone.seq))`

const renamed = (column: string, from: string, to: string) =>
  `json_set(json_remove(${column}, '$.${from}'), '$.${to}', json_extract(${column}, '$.${from}'))`

/**
 * Entries with one life: a create knows the id of its record, a move is one update, a deletion knows what its user saw. An existing queue
 * is carried over; what it cannot say for sure any more waits for the user.
 */
export const entries: Migration = {
  name: '0014-entries',
  up: [
    `ALTER TABLE queue ADD COLUMN remote_id TEXT`,
    `ALTER TABLE queue ADD COLUMN leaves TEXT NOT NULL DEFAULT '[]'`,
    `ALTER TABLE queue ADD COLUMN seen INTEGER`,
    // The row of a move keeps its id: what is shown and kept of the copy is of the original from now on.
    `CREATE TEMP TABLE moved AS SELECT made.seq AS made, made.row_id AS copy, gone.seq AS gone, gone.row_id AS original
      FROM queue AS made JOIN queue AS gone ON ${pair}`,
    `UPDATE queue AS made SET kind = 'update', row_id = gone.row_id, leaves = gone.ancestors, key_before = gone.key_before,
        base = json_set(gone.base, '$.parent', gone.parent_id),
        patch = json_set(json_remove(made.patch, ${unlessChanged('$.name', same('$.name'))}, ${unlessChanged('$.value', sameValue)},
          ${unlessChanged('$.type', same('$.type'))}, ${unlessChanged('$.isSecret', same('$.isSecret'))}), '$.parent', made.parent_id)
      FROM queue AS gone JOIN temp.moved ON moved.gone = gone.seq WHERE moved.made = made.seq`,
    `DELETE FROM queue WHERE seq IN (SELECT gone FROM temp.moved)`,
    `DELETE FROM working WHERE id IN (SELECT original FROM temp.moved)`,
    `UPDATE working SET id = (SELECT original FROM temp.moved WHERE copy = id) WHERE id IN (SELECT copy FROM temp.moved)`,
    `UPDATE history SET row_id = (SELECT original FROM temp.moved WHERE copy = row_id) WHERE row_id IN (SELECT copy FROM temp.moved)`,
    `DROP TABLE temp.moved`,
    `UPDATE queue SET state = 'failed', attempts = 0, next_attempt_at = NULL, conflict = NULL,
        reason = 'This deletes the original of a moved variable. Check that the copy has arrived, then send it.'
      WHERE kind = 'delete' AND after IN (SELECT row_id FROM queue WHERE kind = 'create') AND state <> 'sending'`,
    `UPDATE queue SET state = 'failed', next_attempt_at = NULL, conflict = NULL,
        reason = 'Recovered from a damaged database: check it, then send it.'
      WHERE sought IS NOT NULL`,
    `UPDATE queue SET remote_id = id WHERE kind = 'create'`,
    `UPDATE queue SET seen = COALESCE((SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'rev'), 0)
      WHERE kind = 'delete' AND row_kind IN ('project', 'environment')`,
    `UPDATE queue SET state = 'failed', next_attempt_at = NULL,
        reason = 'Whether this version was saved is unknown. Look at the versions, then send it again or discard it.'
      WHERE kind = 'snapshot' AND state = 'sending'`,
    `UPDATE queue SET patch = json_set(json_remove(patch, '$.after', '$.beside', '$.looks'), '$.remoteId', id) WHERE kind = 'snapshot'`,
    `UPDATE queue SET patch = ${renamed('patch', 'was', 'base')} WHERE kind = 'set-role'`,
    `UPDATE queue SET patch = ${renamed('patch', 'theirs', 'remote')}
      WHERE kind IN ('invite', 'set-role') AND json_extract(patch, '$.theirs') IS NOT NULL`,
    `UPDATE queue SET conflict = ${renamed('conflict', 'theirs', 'remote')} WHERE conflict IS NOT NULL`,
    ...['after', 'sent_to', 'sought', 'batch'].map((column) => `ALTER TABLE queue DROP COLUMN ${column}`),
    `CREATE INDEX queue_moves ON queue (key_before) WHERE leaves <> '[]'`,
    `CREATE INDEX queue_remote_id ON queue (remote_id) WHERE remote_id IS NOT NULL`,
    `CREATE INDEX queue_deleted ON queue (json_extract(conflict, '$.remoteId')) WHERE conflict IS NOT NULL`,
    `DELETE FROM meta WHERE key IN ('pull-first', 'full-pull', 'no-version-list', 'no-member-list', 'no-role-list', 'no-lists', 'one-at-a-time')`,
  ],
}
