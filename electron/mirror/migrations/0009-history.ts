import type { Migration } from './migration.ts'

/** Enough beside each kept value to show where it was and why it went, and to create a deleted variable again. */
export const history: Migration = {
  name: '0009-history',
  up: [
    `ALTER TABLE history ADD COLUMN parent_id TEXT`,
    `ALTER TABLE history ADD COLUMN why TEXT NOT NULL DEFAULT 'changed'`,
    `ALTER TABLE history ADD COLUMN by TEXT`,
    `ALTER TABLE history ADD COLUMN type TEXT`,
    `ALTER TABLE history ADD COLUMN is_secret INTEGER`,
    `CREATE INDEX history_place ON history (parent_id, at)`,
  ],
}
