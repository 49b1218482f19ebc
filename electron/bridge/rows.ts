/** Row types that cross the bridge. None of them carries a value of a variable: see `variables.values`. */

export type VariableType = 'string' | 'number' | 'boolean'

/** Where an unsent change of a row stands; `synced` when the row has none. */
export type RowSync = 'synced' | 'queued' | 'sending' | 'blocked' | 'conflict' | 'failed'

/** Where the keys of this data folder are kept, and whether they can be used now. */
export type KeysStatus =
  /** First start: nothing chosen yet. With a keychain `available`, the first workspace takes it. */
  | { state: 'unchosen'; keychain: KeychainState }
  /** A vault waits for its passphrase, or the OS keychain refused for now. */
  | { state: 'locked'; store: 'vault' | 'os'; keychain: KeychainState }
  | { state: 'ready'; store: 'os' | 'vault' | 'session' }

export type KeychainState = 'available' | 'absent' | 'locked' | 'cancelled'

export interface AppStatus {
  version: string
  platform: string
  shell: 'electron' | 'browser'
  dataDir: string
  keys: KeysStatus
  /** Where the user was last; reopened at start. */
  place: Place | null
}

export interface Place {
  workspaceId: string
  environmentId: string | null
}

export interface WorkspaceRow {
  id: string
  name: string
  /** sample: temporary files, gone at exit. local: the embedded service. remote: somebody's service. */
  kind: 'sample' | 'local' | 'remote'
  /** Shown to tell two workspaces apart; null for sample and local. */
  baseUrl: string | null
  /** What must be supplied before values can be read or sync can run. */
  needs: ('api-key' | 'workspace-key')[]
  /** Why this workspace cannot be opened at all (a newer or damaged database), else null. */
  problem: string | null
}

export interface ProjectRow {
  id: string
  name: string
  slug: string
  sync: RowSync
}

export interface EnvironmentRow {
  id: string
  projectId: string
  name: string
  slug: string
  variableCount: number
  sync: RowSync
}

export interface VariableRow {
  id: string
  environmentId: string
  name: string
  /** null: the server never said. */
  type: VariableType | null
  /** null: the server never said; shown masked. */
  isSecret: boolean | null
  /** True only when the value is known to be the empty string. */
  isEmpty: boolean
  sync: RowSync
  /** The reason in one sentence when `sync` is blocked, conflict or failed. */
  syncReason: string | null
  /** The change to open when the user asks about `sync`. */
  changeId: string | null
  updatedAt: string | null
  updatedBy: string | null
}

/** A window of a long list: `rows` start at `offset`; `total` counts all that match. */
export interface Page<Row> {
  total: number
  offset: number
  rows: Row[]
}

/** A value on its way to the screen. `masked` is a secret nobody asked to reveal. */
export type ShownValue =
  | { id: string; state: 'shown'; value: string }
  | { id: string; state: 'masked' }
  /** The workspace key does not open it. It can be overwritten, by choice. */
  | { id: string; state: 'unreadable' }

export interface SyncStatus {
  /** attention: something waits for the user (conflict, failed, unauthorized). */
  state: 'synced' | 'syncing' | 'queued' | 'offline' | 'attention' | 'paused'
  /** Unsent changes, all states. */
  queued: number
  /** Of those, the ones that wait for the user. */
  attention: number
  lastSyncedAt: string | null
  /** One sentence, or null when all is well. */
  message: string | null
  /** When the next try is due, when one is waiting. */
  nextAttemptAt: string | null
  /** What this server cannot do, one sentence each. */
  limits: string[]
}

export interface QueueRow {
  changeId: string
  kind: 'create' | 'update' | 'delete'
  subject: 'project' | 'environment' | 'variable'
  /** Name of the row the change is about. */
  name: string
  /** "Project / Environment" it belongs to. */
  where: string
  /** Field names an update touches. */
  fields: string[]
  state: Exclude<RowSync, 'synced'>
  attempts: number
  nextAttemptAt: string | null
  /** One sentence: the server's words, or why it waits. */
  reason: string | null
  createdAt: string
}

export type ConflictKind =
  /** Both sides changed the same field. */
  | 'fields'
  /** Changed here, deleted on the server. */
  | 'deleted-remotely'
  /** Deleted here, changed on the server. */
  | 'changed-remotely'
  /** Created or renamed here to a name the server already uses. */
  | 'name-taken'

export interface ConflictSide {
  /** A value field of a secret is masked until revealed. */
  state: 'shown' | 'masked' | 'unreadable' | 'absent'
  text: string | null
}

export interface ConflictRow {
  changeId: string
  kind: ConflictKind
  subject: 'project' | 'environment' | 'variable'
  name: string
  where: string
  /** Who changed it there, when the server says. */
  theirsBy: string | null
  fields: { field: string; was: ConflictSide; mine: ConflictSide; theirs: ConflictSide }[]
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
  sync: RowSync
}

/** One variable name of a comparison. */
export interface CompareRow {
  name: string
  /** Whether any environment takes it for a secret, or never said. */
  isSecret: boolean
  /** As it is where the value is the shared one; null: the server never said. */
  type: VariableType | null
  /** One for each environment, in their order. */
  cells: CompareCell[]
}

/** A window of a comparison; `total` counts all names that match. */
export interface CompareGrid {
  environments: CompareEnvironment[]
  total: number
  offset: number
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
  /** Higher is better; of one search only. */
  score: number
  /** What of the name to mark: UTF-16 positions, the end not included. */
  ranges: [start: number, end: number][]
}

export interface ImportLine {
  /** 1-based line in the text; 0 for a removed variable, which is in none. */
  line: number
  name: string
  /** removed: a variable that is not in the text, in `replace` mode only. */
  status: 'added' | 'changed' | 'unchanged' | 'removed' | 'invalid' | 'overridden'
  /** Why it is invalid or overridden, or a warning. */
  reason: string | null
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

export interface ReferenceProblem {
  /** too-large: the resolved text, or the chain of references, is longer than Holdfast follows. */
  kind: 'missing' | 'circular' | 'unreadable' | 'too-large'
  /** From the variable to where it goes wrong, each as it is written in the one before: `['URL', 'HOST', 'staging.PORT']`. */
  path: string[]
}

export interface ResolvedValue {
  /** masked: a secret, of its own or through a reference. unreadable: the key does not open it. too-large: not put together. */
  state: 'shown' | 'masked' | 'unreadable' | 'too-large'
  /** Only when `shown`; references that cannot be resolved stand in it as they were typed. */
  value: string | null
  /** Whether there is any reference in the value as typed. */
  hasReferences: boolean
  problems: ReferenceProblem[]
}

export interface Suggestion {
  /** What goes between `${` and `}`. */
  insert: string
  /** Slug of the environment it is in; null: the same one. */
  environment: string | null
  /** null: the server never said. */
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
  /** Minutes without anything asked or done after which keys are locked; 0: never. Keys of this session only are never locked by time. */
  lockAfterMinutes: number
  /** Seconds after which a copied value is taken off the clipboard; 0: never. */
  clipboardClearSeconds: number
  /** Seconds between two syncs when nothing waits to be sent. */
  syncIntervalSeconds: number
}
