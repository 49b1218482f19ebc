import type { Migration } from './migration.ts'

/** What makes a bound value end in a point and the 43 characters of its binding. */
const isBound = `substr(old.sealed, -44, 1) = '.'`
/** So many values that others took the place of are remembered, the newest. */
const mostRemembered = 200_000

/**
 * The nonces of bound values that another took the place of, so that one that comes back is noticed; and which values are Unverified, without
 * looking at all of them.
 */
export const superseded: Migration = {
  name: '0015-superseded',
  up: [
    `CREATE TABLE superseded (seq INTEGER PRIMARY KEY AUTOINCREMENT, nonce TEXT NOT NULL UNIQUE) STRICT`,
    `CREATE TRIGGER base_superseded AFTER UPDATE OF sealed ON base
    WHEN old.sealed IS NOT new.sealed AND ${isBound}
    BEGIN
      INSERT OR IGNORE INTO superseded (nonce) VALUES (substr(old.sealed, 4, 16));
      DELETE FROM superseded WHERE seq <= (SELECT max(seq) FROM superseded) - ${mostRemembered};
    END`,
    `CREATE INDEX working_unverified ON working (parent_id, name) WHERE sealed >= 'u1:' AND sealed < 'u1;'`,
  ],
}
