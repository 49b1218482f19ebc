import type { Migration } from './migration.ts'

/** When others last changed a row, and what the row was before: an edit is judged by what its user saw. */
export const seen: Migration = {
  name: '0013-seen',
  up: [
    `ALTER TABLE base ADD COLUMN rev INTEGER NOT NULL DEFAULT 0`,
    `CREATE TABLE past (
      seq INTEGER PRIMARY KEY AUTOINCREMENT,
      row_id TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('project', 'environment', 'variable')),
      parent_id TEXT,
      fields TEXT NOT NULL,
      rev_until INTEGER NOT NULL,
      at INTEGER NOT NULL
    ) STRICT`,
    `CREATE INDEX past_row ON past (row_id, rev_until)`,
  ],
}
