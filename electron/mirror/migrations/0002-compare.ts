import type { Migration } from './migration.ts'

/** What a comparison of environments reads, and nothing else, names in order; and what is right below a row, whatever its kind. */
export const compare: Migration = {
  name: '0002-compare',
  up: [`CREATE INDEX working_compare ON working (parent_id, name, key_id, tag)`],
}
