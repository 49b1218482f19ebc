/** Row types that cross the bridge. None of them carries a value of a variable: see `variables.values`. */

export type VariableType = 'string' | 'number' | 'boolean'

/** Where an unsent change of a row stands; `synced` when the row has none. */
export type RowSync = 'synced' | 'queued' | 'sending' | 'blocked' | 'conflict' | 'failed'

/** Where the keys of this data folder are kept, and whether they can be used now. */
export type KeysStatus =
  /** First start: nothing chosen yet. With a keychain `available`, the first workspace takes it. */
  | { state: 'unchosen'; keychain: KeychainState }
  /**
   * A vault waits for its passphrase, or the OS keychain refused for now, or Holdfast was locked. `keychain` of a vault: `absent` when its
   * file was missing at the start. `by`: null if it was not locked by Holdfast.
   */
  | { state: 'locked'; store: 'vault' | 'os'; keychain: KeychainState; unlock: UnlockBy; by: LockedBy | null }
  /** `unlock`: how the user would come in again after a lock; `none` cannot be locked. */
  | { state: 'ready'; store: 'os' | 'vault' | 'session'; unlock: UnlockBy; hasPin: boolean }

/** Who locked the keys: the user, the time without use, or the system (suspended, or its screen locked). */
export type LockedBy = 'user' | 'time' | 'system'

/** What opens locked keys: the vault's passphrase, a PIN, or the system's own authentication (or, instead of it, a PIN or
 * recovery key). `none`: nothing is asked for. */
export type UnlockBy = 'passphrase' | 'pin' | 'system' | 'none'

/** The system's own question whether its user is there, as this system calls it, and whether an unlock asks it. */
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
  /** Where the user was last; reopened at start. */
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
  /** Null: the service offers no way to find out. */
  hasValues: boolean | null
  /** Nobody has used it: it has no other members, no projects and no deleted ones. Otherwise its workspace key may exist already. */
  isUnused: boolean
}

export interface WorkspaceRow {
  id: string
  name: string
  /** sample: temporary files, gone at exit. local: the embedded service. remote: a service at an address. */
  kind: 'sample' | 'local' | 'remote'
  /** Shown to tell two workspaces apart; null for sample and local. */
  baseUrl: string | null
  /** The keys that are missing: values can't be read, or sync can't run, without them. */
  needs: ('api-key' | 'workspace-key')[]
  /** Why this workspace cannot be opened at all (a newer or damaged database), else null. */
  problem: string | null
  /** Whether `problem` is a damaged database, of which `repair.run` saves what it can, or a missing one, which it makes anew; null: neither. */
  repair: 'damaged' | 'missing' | null
  /**
   * Set while the database of its own service is damaged. Rows can be read and edited then, and nothing is synced until
   * `repair.restore-service`. `newestBackup`: ISO 8601; null where there is none.
   */
  serviceDamage: { newestBackup: string | null } | null
}

/** Counts of what a repair can recover from a damaged database. */
export interface RepairRow {
  /** Unsent edits that can be read; that can be worked out from what was shown; that are lost for good. */
  unsent: number
  rebuilt: number
  lost: number
  /** More edits than `lost` may be gone: not even their number can be read. */
  unsure: boolean
  /** Unsent deletions that cannot be carried over, by the names of what they were to delete. */
  unknownDeletions: string[]
  /** Records of the service that can be read; the others come with the next sync. */
  records: number
  /** Overwritten values of the local history that can be read. */
  history: number
}

export interface RepairNoteRow extends RepairRow {
  /** Where the damaged file is kept; null: it was missing. */
  copy: string | null
  repairedAt: string
}

/** The outcome of replacing a damaged service's database with a backup. */
export interface RestoreRow {
  /** When the backup was made; null: there was no whole one, and everything comes from this computer. */
  from: string | null
  /** Records of this computer that could not be put back. */
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
  /** True only when the value is known to be the empty string. */
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
  /** Another when others changed the row. A command gives it back as `seen`. */
  rev: number
  /** verified: sealed by a member to this variable. open: taken from a service that other clients write to. local: not sent yet. */
  trust: 'verified' | 'open' | 'unverified' | 'local'
}

/** Shown in an open editor when others change its variable. */
export interface EditedVariable {
  name: string
  /** A secret is masked unless it was asked for with `reveal`. */
  value: { state: 'shown'; value: string } | { state: 'masked' } | { state: 'unreadable' } | { state: 'unverified' }
  updatedAt: string | null
  updatedBy: string | null
  rev: number
}

/** Variables that others changed since a screen showed them, each with its value then and now; null: it was or is not there. */
export interface ChangedVariables {
  /** Everything up to this revision is in it. */
  rev: number
  rows: {
    id: string
    name: string
    was: EditedVariable['value'] | null
    now: EditedVariable['value'] | null
    /** Of one that was and is there: whether they changed its value, and what else, in words. */
    isOtherValue: boolean
    others: { field: 'name' | 'type' | 'isSecret'; was: string; now: string }[]
  }[]
}

/** A window of a long list: `rows` start at `offset`; `total` counts all that match. */
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
  /** The workspace key does not open it. It can be overwritten, by choice. */
  | { state: 'unreadable' }
  /** Not proven to be from a member: see `unverified.list`. */
  | { state: 'unverified' }
)

export interface SyncStatus {
  /** attention: something waits for the user (conflict, failed, unauthorized). */
  state: 'synced' | 'syncing' | 'queued' | 'offline' | 'attention' | 'paused'
  /** Unsent changes, all states. */
  queued: number
  /** Of those, the ones that wait for the user. */
  attention: number
  /** Values that are not proven to be from a member. */
  unverified: number
  /** Which values are taken: see SECURITY.md. open: what other clients write, too. binding: they are being sealed to their variables. */
  values: 'open' | 'binding' | 'bound'
  lastSyncedAt: string | null
  /** One sentence, or null when all is well. */
  message: string | null
  /** When the next try is due, when one is waiting. */
  nextAttemptAt: string | null
  /** The user paused it, and it stays so until he says otherwise. */
  isPaused: boolean
  /** The service is known to let the user change nothing. */
  isViewOnly: boolean
  /** By command: why it may not be run, in one sentence, because the service is known to refuse what it asks for. */
  refusals: Partial<Record<string, string>>
  /** Whether the service keeps deleted projects and environments: elsewhere a restore creates them again from what this computer has. */
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
  /** Whether the key opens it. */
  canAccept: boolean
  /** Whether one was verified before that can be put back. */
  canRestore: boolean
  /** The name that it was verified under, if the service shows another one; restoring gives it back. */
  lastName: string | null
  updatedAt: string | null
  updatedBy: string | null
  rev: number
}

/** The received value and the last verified one; null: there is none, or the key does not open it. */
export interface UnverifiedValues {
  value: string | null
  last: string | null
}

/** A value that is not there any more, and can be brought back. */
export interface HistoryRow {
  entry: number
  variableId: string
  /** The name it had then. */
  name: string
  /** "Project / Environment", as they are called now; empty when they are gone. */
  where: string
  /** Whose write overwrote it. */
  whose: 'mine' | 'theirs'
  /** changed: another value took its place. deleted: the variable was. given-up: it was mine, never sent, and theirs was taken instead. */
  why: 'changed' | 'deleted' | 'given-up'
  /** Who that was, when the service says. */
  by: string | null
  at: string
  /** null: the service never said; shown masked. */
  isSecret: boolean | null
  /** Whether restoring does anything: not when the variable has this value now, or its environment is gone. */
  canRestore: boolean
  /** Of the variable that restoring would change. */
  rev: number
}

/** A row that changed here because the service went back to a backup. */
export interface RestartedRow {
  id: string
  kind: 'project' | 'environment' | 'variable'
  name: string | null
  /** "Project / Environment"; empty for a project. */
  where: string
  /** added: it did not exist here. It had been deleted since the backup, or others made it. */
  change: 'changed' | 'deleted' | 'added'
}

/** The rows that changed here because the service was restored from a backup. */
export interface RestartNote {
  at: string
  /** Parents before what is below them; 5,000 at most. */
  rows: RestartedRow[]
  /** Whether more rows may have changed than these. */
  isCut: boolean
  /** How many of these variables have an earlier value now, which is Unverified until the user chooses. */
  unverified: number
}

/** A deleted project or environment that the service can restore. */
export interface DeletedRow {
  /** The service's id of it. */
  id: string
  kind: 'project' | 'environment'
  name: string
  slug: string
  /** The project of an environment as it is called now; null for a project, and where that project is deleted or unknown. */
  project: string | null
  /** Who deleted it, as the service says, else "you" or "someone else". */
  by: string
  at: string
  environments: number
  variables: number
  versions: number
  /** service: restored there as it was. mirror: the service doesn't have it any more; queued again with what this computer had of it. */
  from: 'service' | 'mirror'
  /** A sentence about the parts that a restore from here can't bring back; null: none. */
  lacks: string | null
}

export interface QueueRow {
  changeId: string
  kind: 'create' | 'update' | 'delete' | 'snapshot' | 'rollback' | 'invite' | 'set-role' | 'remove'
  subject: 'project' | 'environment' | 'variable' | 'version' | 'member'
  /** Name of the row the change is about: of a version its label (empty while the service has yet to give one), of a member the e-mail. */
  name: string
  /** "Project / Environment" it belongs to; empty for a project or a member. */
  where: string
  /** Local ids of where it is seen in the window; all null for a member. */
  at: { projectId: string | null; environmentId: string | null; variableId: string | null }
  /** Field names an update touches. */
  fields: string[]
  /** Of a rollback: its effect as its preview showed it; null for everything else. */
  counts: RollbackCounts | null
  state: Exclude<RowSync, 'synced'>
  attempts: number
  nextAttemptAt: string | null
  /** One sentence: the service's words, or why it waits. */
  reason: string | null
  /** The change it waits for, where that one waits for the user: nothing moves before that is decided. */
  waitsFor: { changeId: string; subject: QueueRow['subject']; name: string } | null
  /** Of a conflict: what it is about; null for every other change. */
  conflict: ConflictKind | null
  /** Of a conflict: who changed the record on the service, when it says so. */
  remoteBy: string | null
  /** Of a conflict: when, when it says so. */
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
  /** A project or environment deleted here, in which others changed something since its user saw it. Nothing was deleted. */
  | 'changed-below'
  /** A rollback that waits to be sent, while the environment is not what its preview showed any more. Nothing was sent. */
  | 'stale-rollback'

/** A value field of a secret is masked until revealed. */
export type ConflictSide = { state: 'shown'; text: string } | { state: 'masked' | 'unreadable' | 'unverified' | 'absent'; text: null }

/** One field of the row of an unsent change. */
export interface QueuedField {
  field: string
  /** As the service last showed it; `absent`: the row is new, or the service never said. */
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
  /** A fingerprint of the conflict as shown; sent back with the choice. */
  fingerprint: string
  /** Of a `changed-below`: what others did there, in words, and how many unsent changes of the user's own are in it; else null. */
  news: { words: string | null; unsent: number } | null
  /** Empty for `stale-rollback`. */
  fields: { field: string; was: ConflictSide; mine: ConflictSide; theirs: ConflictSide }[]
  /**
   * Of a `stale-rollback`: what the user agreed to, and what the rollback would do now. "mine" rolls back with this new preview,
   * "theirs" gives the rollback up. null for every other kind.
   */
  rollback: { agreed: RollbackCounts; now: RollbackPreview } | null
}

/** A snapshot of an environment, on the service or waiting in the queue to be taken. */
export interface VersionRow {
  /** Local, for life: it does not change when a snapshot that was queued has been taken. */
  id: string
  environmentId: string
  /** null: the service gives it one when the snapshot is taken. */
  label: string | null
  note: string
  /** null while it waits to be taken. */
  variableCount: number | null
  /** When the service took it; null while it waits to be taken. */
  createdAt: string | null
  /** Who took it, when the service says. */
  createdBy: string | null
  /** Whether its variables are on this computer, so that it can be shown, compared and previewed offline. See `versions.fetch`. */
  isMirrored: boolean
  /** Of its snapshot; `synced` once it is on the service. */
  sync: RowSync
  syncReason: string | null
  /** The queued snapshot, to discard or retry it. */
  changeId: string | null
}

export interface VersionList {
  /** Newest first; snapshots that wait to be taken before all others. */
  rows: VersionRow[]
  /** Rollbacks of this environment that are not sent yet, oldest first. */
  rollbacks: QueuedRollback[]
  /** How the last rollback of this environment that was sent from here ended; null when there was none. */
  lastRollback: RollbackOutcome | null
  /** What the service cannot do with versions here, in one sentence (then a version is named by its id: `versions.mirror`); null: all of it. */
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
  /** One sentence where the two do not agree; null when they do. */
  difference: string | null
}

export interface RollbackPreview extends RollbackCounts {
  /** Variables that are the same in the version. */
  same: number
  /**
   * Of `same`: variables whose value was sealed anew since, with the same text in it. The service, which cannot read values, will
   * count them as updated; who reads them sees no change.
   */
  resealed: number
  /** What happens to each variable that does not stay as it is, by name; the first 1,000. */
  names: { name: string; does: 'added' | 'updated' | 'removed' }[]
  /** The service cannot list its variables: those that are not known here are not in this preview, and a rollback changes them too. */
  isPartial: boolean
  /** Unsent changes of the environment: they are sent before the rollback, and are in this preview. */
  unsent: number
  /** Stands for what this preview was made from: give it to `versions.rollback`. */
  fingerprint: string
}

export interface VersionVariableRow {
  name: string
  /** As a rollback would see it. added: only in the version. removed: only in the environment as it is now. */
  state: 'added' | 'updated' | 'removed' | 'same'
  /** As it is now; null: not there now, or the service never said. A version does not say. */
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
  /** As the service says it: `invited`, `active`; `unsent` for an invitation that waits in the queue. */
  status: string
  /** As the user sees it: a role that waits to be changed is the new one. */
  roleId: string
  /** Its removal waits in the queue. */
  isLeaving: boolean
  /** Since when they are a member, or invited; null where the service does not say. */
  since: string | null
  sync: RowSync
  syncReason: string | null
  changeId: string | null
}

export interface MemberList {
  /** By e-mail. */
  rows: MemberRow[]
  /** What the service cannot do with members, in one sentence; null: all of it. */
  limit: string | null
}

export interface RoleRow {
  id: string
  name: string
  /** What it may do, in the service's words; empty where it does not say. */
  permissions: string[]
}

export interface RoleList {
  /** In the service's order; where it lists none, the ones that members here are known to have. */
  rows: RoleRow[]
  /** Where the service lists no roles, one sentence that says so: then the id of a role has to be typed. */
  limit: string | null
}

export type ImportFormat = 'env' | 'json' | 'yaml'

/** One environment of a comparison, a column. */
export interface CompareEnvironment {
  id: string
  name: string
  slug: string
  /** Of all variables of the project, however filtered: how many are missing here, empty here, different here. */
  missing: number
  empty: number
  different: number
}

export interface CompareCell {
  environmentId: string
  /** null: missing here. */
  variableId: string | null
  /**
   * same: the value that most environments share, of several such the one of the first environment. different: known to be another.
   * empty: known to be the empty text. unknown: nothing can be said without the key it was sealed with.
   */
  state: 'missing' | 'empty' | 'same' | 'different' | 'unknown'
  /** Equal values of a row share a number from 1 on; 0 where it is missing. */
  group: number
  /** What tells values of the row apart: 0 for the one most share; null where there is nothing to tell, or it cannot be told. */
  mark: number | null
  sync: RowSync
  /** The reason in one sentence when `sync` is blocked, conflict or failed. */
  syncReason: string | null
  /** The change to open when the user asks about `sync`. */
  changeId: string | null
  /** Of the variable; where it is missing, of the whole answer. */
  rev: number
}

/** One variable name of a comparison. */
export interface CompareRow {
  name: string
  /** Whether any environment of the project takes it for a secret, or never said. */
  isSecret: boolean
  /** As it is where the value is the shared one; null: the service never said. */
  type: VariableType | null
  /** One for each environment, in their order, from the first column asked for. */
  cells: CompareCell[]
}

/** A window of a comparison; `total` counts all names that match. */
export interface CompareGrid {
  environments: CompareEnvironment[]
  /** The names that match. */
  total: number
  /** All names in these environments. */
  all: number
  offset: number
  /** Which environment the first cell of each row is of. */
  columnOffset: number
  rows: CompareRow[]
}

/** A name that a search found. */
export interface FoundName {
  kind: 'workspace' | 'project' | 'environment' | 'variable'
  workspaceId: string
  id: string
  /** Of a variable. */
  environmentId?: string
  name: string
  /** "Project / Environment", below its workspace where there are several; a project always says its workspace. */
  where: string
  /** Higher is better; comparable with what `electron/match` gives for the same text. */
  score: number
  /** What of the name to mark: UTF-16 positions, the end not included. */
  ranges: readonly (readonly [start: number, end: number])[]
}

/**
 * A line of a .env that may not say what it was meant to. cut-at-hash: the value ends at a `#`. open-quote: a quote is not closed, and became a part of
 * the value. after-quote: there is more after the closing quote, and both quotes became a part of the value.
 */
export type ImportWarning = 'cut-at-hash' | 'open-quote' | 'after-quote'

export interface ImportLine {
  /** 1-based line in the text; 0 for a removed variable, which is in none. */
  line: number
  name: string
  /** removed: a variable that is not in the text, in `replace` mode only. */
  status: 'added' | 'changed' | 'unchanged' | 'removed' | 'invalid' | 'overridden'
  /** Why it is invalid or overridden, or what else to know of it. */
  reason: string | null
  warnings: ImportWarning[]
  /** The variable that it changes, leaves or removes; null where it makes a new one. */
  id: string | null
  /** The value that the text gives, cut after 500 characters; null where it gives none, or the one that the variable has. */
  value: string | null
  /** What the variable's `isSecret` will be. */
  isSecret: boolean
  /** What its type will be; null: not known, and not set. */
  type: VariableType | null
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
  /** The revision of the mirror that the text was compared with. */
  rev: number
}

export interface ImportProgress {
  stage: 'reading' | 'comparing' | 'saving'
  done: number
  total: number
}

export type ExportFormat = 'env' | 'json' | 'yaml' | 'shell' | 'docker' | 'kubernetes'

/** A variable that a format cannot carry, and why in one sentence. */
export interface RefusedName {
  name: string
  reason: string
}

export interface ExportedText {
  text: string
  /** A name for the file, made of the slugs. */
  fileName: string
  /** What is not in `text`, by name. */
  refused: RefusedName[]
  /** Sentences about the text as a whole, as that it is too large for what will read it. */
  notes: string[]
}

/** What is read name by name on a service that lists nothing. */
export interface TrackedNames {
  /** Whether this service lists nothing, as far as is known: else there is no need to track anything. */
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
  /** waiting: not looked for yet. missing: the service has nothing of this name. refused: it does not let this API key see it. */
  state: 'waiting' | 'there' | 'missing' | 'refused'
}

export interface ReferenceProblem {
  /** too-large: the resolved text, or the chain of references, is longer than Holdfast follows. */
  kind: 'missing' | 'circular' | 'unreadable' | 'unverified' | 'too-large'
  /** From the variable to where it goes wrong, each as it is written in the one before: `['URL', 'HOST', 'staging.PORT']`. */
  path: string[]
}

export type ResolvedValue = {
  /** Whether there is any reference in the value as typed. */
  hasReferences: boolean
  problems: ReferenceProblem[]
} & (
  | { state: 'shown'; /** References that cannot be resolved are kept as typed. */ value: string }
  /** masked: a secret, of its own or through a reference. unreadable: the key does not open it. too-large: not resolved. */
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
  /** Values that are no secrets are masked too. */
  maskAll: boolean
  /** Screenshots, recorders and shared screens get an empty window, where the system lets a window ask for that. */
  hideFromCapture: boolean
  /** Minutes without anything asked or done after which keys are locked; 0: never. Keys of this session only are never locked by time. */
  lockAfterMinutes: number
  /** Seconds after which a copied value is taken off the clipboard; 0: never. */
  clipboardClearSeconds: number
  /** Seconds between two syncs when nothing waits to be sent. */
  syncIntervalSeconds: number
  /** The tour of the first start was finished or skipped. */
  tourSeen: boolean
}
