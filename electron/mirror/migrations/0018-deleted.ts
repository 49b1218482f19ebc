import type { Migration } from './migration.ts'

/** What the mirror had of projects and environments that are deleted: they can be restored from it where the service can't. */
export const deleted: Migration = {
  name: '0018-deleted',
  up: [
    `CREATE TABLE deleted (
      seq INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL,
      remote_id TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('project', 'environment', 'variable')),
      parent_id TEXT,
      name TEXT NOT NULL,
      slug TEXT,
      sealed TEXT,
      tag TEXT,
      key_id TEXT,
      type TEXT,
      is_secret INTEGER,
      whose TEXT NOT NULL CHECK (whose IN ('mine', 'theirs')),
      "by" TEXT,
      at INTEGER NOT NULL,
      since INTEGER NOT NULL
    ) STRICT`,
    `CREATE INDEX deleted_parent ON deleted (parent_id)`,
    `CREATE TABLE deleted_versions (
      seq INTEGER PRIMARY KEY AUTOINCREMENT,
      remote_id TEXT NOT NULL UNIQUE,
      environment_remote_id TEXT NOT NULL,
      label TEXT NOT NULL,
      note TEXT NOT NULL,
      created_at TEXT NOT NULL,
      variables TEXT,
      at INTEGER NOT NULL
    ) STRICT`,
    `CREATE INDEX deleted_versions_environment ON deleted_versions (environment_remote_id)`,
  ],
}
