import type { Migration } from './migration.ts'

/**
 * Versions, members and roles as the service last showed them, and a queue that takes snapshots, rollbacks and changes of members. What
 * an older Holdfast let pass in the feed is read again: the cursor is forgotten.
 */
export const versions: Migration = {
  name: '0005-versions',
  up: [
    `CREATE TABLE versions (
      id TEXT NOT NULL PRIMARY KEY,
      remote_id TEXT NOT NULL UNIQUE,
      environment_remote_id TEXT NOT NULL,
      label TEXT NOT NULL,
      note TEXT NOT NULL,
      variable_count INTEGER NOT NULL,
      created_at TEXT NOT NULL,
      created_by TEXT,
      is_mirrored INTEGER NOT NULL
    ) STRICT`,
    `CREATE INDEX versions_list ON versions (environment_remote_id, created_at)`,
    `CREATE TABLE version_variables (
      version_id TEXT NOT NULL,
      name TEXT NOT NULL,
      sealed TEXT NOT NULL,
      tag TEXT,
      key_id TEXT NOT NULL,
      PRIMARY KEY (version_id, name)
    ) STRICT, WITHOUT ROWID`,
    `CREATE TABLE rollbacks (
      seq INTEGER PRIMARY KEY AUTOINCREMENT,
      environment_remote_id TEXT NOT NULL,
      version_id TEXT NOT NULL,
      label TEXT NOT NULL,
      at INTEGER NOT NULL,
      counts TEXT,
      previewed TEXT NOT NULL,
      difference TEXT
    ) STRICT`,
    `CREATE TABLE members (
      id TEXT NOT NULL PRIMARY KEY,
      remote_id TEXT NOT NULL UNIQUE,
      email TEXT NOT NULL,
      status TEXT NOT NULL,
      role_id TEXT NOT NULL,
      etag TEXT
    ) STRICT`,
    `CREATE TABLE roles (
      place INTEGER NOT NULL PRIMARY KEY,
      id TEXT NOT NULL,
      name TEXT NOT NULL,
      permissions TEXT NOT NULL
    ) STRICT`,
    // A CHECK cannot be altered: the queue is made anew without the one on its kinds.
    `CREATE TABLE queue_anew (
      seq INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL UNIQUE,
      kind TEXT NOT NULL,
      row_kind TEXT NOT NULL,
      row_id TEXT NOT NULL,
      parent_id TEXT,
      ancestors TEXT NOT NULL,
      after TEXT,
      sent_to TEXT,
      patch TEXT NOT NULL,
      base TEXT,
      key_now TEXT,
      key_before TEXT,
      state TEXT NOT NULL,
      attempts INTEGER NOT NULL,
      next_attempt_at INTEGER,
      reason TEXT,
      conflict TEXT,
      created_at INTEGER NOT NULL
    ) STRICT`,
    `INSERT INTO queue_anew (seq, id, kind, row_kind, row_id, parent_id, ancestors, after, sent_to, patch, base, key_now, key_before, state,
        attempts, next_attempt_at, reason, conflict, created_at)
      SELECT seq, id, kind, row_kind, row_id, parent_id, ancestors, after, sent_to, patch, base, key_now, key_before, state,
        attempts, next_attempt_at, reason, conflict, created_at FROM queue`,
    `DROP TABLE queue`,
    `ALTER TABLE queue_anew RENAME TO queue`,
    `CREATE INDEX queue_row ON queue (row_id)`,
    `CREATE INDEX queue_key_now ON queue (parent_id, key_now)`,
    `CREATE INDEX queue_key_before ON queue (parent_id, key_before)`,
    `DELETE FROM meta WHERE key = 'feed-cursor'`,
  ],
}
