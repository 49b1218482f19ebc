import type { Migration } from './migration.ts'

/** What a comparison of environments reads, and nothing else: all of it from one index, names in order. */
export const compare: Migration = {
  name: '0002-compare',
  up: [`CREATE INDEX working_compare ON working (parent_id, name, key_id, tag) WHERE kind = 'variable'`],
}
