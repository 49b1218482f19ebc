import type { Migration } from './migration.ts'

/** A bound value ends in a point and the 43 characters of its binding. */
const isBound = (value: string) => `substr(${value}, 1, 3) = 'v1:' AND substr(${value}, -44, 1) = '.'`

/** Deleted values whose name another one takes. */
const noteDeleted = `INSERT INTO superseded (nonce)
  SELECT DISTINCT substr(sealed, 4, 16) FROM history
  WHERE parent_id = new.parent_id AND name = new.name AND why = 'deleted' AND sealed IS NOT new.sealed AND ${isBound('sealed')}
  ON CONFLICT (nonce) DO NOTHING;`

/**
 * What is superseded goes by what took its place: also the value of a deleted variable, once another one takes its name. What a rollback may
 * bring back is told by the queue. A value that is superseded again counts as the newest. And a variable of base is found by its name.
 */
export const replaced: Migration = {
  name: '0017-replaced',
  up: [
    `DROP TRIGGER base_superseded`,
    `ALTER TABLE superseded DROP COLUMN forgiven`,
    `CREATE TRIGGER base_superseded AFTER UPDATE OF sealed ON base WHEN old.sealed IS NOT new.sealed AND ${isBound('old.sealed')}
    BEGIN
      DELETE FROM superseded WHERE nonce = substr(old.sealed, 4, 16);
      INSERT INTO superseded (nonce) VALUES (substr(old.sealed, 4, 16));
    END`,
    `CREATE INDEX history_name ON history (parent_id, name)`,
    `CREATE TRIGGER base_inserted AFTER INSERT ON base WHEN new.kind = 'variable' AND ${isBound('new.sealed')}
    BEGIN ${noteDeleted} END`,
    `CREATE TRIGGER base_renamed AFTER UPDATE OF name ON base
    WHEN new.kind = 'variable' AND old.name IS NOT new.name AND ${isBound('new.sealed')}
    BEGIN ${noteDeleted} END`,
    `DROP INDEX base_parent`,
    `CREATE INDEX base_parent ON base (parent_id, name)`,
  ],
}
