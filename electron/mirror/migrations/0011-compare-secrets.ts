import type { Migration } from './migration.ts'

/** A comparison asks whether a name is a secret in any of its environments: the index answers that too, without the rows. */
export const compareSecrets: Migration = {
  name: '0011-compare-secrets',
  up: [`DROP INDEX working_compare`, `CREATE INDEX working_compare ON working (parent_id, name, key_id, tag, is_secret)`],
}
