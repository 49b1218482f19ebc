import type { Migration } from './migration.ts'

const rowColumns = `
  id TEXT NOT NULL PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('project', 'environment', 'variable')),
  parent_id TEXT,
  name TEXT,
  slug TEXT,
  sealed TEXT,
  tag TEXT,
  key_id TEXT,
  type TEXT,
  is_secret INTEGER`

/** Base, queue and working, and what sync remembers. */
export const layers: Migration = {
  name: '0001-layers',
  up: [
    `CREATE TABLE base (${rowColumns},
      remote_id TEXT NOT NULL,
      etag TEXT,
      created_at TEXT,
      updated_at TEXT,
      updated_by TEXT
    ) STRICT`,
    `CREATE UNIQUE INDEX base_remote ON base (kind, remote_id)`,
    `CREATE INDEX base_parent ON base (parent_id)`,
    `CREATE TABLE working (${rowColumns}) STRICT`,
    `CREATE INDEX working_list ON working (kind, parent_id, name, id)`,
    `CREATE TABLE queue (
      seq INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL UNIQUE,
      kind TEXT NOT NULL CHECK (kind IN ('create', 'update', 'delete')),
      row_kind TEXT NOT NULL,
      row_id TEXT NOT NULL,
      parent_id TEXT,
      ancestors TEXT NOT NULL,
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
    `CREATE INDEX queue_row ON queue (row_id)`,
    `CREATE INDEX queue_key_now ON queue (parent_id, key_now)`,
    `CREATE INDEX queue_key_before ON queue (parent_id, key_before)`,
    `CREATE TABLE history (
      seq INTEGER PRIMARY KEY AUTOINCREMENT,
      row_id TEXT NOT NULL,
      name TEXT NOT NULL,
      whose TEXT NOT NULL,
      sealed TEXT NOT NULL,
      tag TEXT,
      key_id TEXT NOT NULL,
      at INTEGER NOT NULL
    ) STRICT`,
    `CREATE INDEX history_row ON history (row_id, at)`,
    `CREATE TABLE meta (key TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL) STRICT`,
  ],
}
