import type { Migration } from './migration.ts'

/** The snapshots and rollbacks of an environment are asked for at every edit in it, among however many changes. */
export const acts: Migration = {
  name: '0007-acts',
  up: [`CREATE INDEX queue_acts ON queue (parent_id, seq) WHERE row_kind = 'version'`],
}
