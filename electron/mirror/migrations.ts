/** One step of the schema. Its number is its place in the list; a step that has shipped is never edited. */
export interface Migration {
  name: string
  /** Statements, run in one transaction with the new `user_version`. */
  up: readonly string[]
}

const rowColumns = `
  id TEXT NOT NULL PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('project', 'environment', 'variable')),
  parent_id TEXT,
  name TEXT,
  slug TEXT,
  sealed TEXT,
  tag TEXT,
  key_id TEXT,
  type TEXT,
  is_secret INTEGER`

/** Whether two JSON texts have equal values at a path: the same bytes, or the same tags under one key. */
const same = (path: string) => `json_extract(made.patch, '${path}') IS json_extract(gone.base, '${path}')`
const sameValue = `(${same('$.value.sealed')} OR (json_extract(made.patch, '$.value.tag') IS NOT NULL
  AND ${same('$.value.tag')} AND ${same('$.value.keyId')}))`
const unlessChanged = (path: string, equal: string) => `CASE WHEN ${equal} THEN '${path}' ELSE '$.unknown' END`

/** A copy that was never sent and the deletion that waits for it, with nothing else queued for either row. */
const pair = `gone.kind = 'delete' AND gone.after = made.row_id AND gone.base IS NOT NULL AND made.kind = 'create' AND made.row_kind = 'variable'
  AND made.state = 'queued' AND made.attempts = 0 AND gone.state = 'queued' AND gone.attempts = 0
  AND NOT EXISTS (SELECT 1 FROM queue AS other WHERE other.row_id IN (made.row_id, gone.row_id) AND other.seq NOT IN (made.seq, gone.seq))`

const renamed = (column: string, from: string, to: string) =>
  `json_set(json_remove(${column}, '$.${from}'), '$.${to}', json_extract(${column}, '$.${from}'))`

/** Whether the old value of an update was bound: then it ends in a point and the 43 characters of its binding. */
const isBoundBefore = `substr(old.sealed, -44, 1) = '.'`
/** How many superseded values are remembered, the newest. */
const mostRemembered = 200_000

/** A bound value ends in a point and the 43 characters of its binding. */
const isBound = (value: string) => `substr(${value}, 1, 3) = 'v1:' AND substr(${value}, -44, 1) = '.'`

/** A value itself, or the one that it keeps as last verified if it is Unverified. */
const lastVerified = (value: string) =>
  `(CASE WHEN substr(${value}, 1, 3) IS NOT 'u1:' THEN ${value}
    WHEN json_valid(substr(${value}, 4)) THEN json_extract(substr(${value}, 4), '$.last.sealed') END)`

/** Deleted values whose name a new row has. */
const noteDeleted = `INSERT INTO superseded (nonce)
  SELECT DISTINCT substr(sealed, 4, 16) FROM history
  WHERE parent_id = new.parent_id AND name = new.name AND why = 'deleted' AND sealed IS NOT new.sealed AND ${isBound('sealed')}
  ON CONFLICT (nonce) DO NOTHING;`

/** The same, of values that the service had. */
const noteDeletedSent = noteDeleted.replace("why = 'deleted'", "why = 'deleted' AND was_sent = 1")

/** Append only: `user_version` counts how many of these a file has seen. */
export const allMigrations: readonly Migration[] = [
  /** Base, queue and working, and what sync remembers. */
  {
    name: '0001-layers',
    up: [
      `CREATE TABLE base (${rowColumns},
        remote_id TEXT NOT NULL,
        etag TEXT,
        created_at TEXT,
        updated_at TEXT,
        updated_by TEXT
      ) STRICT`,
      `CREATE UNIQUE INDEX base_remote ON base (kind, remote_id)`,
      `CREATE INDEX base_parent ON base (parent_id)`,
      `CREATE TABLE working (${rowColumns}) STRICT`,
      `CREATE INDEX working_list ON working (kind, parent_id, name, id)`,
      `CREATE TABLE queue (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        kind TEXT NOT NULL CHECK (kind IN ('create', 'update', 'delete')),
        row_kind TEXT NOT NULL,
        row_id TEXT NOT NULL,
        parent_id TEXT,
        ancestors TEXT NOT NULL,
        patch TEXT NOT NULL,
        base TEXT,
        key_now TEXT,
        key_before TEXT,
        state TEXT NOT NULL,
        attempts INTEGER NOT NULL,
        next_attempt_at INTEGER,
        reason TEXT,
        conflict TEXT,
        created_at INTEGER NOT NULL
      ) STRICT`,
      `CREATE INDEX queue_row ON queue (row_id)`,
      `CREATE INDEX queue_key_now ON queue (parent_id, key_now)`,
      `CREATE INDEX queue_key_before ON queue (parent_id, key_before)`,
      `CREATE TABLE history (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        row_id TEXT NOT NULL,
        name TEXT NOT NULL,
        whose TEXT NOT NULL,
        sealed TEXT NOT NULL,
        tag TEXT,
        key_id TEXT NOT NULL,
        at INTEGER NOT NULL
      ) STRICT`,
      `CREATE INDEX history_row ON history (row_id, at)`,
      `CREATE TABLE meta (key TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL) STRICT`,
    ],
  },
  /** The columns that a comparison of environments reads, names in order; and an index of the children of a row of any kind. */
  {
    name: '0002-compare',
    up: [`CREATE INDEX working_compare ON working (parent_id, name, key_id, tag)`],
  },
  /** A delete that belongs to a move waits for the copy. */
  {
    name: '0003-moves',
    up: [`ALTER TABLE queue ADD COLUMN after TEXT`],
  },
  /** Where a create with an unknown outcome was sent: its slugs may belong to another record when it is reconciled. */
  {
    name: '0004-sent-to',
    up: [`ALTER TABLE queue ADD COLUMN sent_to TEXT`],
  },
  /**
   * Versions, members and roles as the service last showed them, and a queue with snapshots, rollbacks and changes of members. Forgets the
   * cursor, because an older Holdfast skipped these records of the feed.
   */
  {
    name: '0005-versions',
    up: [
      `CREATE TABLE versions (
        id TEXT NOT NULL PRIMARY KEY,
        remote_id TEXT NOT NULL UNIQUE,
        environment_remote_id TEXT NOT NULL,
        label TEXT NOT NULL,
        note TEXT NOT NULL,
        variable_count INTEGER NOT NULL,
        created_at TEXT NOT NULL,
        created_by TEXT,
        is_mirrored INTEGER NOT NULL
      ) STRICT`,
      `CREATE INDEX versions_list ON versions (environment_remote_id, created_at)`,
      `CREATE TABLE version_variables (
        version_id TEXT NOT NULL,
        name TEXT NOT NULL,
        sealed TEXT NOT NULL,
        tag TEXT,
        key_id TEXT NOT NULL,
        PRIMARY KEY (version_id, name)
      ) STRICT, WITHOUT ROWID`,
      `CREATE TABLE rollbacks (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        environment_remote_id TEXT NOT NULL,
        version_id TEXT NOT NULL,
        label TEXT NOT NULL,
        at INTEGER NOT NULL,
        counts TEXT,
        previewed TEXT NOT NULL,
        difference TEXT
      ) STRICT`,
      `CREATE TABLE members (
        id TEXT NOT NULL PRIMARY KEY,
        remote_id TEXT NOT NULL UNIQUE,
        email TEXT NOT NULL,
        status TEXT NOT NULL,
        role_id TEXT NOT NULL,
        etag TEXT
      ) STRICT`,
      `CREATE TABLE roles (
        place INTEGER NOT NULL PRIMARY KEY,
        id TEXT NOT NULL,
        name TEXT NOT NULL,
        permissions TEXT NOT NULL
      ) STRICT`,
      // A CHECK can't be altered: the queue is copied to a table without the one on kinds.
      `CREATE TABLE queue_anew (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        kind TEXT NOT NULL,
        row_kind TEXT NOT NULL,
        row_id TEXT NOT NULL,
        parent_id TEXT,
        ancestors TEXT NOT NULL,
        after TEXT,
        sent_to TEXT,
        patch TEXT NOT NULL,
        base TEXT,
        key_now TEXT,
        key_before TEXT,
        state TEXT NOT NULL,
        attempts INTEGER NOT NULL,
        next_attempt_at INTEGER,
        reason TEXT,
        conflict TEXT,
        created_at INTEGER NOT NULL
      ) STRICT`,
      `INSERT INTO queue_anew (seq, id, kind, row_kind, row_id, parent_id, ancestors, after, sent_to, patch, base, key_now, key_before, state,
          attempts, next_attempt_at, reason, conflict, created_at)
        SELECT seq, id, kind, row_kind, row_id, parent_id, ancestors, after, sent_to, patch, base, key_now, key_before, state,
          attempts, next_attempt_at, reason, conflict, created_at FROM queue`,
      `DROP TABLE queue`,
      `ALTER TABLE queue_anew RENAME TO queue`,
      `CREATE INDEX queue_row ON queue (row_id)`,
      `CREATE INDEX queue_key_now ON queue (parent_id, key_now)`,
      `CREATE INDEX queue_key_before ON queue (parent_id, key_before)`,
      `DELETE FROM meta WHERE key = 'feed-cursor'`,
    ],
  },
  /** The names that the user tracks on a service without lists: projects, environments and variables to read one by one. */
  {
    name: '0006-followed',
    up: [
      `CREATE TABLE followed (
        id TEXT NOT NULL PRIMARY KEY,
        kind TEXT NOT NULL,
        parent_id TEXT NOT NULL,
        key TEXT NOT NULL,
        row_id TEXT,
        state TEXT NOT NULL
      ) STRICT`,
      `CREATE UNIQUE INDEX followed_key ON followed (parent_id, kind, key)`,
      `CREATE INDEX followed_row ON followed (row_id)`,
    ],
  },
  /** Every edit asks for the snapshots and rollbacks of its environment, however many changes are queued. */
  {
    name: '0007-acts',
    up: [`CREATE INDEX queue_acts ON queue (parent_id, seq) WHERE row_kind = 'version'`],
  },
  /** Changes that were sent in one request share its id: while its outcome is unknown, that request is repeated. */
  {
    name: '0008-batches',
    up: [`ALTER TABLE queue ADD COLUMN batch TEXT`],
  },
  /** Columns that say where each kept value was and why it was overwritten, and suffice to create a deleted variable again. */
  {
    name: '0009-history',
    up: [
      `ALTER TABLE history ADD COLUMN parent_id TEXT`,
      `ALTER TABLE history ADD COLUMN why TEXT NOT NULL DEFAULT 'changed'`,
      `ALTER TABLE history ADD COLUMN by TEXT`,
      `ALTER TABLE history ADD COLUMN type TEXT`,
      `ALTER TABLE history ADD COLUMN is_secret INTEGER`,
      `CREATE INDEX history_place ON history (parent_id, at)`,
    ],
  },
  /** Since when a member has been one; null for rows from before this column. */
  {
    name: '0010-member-since',
    up: [`ALTER TABLE members ADD COLUMN created_at TEXT`],
  },
  /** A comparison asks whether a name is secret in any of its environments: the index answers that without reading rows. */
  {
    name: '0011-compare-secrets',
    up: [`DROP INDEX working_compare`, `CREATE INDEX working_compare ON working (parent_id, name, key_id, tag, is_secret)`],
  },
  /** A repair turns edits without a base row into creates: under which name the service has the record, whatever the user calls it now. */
  {
    name: '0012-sought',
    up: [`ALTER TABLE queue ADD COLUMN sought TEXT`],
  },
  /** When others last changed a row, and its fields before that: an edit is merged against the row that its user saw. */
  {
    name: '0013-seen',
    up: [
      `ALTER TABLE base ADD COLUMN rev INTEGER NOT NULL DEFAULT 0`,
      `CREATE TABLE past (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        row_id TEXT NOT NULL,
        kind TEXT NOT NULL CHECK (kind IN ('project', 'environment', 'variable')),
        parent_id TEXT,
        fields TEXT NOT NULL,
        rev_until INTEGER NOT NULL,
        at INTEGER NOT NULL
      ) STRICT`,
      `CREATE INDEX past_row ON past (row_id, rev_until)`,
    ],
  },
  /**
   * One life cycle for all entries: a create knows the id of its record, a move is one update, a deletion knows what its user saw. Carries
   * an existing queue over; entries that it can't convert for sure are parked.
   */
  {
    name: '0014-entries',
    up: [
      `ALTER TABLE queue ADD COLUMN remote_id TEXT`,
      `ALTER TABLE queue ADD COLUMN leaves TEXT NOT NULL DEFAULT '[]'`,
      `ALTER TABLE queue ADD COLUMN seen INTEGER`,
      // A moved row keeps its id: history and metadata of the copy now belong to the original.
      `CREATE TEMP TABLE moved AS SELECT made.seq AS made, made.row_id AS copy, gone.seq AS gone, gone.row_id AS original
        FROM queue AS made JOIN queue AS gone ON ${pair}`,
      `UPDATE queue AS made SET kind = 'update', row_id = gone.row_id, leaves = gone.ancestors, key_before = gone.key_before,
          base = json_set(gone.base, '$.parent', gone.parent_id),
          patch = json_set(json_remove(made.patch, ${unlessChanged('$.name', same('$.name'))}, ${unlessChanged('$.value', sameValue)},
            ${unlessChanged('$.type', same('$.type'))}, ${unlessChanged('$.isSecret', same('$.isSecret'))}), '$.parent', made.parent_id)
        FROM queue AS gone JOIN temp.moved ON moved.gone = gone.seq WHERE moved.made = made.seq`,
      `DELETE FROM queue WHERE seq IN (SELECT gone FROM temp.moved)`,
      `DELETE FROM working WHERE id IN (SELECT original FROM temp.moved)`,
      `UPDATE working SET id = (SELECT original FROM temp.moved WHERE copy = id) WHERE id IN (SELECT copy FROM temp.moved)`,
      `UPDATE history SET row_id = (SELECT original FROM temp.moved WHERE copy = row_id) WHERE row_id IN (SELECT copy FROM temp.moved)`,
      `DROP TABLE temp.moved`,
      `UPDATE queue SET state = 'failed', attempts = 0, next_attempt_at = NULL, conflict = NULL,
          reason = 'This deletes the original of a moved variable. Check that the copy has arrived, then send it.'
        WHERE kind = 'delete' AND after IN (SELECT row_id FROM queue WHERE kind = 'create') AND state <> 'sending'`,
      `UPDATE queue SET state = 'failed', next_attempt_at = NULL, conflict = NULL,
          reason = 'Recovered from a damaged database: check it, then send it.'
        WHERE sought IS NOT NULL`,
      `UPDATE queue SET remote_id = id WHERE kind = 'create'`,
      `UPDATE queue SET seen = COALESCE((SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'rev'), 0)
        WHERE kind = 'delete' AND row_kind IN ('project', 'environment')`,
      `UPDATE queue SET state = 'failed', next_attempt_at = NULL,
          reason = 'Whether this version was saved is unknown. Look at the versions, then send it again or discard it.'
        WHERE kind = 'snapshot' AND state = 'sending'`,
      `UPDATE queue SET patch = json_set(json_remove(patch, '$.after', '$.beside', '$.looks'), '$.remoteId', id) WHERE kind = 'snapshot'`,
      `UPDATE queue SET patch = ${renamed('patch', 'was', 'base')} WHERE kind = 'set-role'`,
      `UPDATE queue SET patch = ${renamed('patch', 'theirs', 'remote')}
        WHERE kind IN ('invite', 'set-role') AND json_extract(patch, '$.theirs') IS NOT NULL`,
      `UPDATE queue SET conflict = ${renamed('conflict', 'theirs', 'remote')} WHERE conflict IS NOT NULL`,
      ...['after', 'sent_to', 'sought', 'batch'].map((column) => `ALTER TABLE queue DROP COLUMN ${column}`),
      `CREATE INDEX queue_moves ON queue (key_before) WHERE leaves <> '[]'`,
      `CREATE INDEX queue_remote_id ON queue (remote_id) WHERE remote_id IS NOT NULL`,
      `CREATE INDEX queue_deleted ON queue (json_extract(conflict, '$.remoteId')) WHERE conflict IS NOT NULL`,
      `DELETE FROM meta WHERE key IN ('pull-first', 'full-pull', 'no-version-list', 'no-member-list', 'no-role-list', 'no-lists', 'one-at-a-time')`,
    ],
  },
  /** The nonces of superseded bound values, so that one that comes back is noticed; and an index of Unverified values. */
  {
    name: '0015-superseded',
    up: [
      `CREATE TABLE superseded (seq INTEGER PRIMARY KEY AUTOINCREMENT, nonce TEXT NOT NULL UNIQUE) STRICT`,
      `CREATE TRIGGER base_superseded AFTER UPDATE OF sealed ON base
      WHEN old.sealed IS NOT new.sealed AND ${isBoundBefore}
      BEGIN
        INSERT OR IGNORE INTO superseded (nonce) VALUES (substr(old.sealed, 4, 16));
        DELETE FROM superseded WHERE seq <= (SELECT max(seq) FROM superseded) - ${mostRemembered};
      END`,
      `CREATE INDEX working_unverified ON working (parent_id, name) WHERE sealed >= 'u1:' AND sealed < 'u1;'`,
    ],
  },
  /** Values that a rollback from this computer may bring back: they are accepted, and sealed again afterwards. */
  {
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
  },
  /**
   * A value is superseded by the one that replaced it, which includes a deleted variable whose name a new one has. The queue tells which
   * values a rollback may bring back. A value that is superseded again counts as the newest. Adds an index on the names of base variables.
   */
  {
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
  },
  /** The mirror's rows of deleted projects and environments: they can be restored from here if the service can't. */
  {
    name: '0018-deleted',
    up: [
      `CREATE TABLE deleted (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL,
        remote_id TEXT NOT NULL,
        kind TEXT NOT NULL CHECK (kind IN ('project', 'environment', 'variable')),
        parent_id TEXT,
        name TEXT NOT NULL,
        slug TEXT,
        sealed TEXT,
        tag TEXT,
        key_id TEXT,
        type TEXT,
        is_secret INTEGER,
        whose TEXT NOT NULL CHECK (whose IN ('mine', 'theirs')),
        "by" TEXT,
        at INTEGER NOT NULL,
        since INTEGER NOT NULL
      ) STRICT`,
      `CREATE INDEX deleted_parent ON deleted (parent_id)`,
      `CREATE TABLE deleted_versions (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        remote_id TEXT NOT NULL UNIQUE,
        environment_remote_id TEXT NOT NULL,
        label TEXT NOT NULL,
        note TEXT NOT NULL,
        created_at TEXT NOT NULL,
        variables TEXT,
        at INTEGER NOT NULL
      ) STRICT`,
      `CREATE INDEX deleted_versions_environment ON deleted_versions (environment_remote_id)`,
    ],
  },
  /** The layer itself notes which deleted values an inserted row replaces: a trigger made every row of a first pull slower. */
  {
    name: '0019-noted',
    up: [`DROP TRIGGER base_inserted`],
  },
  /**
   * Whether the service had a kept value. A copy that was never sent has the same bytes as its original, so deleting it would mark a value
   * as superseded that may be in use. Not known for older entries, which count as before.
   */
  {
    name: '0020-was-sent',
    up: [
      `ALTER TABLE history ADD COLUMN was_sent INTEGER NOT NULL DEFAULT 1`,
      `DROP TRIGGER base_renamed`,
      `CREATE TRIGGER base_renamed AFTER UPDATE OF name ON base
      WHEN new.kind = 'variable' AND old.name IS NOT new.name AND ${isBound('new.sealed')}
      BEGIN ${noteDeletedSent} END`,
    ],
  },
  /** A record that returns with its environment is found by its former name if the user has renamed it meanwhile. */
  {
    name: '0021-made-again',
    up: [`CREATE INDEX queue_made_again ON queue (parent_id, json_extract(base, '$.name')) WHERE kind = 'create' AND base IS NOT NULL`],
  },
  /** A value is superseded by one that is verified: an Unverified one keeps what it stands in place of, which may come back. */
  {
    name: '0022-kept-by-unverified',
    up: [
      `DROP TRIGGER base_superseded`,
      `CREATE TRIGGER base_superseded AFTER UPDATE OF sealed ON base
      WHEN old.sealed IS NOT new.sealed AND ${isBound(lastVerified('old.sealed'))} AND ${lastVerified('old.sealed')} IS NOT ${lastVerified('new.sealed')}
      BEGIN
        DELETE FROM superseded WHERE nonce = substr(${lastVerified('old.sealed')}, 4, 16);
        INSERT INTO superseded (nonce) VALUES (substr(${lastVerified('old.sealed')}, 4, 16));
      END`,
    ],
  },
  /** A record that returns gets the local id it had. */
  {
    name: '0023-returned',
    up: [`CREATE INDEX deleted_remote ON deleted (remote_id)`, `CREATE INDEX deleted_id ON deleted (id)`],
  },
]
