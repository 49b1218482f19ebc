/** One step of the schema. A step that was released is never edited. */
export interface Migration {
  /** The `user_version` of the file after this step. */
  version: number
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

/** A bound value ends in a point and the 43 characters of its binding. */
const isBound = (value: string) => `substr(${value}, 1, 3) = 'v1:' AND substr(${value}, -44, 1) = '.'`

/** The value itself. For an Unverified value: the last verified one, which it keeps. */
const lastVerified = (value: string) =>
  `(CASE WHEN substr(${value}, 1, 3) IS NOT 'u1:' THEN ${value}
    WHEN json_valid(substr(${value}, 4)) THEN json_extract(substr(${value}, 4), '$.last.sealed') END)`

/** The nonce of the last verified value that an Unverified one keeps. */
export const nonceOfLast = `substr(${lastVerified('sealed')}, 4, 16)`

const [before, after] = [lastVerified('old.sealed'), lastVerified('new.sealed')]

/**
 * The rows as the service last showed them (base), the unsent changes (queue), and both together (working). `past` has the fields of rows
 * before others changed them: an edit is merged against the row that the user saw.
 */
const rows: readonly string[] = [
  `CREATE TABLE base (${rowColumns},
    remote_id TEXT NOT NULL,
    etag TEXT,
    created_at TEXT,
    updated_at TEXT,
    updated_by TEXT,
    rev INTEGER NOT NULL DEFAULT 0
  ) STRICT`,
  `CREATE UNIQUE INDEX base_remote ON base (kind, remote_id)`,
  `CREATE INDEX base_parent ON base (parent_id, name)`,
  `CREATE TABLE queue (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
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
    created_at INTEGER NOT NULL,
    remote_id TEXT,
    leaves TEXT NOT NULL DEFAULT '[]',
    seen INTEGER
  ) STRICT`,
  `CREATE INDEX queue_row ON queue (row_id)`,
  `CREATE INDEX queue_key_now ON queue (parent_id, key_now)`,
  `CREATE INDEX queue_key_before ON queue (parent_id, key_before)`,
  // Every edit reads the snapshots and rollbacks of its environment, however many changes are queued.
  `CREATE INDEX queue_acts ON queue (parent_id, seq) WHERE row_kind = 'version'`,
  `CREATE INDEX queue_moves ON queue (key_before) WHERE leaves <> '[]'`,
  `CREATE INDEX queue_remote_id ON queue (remote_id) WHERE remote_id IS NOT NULL`,
  `CREATE INDEX queue_deleted ON queue (json_extract(conflict, '$.remoteId')) WHERE conflict IS NOT NULL`,
  // A restored record is found by its former name if the user has renamed it in the meantime.
  `CREATE INDEX queue_made_again ON queue (parent_id, json_extract(base, '$.name')) WHERE kind = 'create' AND base IS NOT NULL`,
  `CREATE TABLE working (${rowColumns}) STRICT`,
  `CREATE INDEX working_list ON working (kind, parent_id, name, id)`,
  // A comparison of environments reads these columns from the index alone.
  `CREATE INDEX working_compare ON working (parent_id, name, key_id, tag, is_secret)`,
  `CREATE INDEX working_unverified ON working (parent_id, name) WHERE sealed >= 'u1:' AND sealed < 'u1;'`,
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
  `CREATE TABLE meta (key TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL) STRICT`,
]

/** Values that were overwritten or deleted, with enough to create a deleted variable again. */
const history: readonly string[] = [
  `CREATE TABLE history (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    row_id TEXT NOT NULL,
    name TEXT NOT NULL,
    whose TEXT NOT NULL,
    sealed TEXT NOT NULL,
    tag TEXT,
    key_id TEXT NOT NULL,
    at INTEGER NOT NULL,
    parent_id TEXT,
    why TEXT NOT NULL DEFAULT 'changed',
    by TEXT,
    type TEXT,
    is_secret INTEGER,
    was_sent INTEGER NOT NULL DEFAULT 1
  ) STRICT`,
  `CREATE INDEX history_row ON history (row_id, at)`,
  `CREATE INDEX history_place ON history (parent_id, at)`,
  `CREATE INDEX history_name ON history (parent_id, name)`,
]

/** The mirror's rows of deleted projects and environments: they can be restored from here if the service can't. */
const deleted: readonly string[] = [
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
  `CREATE INDEX deleted_remote ON deleted (remote_id)`,
  `CREATE INDEX deleted_id ON deleted (id)`,
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
]

/** Versions, members and roles as the service last showed them, and the names that the user tracks on a service without lists. */
const metadata: readonly string[] = [
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
    etag TEXT,
    created_at TEXT
  ) STRICT`,
  `CREATE TABLE roles (
    place INTEGER NOT NULL PRIMARY KEY,
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    permissions TEXT NOT NULL
  ) STRICT`,
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
]

/** A row that gets the name of deleted rows supersedes their values. */
const supersedeDeleted = `CREATE TRIGGER base_renamed AFTER UPDATE OF name ON base
  WHEN new.kind = 'variable' AND old.name IS NOT new.name AND ${isBound('new.sealed')}
  BEGIN
    INSERT INTO superseded (nonce) SELECT DISTINCT substr(sealed, 4, 16) FROM history
      WHERE parent_id = new.parent_id AND name = new.name AND why = 'deleted' AND was_sent = 1 AND sealed IS NOT new.sealed
        AND ${isBound('sealed')}
      ON CONFLICT (nonce) DO NOTHING;
  END`

/**
 * The nonces of superseded bound values, so that Holdfast notices one that comes back. Only a verified value supersedes another: an
 * Unverified one keeps the value it replaced, which may come back. For inserted rows superseded-layer.ts does this: a trigger would slow
 * every row of a first pull.
 */
const superseded: readonly string[] = [
  `CREATE TABLE superseded (seq INTEGER PRIMARY KEY AUTOINCREMENT, nonce TEXT NOT NULL UNIQUE) STRICT`,
  `CREATE TRIGGER base_superseded AFTER UPDATE OF sealed ON base
    WHEN old.sealed IS NOT new.sealed AND ${isBound(before)} AND ${before} IS NOT ${after}
    BEGIN
      DELETE FROM superseded WHERE nonce = substr(${before}, 4, 16);
      INSERT INTO superseded (nonce) VALUES (substr(${before}, 4, 16));
    END`,
  supersedeDeleted,
]

/** Append only. The first schema has number 23, because databases from before the first release have it: they open unchanged. */
export const allMigrations: readonly Migration[] = [
  { version: 23, up: [...rows, ...history, ...deleted, ...metadata, ...superseded] },
  // Finds the variable that a value belonged to when last verified, even if its value is Unverified now.
  { version: 24, up: [`CREATE INDEX base_last_verified ON base (${nonceOfLast}) WHERE sealed >= 'u1:' AND sealed < 'u1;'`] },
  // Versions have revisions as rows do, so that deleting their environment asks about versions that no screen has shown.
  { version: 25, up: ['ALTER TABLE versions ADD COLUMN rev INTEGER NOT NULL DEFAULT 0'] },
  // Lists variables in natural order of their names.
  {
    version: 26,
    up: [
      `ALTER TABLE working ADD COLUMN name_key TEXT NOT NULL DEFAULT ''`,
      `UPDATE working SET name_key = name_key(name) WHERE name IS NOT NULL`,
      'DROP INDEX working_list',
      'CREATE INDEX working_list ON working (kind, parent_id, name_key, name, id)',
    ],
  },
  // Finds the entries that are being sent or wait for the user, however long the queue is.
  { version: 27, up: [`CREATE INDEX queue_state ON queue (state) WHERE state <> 'queued'`] },
  // An edit writes fewer pages: the history has no counter and two indexes instead of three, the queue none of keys that nothing frees.
  {
    version: 28,
    up: [
      `CREATE TABLE uncounted (
        seq INTEGER PRIMARY KEY,
        row_id TEXT NOT NULL,
        parent_id TEXT,
        name TEXT NOT NULL,
        whose TEXT NOT NULL,
        why TEXT NOT NULL,
        by TEXT,
        sealed TEXT NOT NULL,
        tag TEXT,
        key_id TEXT NOT NULL,
        type TEXT,
        is_secret INTEGER,
        at INTEGER NOT NULL,
        was_sent INTEGER NOT NULL DEFAULT 1
      ) STRICT`,
      `INSERT INTO uncounted SELECT seq, row_id, parent_id, name, whose, why, by, sealed, tag, key_id, type, is_secret, at, was_sent
        FROM history`,
      'DROP TRIGGER base_renamed',
      'DROP TABLE history',
      'ALTER TABLE uncounted RENAME TO history',
      supersedeDeleted,
      'CREATE INDEX history_row ON history (row_id, at)',
      'CREATE INDEX history_place ON history (parent_id, name, at)',
      'DROP INDEX queue_key_before',
      'CREATE INDEX queue_key_before ON queue (parent_id, key_before) WHERE key_before IS NOT NULL',
    ],
  },
]

/** The `user_version` of the newest schema. */
export const newestVersion = (migrations: readonly Migration[] = allMigrations): number => migrations.at(-1)?.version ?? 0
