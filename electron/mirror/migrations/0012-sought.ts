import type { Migration } from './migration.ts'

/** A repair makes creations of edits whose record it lost: under what name the record stands on the service, whatever the user calls it now. */
export const sought: Migration = {
  name: '0012-sought',
  up: [`ALTER TABLE queue ADD COLUMN sought TEXT`],
}
