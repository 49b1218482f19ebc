import type { Migration } from './migration.ts'

/** Since when somebody is a member, as far as the service says: unknown for those mirrored before this column was there. */
export const memberSince: Migration = {
  name: '0010-member-since',
  up: [`ALTER TABLE members ADD COLUMN created_at TEXT`],
}
