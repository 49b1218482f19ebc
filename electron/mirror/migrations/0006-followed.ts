import type { Migration } from './migration.ts'

/** What the user named on a service that lists nothing: places and variables to read one by one. */
export const followed: Migration = {
  name: '0006-followed',
  up: [
    `CREATE TABLE followed (
      id TEXT NOT NULL PRIMARY KEY,
      kind TEXT NOT NULL,
      parent_id TEXT NOT NULL,
      key TEXT NOT NULL,
      row_id TEXT,
      state TEXT NOT NULL
    ) STRICT`,
    `CREATE UNIQUE INDEX followed_key ON followed (parent_id, kind, key)`,
    `CREATE INDEX followed_row ON followed (row_id)`,
  ],
}
