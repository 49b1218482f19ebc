import type { Migration } from './migration.ts'

/** Changes that were sent in one request are marked with it: as long as its outcome is unknown, it is the request to repeat. */
export const batches: Migration = {
  name: '0008-batches',
  up: [`ALTER TABLE queue ADD COLUMN batch TEXT`],
}
