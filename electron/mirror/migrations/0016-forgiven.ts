import type { Migration } from './migration.ts'

/** Values that a rollback of this computer may bring back: they are taken, and sealed anew once they are back. */
export const forgiven: Migration = {
  name: '0016-forgiven',
  up: [
    `ALTER TABLE superseded ADD COLUMN forgiven INTEGER NOT NULL DEFAULT 0`,
    `DROP TRIGGER base_superseded`,
    `CREATE TRIGGER base_superseded AFTER UPDATE OF sealed ON base
    WHEN old.sealed IS NOT new.sealed AND substr(old.sealed, -44, 1) = '.'
    BEGIN
      INSERT INTO superseded (nonce) VALUES (substr(old.sealed, 4, 16)) ON CONFLICT (nonce) DO UPDATE SET forgiven = 0;
      DELETE FROM superseded WHERE seq <= (SELECT max(seq) FROM superseded) - 200000;
    END`,
  ],
}
