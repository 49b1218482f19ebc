import type { Migration } from './migration.ts'

/** Where a create whose outcome is unknown was sent: its slugs may be another's by the time it is looked for. */
export const sentTo: Migration = {
  name: '0004-sent-to',
  up: [`ALTER TABLE queue ADD COLUMN sent_to TEXT`],
}
