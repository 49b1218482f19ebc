/** The row types of the bridge. None of them contains a variable's value: see `variables.values`. */

export type VariableType = 'string' | 'number' | 'boolean'

/** The state of a row's unsent change; `synced` if it has none. */
export type RowSync = 'synced' | 'queued' | 'sending' | 'blocked' | 'conflict' | 'failed'

/** Where the keys of this data folder are kept, and whether they can be used now. */
export type KeysStatus =
  /** The user has not chosen yet. If a keychain is `available`, the first workspace uses it. */
  | { state: 'unchosen'; keychain: KeychainState }
  /**
   * The vault needs its passphrase, the OS keychain refused, or Holdfast locked the keys. `keychain` of a vault: `absent` if its file was
   * missing at the start. `by`: null if Holdfast did not lock the keys.
   */
  | { state: 'locked'; store: 'vault' | 'os'; keychain: KeychainState; unlock: UnlockBy; by: LockedBy | null }
  /** `unlock`: what would open the keys after a lock. If it is `none`, they can't be locked. */
  | { state: 'ready'; store: 'os' | 'vault' | 'session'; unlock: UnlockBy; hasPin: boolean }

/** Who locked the keys: the user, the time without use, or the system (suspended, or its screen locked). */
export type LockedBy = 'user' | 'time' | 'system'

/** What opens locked keys: the vault's passphrase, a PIN, or the system's own authentication (or, instead of it, a PIN or
 * recovery key). `none`: nothing is asked for. */
export type UnlockBy = 'passphrase' | 'pin' | 'system' | 'none'

/** The system's own authentication of its user, by its name on this system, and whether an unlock asks for it. */
export interface SystemAuthenticationRow {
  kind: 'touch-id' | 'windows-hello' | 'polkit'
  isOn: boolean
}

export type KeychainState = 'available' | 'absent' | 'locked' | 'cancelled'

export interface AppStatus {
  version: string
  platform: string
  shell: 'electron' | 'browser'
  dataDir: string
  network: NetworkRow
  keys: KeysStatus
  /** The place where the user was last. Opened again at the start. */
  place: Place | null
}

/** How requests to services leave this computer, each as one line for a person. */
export interface NetworkRow {
  proxy: string
  certificates: string
}

export interface Place {
  workspaceId: string
  environmentId: string | null
}

/** A workspace of a service that this computer isn't connected to yet. */
export interface FoundWorkspace {
  name: string
  /** Null if the service offers no way to find out. */
  hasValues: boolean | null
  /**
   * Whether nobody has used it: it has no other members, no projects and no deleted projects. Otherwise its workspace key may exist
   * already.
   */
  isUnused: boolean
  /**
   * The workspace of this computer with the same id on its service. `isHere`: at the same address; else its service may have moved. A local
   * one has no address.
   */
  known: { workspaceId: string; baseUrl: string | null; isHere: boolean } | null
}

export interface WorkspaceRow {
  id: string
  name: string
  /** sample: temporary files, gone at exit. local: the embedded service. remote: a service at an address. */
  kind: 'sample' | 'local' | 'remote'
  /** The service's address, to tell two workspaces apart; null for sample and local. */
  baseUrl: string | null
  /** The missing keys. Without them, values can't be read or sync can't run. */
  needs: ('api-key' | 'workspace-key')[]
  /** Why this workspace can't be opened (a newer or damaged database), or null. */
  problem: string | null
  /**
   * Whether `problem` is a damaged database, from which `repair.run` saves what it can, or a missing one, which it creates again; null if
   * neither.
   */
  repair: 'damaged' | 'missing' | null
  /**
   * Set while the database of its own service is damaged. Rows can be read and edited, but sync waits for `repair.restore-service`.
   * `newestBackup`: ISO 8601, or null.
   */
  serviceDamage: { newestBackup: string | null } | null
  /** While it opens, the share of an interrupted import that is already undone, from 0 to 1; null: it waits for none. */
  undoing: number | null
}

/** Counts of what a repair can recover from a damaged database. */
export interface RepairRow {
  /** Unsent edits: that can be read; that can be derived from the rows shown; that are lost. */
  unsent: number
  rebuilt: number
  lost: number
  /** Whether more edits than `lost` may be lost: their number can't be read. */
  unsure: boolean
  /** Unsent deletions that can't be saved, by the names of the rows to delete. */
  unknownDeletions: string[]
  /** How many records of the service can be read. The next sync brings the others. */
  records: number
  /** Overwritten values of the local history that can be read. */
  history: number
}

export interface RepairNoteRow extends RepairRow {
  /** Where the damaged file is kept; null if the file was missing. */
  copy: string | null
}

/** The outcome of replacing a damaged service's database with a backup. */
export interface RestoreRow {
  /** When the backup was made; null if there was no whole backup, and everything comes from this computer. */
  from: string | null
  /** How many records of this computer could not be restored. */
  refused: number
  /** Folder of the damaged files. */
  copy: string
}

export interface ProjectRow {
  id: string
  name: string
  slug: string
  sync: RowSync
  /** The service never had it. */
  isUnsent: boolean
  /** The revision of the mirror that this answer shows, all below the row included. A command gives it back as `seen`. */
  rev: number
}

export interface EnvironmentRow {
  id: string
  projectId: string
  name: string
  slug: string
  variableCount: number
  sync: RowSync
  /** The service never had it. */
  isUnsent: boolean
  /** The revision of the mirror that this answer shows, all below the row included. A command gives it back as `seen`. */
  rev: number
}

export interface VariableRow {
  id: string
  environmentId: string
  name: string
  /** null: the service never said. */
  type: VariableType | null
  /** null: the service never said; shown masked. */
  isSecret: boolean | null
  /** True only if the value is known to be the empty string. */
  isEmpty: boolean
  sync: RowSync
  /** The service never had it. */
  isUnsent: boolean
  /** The reason in one sentence when `sync` is blocked, conflict or failed. */
  syncReason: string | null
  /** The change to open when the user asks about `sync`. */
  changeId: string | null
  /** What the conflict is about; null when `sync` is another state. */
  conflict: ConflictKind | null
  updatedAt: string | null
  updatedBy: string | null
  /** Changes when others change the row. A command passes it back as `seen`. */
  rev: number
  /**
   * verified: a member sealed it to this variable. open: accepted without proof, because other clients write to the service. local: not
   * sent yet.
   */
  trust: 'verified' | 'open' | 'unverified' | 'local'
}

/** A row of a long range: only what a command on it needs. */
export type RangeRow = Pick<VariableRow, 'id' | 'name' | 'isUnsent' | 'rev'>

/** Shown in an open editor when others change its variable. */
export interface EditedVariable {
  name: string
  /** Without `reveal`, a secret is masked. */
  value: { state: 'shown'; value: string } | { state: 'masked' } | { state: 'unreadable' } | { state: 'unverified' }
  updatedAt: string | null
  updatedBy: string | null
  rev: number
}

/** Variables that others changed since a screen showed them, each with its value then and now; null if it did not or does not exist. */
export interface ChangedVariables {
  /** The revision up to which changes are included. */
  rev: number
  rows: {
    id: string
    name: string
    was: EditedVariable['value'] | null
    now: EditedVariable['value'] | null
    /** For a variable that existed and exists: whether others changed its value, and in words what else they changed. */
    isOtherValue: boolean
    others: { field: 'name' | 'type' | 'isSecret'; was: string; now: string }[]
  }[]
}

/** A part of a long list. `rows` start at `offset`; `total` counts all rows that match. */
export interface Page<Row> {
  total: number
  offset: number
  rows: Row[]
  /** The revision of the mirror that the answer shows. */
  rev: number
}

/** A value for the screen. `masked`: a secret that is not revealed. */
export type ShownValue = { id: string; /** Of the row whose value this is. */ rev: number } & (
  | { state: 'shown'; value: string }
  | { state: 'masked' }
  /** The workspace key does not open it. The user may choose to overwrite it. */
  | { state: 'unreadable' }
  /** Not proven to be from a member: see `unverified.list`. */
  | { state: 'unverified' }
)

export interface SyncStatus {
  /** attention: something waits for the user (conflict, failed, unauthorized). */
  state: 'synced' | 'syncing' | 'queued' | 'offline' | 'attention' | 'paused'
  /** Unsent changes, all states. */
  queued: number
  /** How many unsent changes wait for the user. */
  attention: number
  /** How many values are not proven to be from a member. */
  unverified: number
  /**
   * Which values are accepted: see SECURITY.md. open: also those that other clients write. binding: values are being sealed to their
   * variables.
   */
  values: 'open' | 'binding' | 'bound'
  lastSyncedAt: string | null
  /** One sentence, or null when all is well. */
  message: string | null
  /** When the next try is due, if one is waiting. */
  nextAttemptAt: string | null
  /** The user paused sync. It stays paused until the user continues it. */
  isPaused: boolean
  /** The service is known to let the user change nothing. */
  isViewOnly: boolean
  /** For each command that the service is known to refuse: why it can't be run, in one sentence. */
  refusals: Partial<Record<string, string>>
  /** Whether the service keeps deleted projects and environments. If not, a restore creates them again from what this computer has. */
  keepsDeleted: boolean
  /** The limits of this service, one sentence each. */
  limits: string[]
}

/**
 * Why a value is not proven to be from a member. plain: the service shows it in plain. unbound: sealed with the key, but to no variable.
 * kind: sealed with another type or secrecy. superseded: another value had taken its place here. elsewhere: another variable's, another key's,
 * or damaged.
 */
export type ValueDoubt = 'plain' | 'unbound' | 'kind' | 'superseded' | 'elsewhere'

/** A variable whose value is Unverified. */
export interface UnverifiedRow {
  id: string
  name: string
  /** "Project / Environment". */
  where: string
  doubt: ValueDoubt
  /** Whether the workspace key opens the value. */
  canAccept: boolean
  /** Whether there is a last verified value to restore. */
  canRestore: boolean
  /** The name under which it was verified, if the service shows another name. Restoring also restores the name. */
  lastName: string | null
  updatedAt: string | null
  updatedBy: string | null
  rev: number
}

/** The received value and the last verified one; null if there is none, or the key does not open it. */
export interface UnverifiedValues {
  value: string | null
  last: string | null
  /** The revision of the row that has these values. */
  rev: number
}

/** An earlier value, which can be restored. */
export interface HistoryRow {
  entry: number
  /** The variable that had it. */
  variableId: string
  /** The environment that it would be restored in; null: that is deleted. */
  environmentId: string | null
  /** The name it had then. */
  name: string
  /** "Project / Environment" that it would be restored in, by their present names; empty if they are deleted. */
  where: string
  /** Whose write overwrote it. */
  whose: 'mine' | 'theirs'
  /**
   * changed: another value replaced it. deleted: the variable was deleted. given-up: the user typed it, it was never sent, and the value of
   * others was kept instead.
   */
  why: 'changed' | 'deleted' | 'given-up'
  /** Who that was, when the service says. */
  by: string | null
  at: string
  /** null: the service never said; shown masked. */
  isSecret: boolean | null
  /** Whether restoring changes anything. False if the variable has this value now, or its environment is deleted. */
  canRestore: boolean
  /** The `rev` of the variable that restoring would change. */
  rev: number
}

/** A row that changed here because the service went back to a backup. */
export interface RestartedRow {
  id: string
  kind: 'project' | 'environment' | 'variable'
  name: string | null
  /** "Project / Environment"; empty for a project. */
  where: string
  /** added: the row did not exist on this computer. It had been deleted since the backup, or others created it. */
  change: 'changed' | 'deleted' | 'added'
}

/** The rows that changed here because the service was restored from a backup. */
export interface RestartNote {
  at: string
  /** Parents come before the rows in them; 5,000 rows at most. */
  rows: RestartedRow[]
  /** Whether other rows may have changed too. */
  isCut: boolean
  /** How many of these variables have an earlier value now, which is Unverified until the user chooses. */
  unverified: number
}

/** What became of imports in the middle of which Holdfast was locked, closed or killed. If all counts are 0, nothing of them was saved. */
export interface InterruptedNote {
  /** The rows that were undone. */
  undone: number
  /** The rows that were not, because they may have been sent, or were edited since. */
  kept: number
  /** The rows that were not, because undoing failed. */
  left: number
}

/** A deleted project or environment that the service can restore. */
export interface DeletedRow {
  /** The service's id of it. */
  id: string
  kind: 'project' | 'environment'
  name: string
  slug: string
  /** The present name of the environment's project; null for a project, and if the environment's project is deleted or unknown. */
  project: string | null
  /** Who deleted it, as the service says; otherwise "you" or "someone else". */
  by: string
  at: string
  environments: number
  variables: number
  versions: number
  /**
   * service: the service restores it as it was. mirror: the service doesn't have it any more, so it is queued again with what this computer
   * had of it.
   */
  from: 'service' | 'mirror'
  /** A sentence about the parts that can't be restored from this computer; null if there are none. */
  lacks: string | null
}

export interface QueueRow {
  /** Names one request: it changes when the change is refused or is to be sent differently. */
  changeId: string
  /** The place in the queue. Another one only if the user keeps a change that must wait for a later one. */
  seq: number
  kind: 'create' | 'update' | 'delete' | 'snapshot' | 'rollback' | 'invite' | 'set-role' | 'remove'
  subject: 'project' | 'environment' | 'variable' | 'version' | 'member'
  /** The name of the changed row. For a version it is the label (empty until the service gives one), for a member the e-mail. */
  name: string
  /** The "Project / Environment" that it belongs to; empty for a project or a member. */
  where: string
  /** The local ids of the place where the window shows it; all null for a member. */
  at: { projectId: string | null; environmentId: string | null; variableId: string | null }
  /** Field names an update touches. */
  fields: string[]
  /** For a rollback: the effect that its preview showed. Otherwise null. */
  counts: RollbackCounts | null
  state: Exclude<RowSync, 'synced'>
  attempts: number
  nextAttemptAt: string | null
  /** The service's words, or why the change waits, in one sentence. */
  reason: string | null
  /** Whether the service may have done it and the user has retried it, but sync has not checked yet. It can still be discarded. */
  isToBeChecked: boolean
  /** The change that it waits for, if that change waits for the user's decision. */
  waitsFor: { changeId: string; subject: QueueRow['subject']; name: string } | null
  /** For a conflict: what it is about. Otherwise null. */
  conflict: ConflictKind | null
  /** For a conflict: who changed the record on the service, if the service says so. */
  remoteBy: string | null
  /** For a conflict: when the record was changed, if the service says so. */
  remoteAt: string | null
  createdAt: string
}

export type ConflictKind =
  /** Both sides changed the same field. */
  | 'fields'
  /** Changed here, deleted on the service. */
  | 'deleted-remotely'
  /** Deleted here, changed on the service. */
  | 'changed-remotely'
  /** Created or renamed here to a name the service already uses. */
  | 'name-taken'
  /** A project or environment deleted here, in which others changed something since the user saw it. Nothing was deleted. */
  | 'changed-below'
  /** An unsent rollback, of which the preview is outdated because the environment has changed. Nothing was sent. */
  | 'stale-rollback'

/** A value field of a secret is masked until revealed. */
export type ConflictSide = { state: 'shown'; text: string } | { state: 'masked' | 'unreadable' | 'unverified' | 'absent'; text: null }

/** One field of the row of an unsent change. */
export interface QueuedField {
  field: string
  /** The value that the service last sent. `absent`: the row is new, or the service never sent the field. */
  was: ConflictSide
  /** `absent`: the row is deleted. */
  now: ConflictSide
}

export interface ConflictRow {
  changeId: string
  kind: ConflictKind
  subject: 'project' | 'environment' | 'variable' | 'version' | 'member'
  name: string
  where: string
  /** Who changed it there, when the service says. */
  remoteBy: string | null
  /** When it was changed there, when the service says. */
  remoteAt: string | null
  /** A fingerprint of the conflict as shown. The choice passes it back. */
  fingerprint: string
  /** For `changed-below`: in words, what others did below the row, and how many unsent changes of the user are below it. Otherwise null. */
  news: { words: string | null; unsent: number } | null
  /** Empty for `stale-rollback`. */
  fields: { field: string; was: ConflictSide; mine: ConflictSide; theirs: ConflictSide }[]
  /**
   * For `stale-rollback`: what the user agreed to, and what the rollback would do now. "mine" rolls back with the new preview, "theirs"
   * discards the rollback. Otherwise null.
   */
  rollback: { agreed: RollbackCounts; now: RollbackPreview } | null
}

/** A version of an environment: on the service, or still in the queue. */
export interface VersionRow {
  /** Local, for life. It stays the same when a queued version is saved. */
  id: string
  environmentId: string
  /** null until the version is saved, if the service chooses the label. */
  label: string | null
  note: string
  /** null until it is saved. */
  variableCount: number | null
  /** When the service saved it; null until then. */
  createdAt: string | null
  /** Who saved it, if the service says. */
  createdBy: string | null
  /** Whether its variables are on this computer, so that it can be shown, compared and previewed offline. See `versions.fetch`. */
  isMirrored: boolean
  /** The state of its queued change; `synced` once the version is on the service. */
  sync: RowSync
  syncReason: string | null
  /** The id of its queued change, to discard or retry it. */
  changeId: string | null
}

export interface VersionList {
  /** Newest first; unsaved versions come before all others. */
  rows: VersionRow[]
  /** The unsent rollbacks of this environment, oldest first. */
  rollbacks: QueuedRollback[]
  /** How the last rollback of this environment that this computer sent ended; null if there was none. */
  lastRollback: RollbackOutcome | null
  /**
   * What the service can't do with versions, in one sentence (then the user enters a version's id: `versions.mirror`); null if it can do
   * everything.
   */
  limit: string | null
}

/** How many variables a rollback adds, changes and removes. */
export interface RollbackCounts {
  added: number
  updated: number
  removed: number
}

export interface QueuedRollback {
  changeId: string
  versionId: string
  label: string
  counts: RollbackCounts
  state: Exclude<RowSync, 'synced'>
  reason: string | null
}

export interface RollbackOutcome {
  versionId: string
  label: string
  at: string
  /** The effect that the service reported; null when its answer was lost and the environment was found equal to the version. */
  counts: RollbackCounts | null
  /** The effect that the preview showed. */
  previewed: RollbackCounts
  /** A sentence if the two effects differ; otherwise null. */
  difference: string | null
}

export interface RollbackPreview extends RollbackCounts {
  /** Variables that are the same in the version. */
  same: number
  /**
   * How many of `same` were sealed again since, with the same text. The service can't read values, so it counts these variables as updated.
   * The user sees no change.
   */
  resealed: number
  /** What happens to each variable that changes, by name; the first 1,000. */
  names: { name: string; does: 'added' | 'updated' | 'removed' }[]
  /**
   * Whether the service can't list its variables. Then a rollback also changes variables that this computer does not know, and that this
   * preview does not show.
   */
  isPartial: boolean
  /** How many unsent changes the environment has. They are sent before the rollback, and this preview includes them. */
  unsent: number
  /** A fingerprint of everything that this preview was made from, for `versions.rollback`. */
  fingerprint: string
}

export interface VersionVariableRow {
  name: string
  /** What a rollback would do. added: only the version has it. removed: only the environment has it now. */
  state: 'added' | 'updated' | 'removed' | 'same'
  /**
   * From the variable as it is now, because a version does not have it; null if the variable does not exist now, or the service never said.
   */
  isSecret: boolean | null
}

export interface VersionDetail {
  version: VersionRow
  /** Of all its variables, however filtered. */
  counts: RollbackCounts & { same: number }
  /** Of the rows that match. */
  total: number
  offset: number
  /** By name. */
  rows: VersionVariableRow[]
}

/** Both values of a variable: in the version, and in the environment as it is now. */
export interface VersionValues {
  name: string
  saved: ConflictSide
  now: ConflictSide
}

export interface MemberRow {
  /** Local, for life. */
  id: string
  email: string
  /** Whether this member is the user; false for all members if the service does not say who the user is. */
  isYou: boolean
  /** `invited` or `active`, as the service says; `unsent` for an invitation in the queue. */
  status: string
  /** The role with the user's unsent change. */
  roleId: string
  /** Whether the member's removal is in the queue. */
  isLeaving: boolean
  /** Since when the person is a member or invited; null if the service does not say. */
  since: string | null
  sync: RowSync
  syncReason: string | null
  changeId: string | null
}

export interface MemberList {
  /** By e-mail. */
  rows: MemberRow[]
  /** What the service can't do with members, in one sentence; null if it can do everything. */
  limit: string | null
}

export interface RoleRow {
  id: string
  name: string
  /** What the role allows, in the service's words; empty if the service does not say. */
  permissions: string[]
}

export interface RoleList {
  /** The roles in the service's order. If the service lists none, the roles that members are known to have. */
  rows: RoleRow[]
  /** If the service lists no roles, a sentence that says so: the user then has to type a role's id. */
  limit: string | null
}

export type ImportFormat = 'env' | 'json' | 'yaml'

/** One environment of a comparison: a column. */
export interface CompareEnvironment {
  id: string
  name: string
  slug: string
  /** How many variables of the project, with any filter, are missing, empty or different in this environment. */
  missing: number
  empty: number
  different: number
}

export interface CompareCell {
  environmentId: string
  /** null: missing here. */
  variableId: string | null
  /**
   * same: the value that most environments share; if several values are shared by as many, that of the first environment. different: known
   * to be another value. empty: known to be the empty text. unknown: not known without the key that sealed the value.
   */
  state: 'missing' | 'empty' | 'same' | 'different' | 'unknown'
  /** Equal values of a row have the same number, from 1 on; 0 if the variable is missing. */
  group: number
  /**
   * Equal values of a row have the same mark: 0 for the value that most share. null if all values are equal, or this one is missing, empty
   * or not known.
   */
  mark: number | null
  sync: RowSync
  /** The reason in one sentence when `sync` is blocked, conflict or failed. */
  syncReason: string | null
  /** The change to open when the user asks about `sync`. */
  changeId: string | null
  /** The `rev` of the variable; if the variable is missing, of the whole answer. */
  rev: number
}

/** One variable name of a comparison. */
export interface CompareRow {
  name: string
  /** Whether it is a secret in any environment of the project, or may be. */
  isSecret: boolean
  /** The type of the variables with the shared value; null if the service never said. */
  type: VariableType | null
  /** The cells of the environments, in their order, from the first column asked for. */
  cells: CompareCell[]
}

/** A part of a comparison. `total` counts all names that match. */
export interface CompareGrid {
  environments: CompareEnvironment[]
  /** The names that match. */
  total: number
  /** All names in these environments. */
  all: number
  offset: number
  /** The position of the environment of each row's first cell. */
  columnOffset: number
  rows: CompareRow[]
}

/** The variables that an environment is missing and others of its project have. */
export interface MissingVariables {
  /** All names that it is missing. */
  total: number
  /** The environments that have some of them, most first. */
  sources: { id: string; name: string; count: number }[]
  /** The variables of one source, in natural order, up to the most that one command copies. */
  variables: { id: string; name: string; rev: number }[]
}

/** A name that a search found. */
export interface FoundName {
  kind: 'workspace' | 'project' | 'environment' | 'variable'
  workspaceId: string
  id: string
  /** Of a variable. */
  environmentId?: string
  name: string
  /** "Project / Environment", with its workspace in front if there are several. For a project always the workspace. */
  where: string
  /** Higher is better. Comparable with the scores of `electron/match` for the same text. */
  score: number
  /** The parts of the name to mark: UTF-16 positions, the end not included. */
  ranges: readonly (readonly [start: number, end: number])[]
}

/**
 * A line of a .env that may not mean what its author meant. cut-at-hash: the value ends at a `#`. open-quote: a quote is not closed, and is
 * part of the value. after-quote: there is text after the closing quote, and both quotes are part of the value. backslash: a backslash is
 * part of the value that others take for an escape. open-key: the value is only the first line of a key that is not in quotes.
 */
export type ImportWarning = 'cut-at-hash' | 'open-quote' | 'after-quote' | 'backslash' | 'open-key'

export interface ImportLine {
  /** 1-based line in the text; 0 for a removed variable, which is not in the text. */
  line: number
  name: string
  /** removed: a variable that is not in the text, in `replace` mode only. */
  status: 'added' | 'changed' | 'unchanged' | 'removed' | 'invalid' | 'overridden'
  /** Why it is invalid or overridden, or what else the user should know. */
  reason: string | null
  warnings: ImportWarning[]
  /** The variable that the line changes, keeps or removes; null if the line adds a variable. */
  id: string | null
  /** The value in the text, cut after 500 characters; null if there is none, or the variable has the same value. */
  value: string | null
  /** What the variable's `isSecret` will be. */
  isSecret: boolean
  /** What its type will be; null: not known, and not set. */
  type: VariableType | null
}

/** A variable under another name. */
export interface Rename {
  from: string
  to: string
}

export interface ImportPreview {
  /** What the text was read as. */
  format: ImportFormat
  /** In the order of the text, removed variables after them. */
  lines: ImportLine[]
  added: number
  changed: number
  unchanged: number
  removed: number
  invalid: number
  /** Removed variables that the text may have under another name: no other removed variable and no other added line has this value. */
  renames: Rename[]
  /** The revision of the mirror that was compared with the text. */
  rev: number
}

export interface ImportProgress {
  stage: 'reading' | 'comparing' | 'saving'
  done: number
  total: number
}

export type ExportFormat = 'env' | 'json' | 'yaml' | 'shell' | 'docker' | 'kubernetes'

/** A variable that a format can't hold, and why, in one sentence. */
export interface RefusedName {
  name: string
  reason: string
}

export interface ExportedText {
  text: string
  /** A name for the file, made of the slugs. */
  fileName: string
  /** The variables that `text` leaves out, each with the reason. */
  refused: RefusedName[]
  /** Sentences about the whole text, for example that it is too large for its reader. */
  notes: string[]
}

/** What the user tracks by name, on a service that lists nothing. */
export interface TrackedNames {
  /** Whether the service is known to list nothing. Otherwise nothing needs to be tracked. */
  isNeeded: boolean
  /** Each project, below it its environments, below each its variables; by name. */
  rows: TrackedNameRow[]
}

export interface TrackedNameRow {
  id: string
  kind: 'project' | 'environment' | 'variable'
  /** Slug or name as the service knows it. */
  key: string
  /** Slugs above it. */
  project: string
  environment: string | null
  /** waiting: not asked for yet. missing: the service has nothing of this name. refused: the API key may not see it. */
  state: 'waiting' | 'there' | 'missing' | 'refused'
}

export interface ReferenceProblem {
  /** too-large: the resolved text or the chain of references is too long. */
  kind: 'missing' | 'circular' | 'unreadable' | 'unverified' | 'too-large'
  /** The references that lead from the variable to the problem, as written: `['URL', 'HOST', 'staging.PORT']`. */
  path: string[]
}

export type ResolvedValue = {
  /** Whether there is any reference in the value as typed. */
  hasReferences: boolean
  problems: ReferenceProblem[]
} & (
  | { state: 'shown'; /** References that cannot be resolved are kept as typed. */ value: string }
  /** masked: it is a secret, or refers to one. unreadable: the key does not open it. too-large: not resolved. */
  | { state: 'masked' | 'unreadable' | 'too-large'; value: null }
)

export interface Suggestion {
  /** What goes between `${` and `}`. */
  insert: string
  /** Slug of the environment it is in; null: the same one. */
  environment: string | null
  /** null: the service never said. */
  isSecret: boolean | null
}

export interface ReferenceFlag {
  id: string
  kinds: ReferenceProblem['kind'][]
}

export interface SettingsRow {
  theme: 'system' | 'light' | 'dark'
  /** Whether values that are not secrets are masked too. */
  maskAll: boolean
  /** Whether screenshots, recorders and shared screens get an empty window, if the system can do that. */
  hideFromCapture: boolean
  /** After how many minutes without use keys are locked; 0: never. Keys of this session only are never locked by time. */
  lockAfterMinutes: number
  /** After how many seconds a copied value is removed from the clipboard; 0: never. */
  clipboardClearSeconds: number
  /** Seconds between two syncs when nothing waits to be sent. */
  syncIntervalSeconds: number
  /** Whether the tour of the first start was finished or skipped. */
  tourSeen: boolean
}
