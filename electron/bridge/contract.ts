import { z } from 'zod'
import { labelLimit, nameLimit, noteLimit, valueLimit } from '../../service/protocol/limits.ts'
import type {
  AppStatus,
  ChangedVariables,
  CompareGrid,
  CompareRow,
  ConflictRow,
  DeletedRow,
  EditedVariable,
  EnvironmentRow,
  TrackedNames,
  FoundName,
  FoundWorkspace,
  HistoryRow,
  UnverifiedRow,
  UnverifiedValues,
  ExportedText,
  ImportPreview,
  ImportProgress,
  InterruptedNote,
  MemberList,
  MissingVariables,
  Page,
  ProjectRow,
  QueuedField,
  QueueRow,
  RangeRow,
  ReferenceFlag,
  RefusedName,
  RepairNoteRow,
  RepairRow,
  RestartNote,
  RestoreRow,
  ResolvedValue,
  RoleList,
  RollbackPreview,
  SettingsRow,
  ShownValue,
  Suggestion,
  SyncStatus,
  SystemAuthenticationRow,
  VariableRow,
  VersionDetail,
  VersionList,
  VersionValues,
  WorkspaceRow,
} from './rows.ts'

/**
 * The whole contract between application and page. A name that is not a key here does not exist;
 * arguments are parsed with these schemas before any handler sees them.
 */

/** What a live query may read, and what a `changed` push names. */
export type Table =
  | 'app'
  | 'settings'
  | 'workspaces'
  | 'projects'
  | 'environments'
  | 'variables'
  | 'versions'
  | 'members'
  | 'queue'
  | 'sync'
  | 'imports'
  /** The drafts that `drafts.take` can give: a page was closed. */
  | 'drafts'

/** A text from the page. Its length is limited, so that no argument can exhaust the application's memory. */
const text = (max: number) => z.string().max(max)
const id = text(64).min(1)
/** The id of a page. */
export const pageName = z.string().regex(/^[\w-]{1,64}$/)
/** Where a draft is kept: its place, and what tells it from the others there, with slashes between. */
const draftId = text(128).min(1)
/**
 * Names are limited in code points, and each takes one or two UTF-16 units. Longer names reach the rules of names, which tell the user in
 * words.
 */
const name = text(2 * nameLimit)
/** Plaintext of one value. Longer ones reach the rule of values, which tells the user in words. */
const value = text(8 * valueLimit)
const type = z.enum(['string', 'number', 'boolean'])
/** Text to import. The page refuses larger files with the same limit. */
export const importLimitBytes = 5 * 1024 * 1024
/** The most entries of one import. */
export const importEntryLimit = 100_000
const secretText = text(4096)

const inWorkspace = { workspaceId: id }
/**
 * The `rev` of the answer that the user saw when deciding. What others changed since is never overwritten: the application merges, or asks.
 */
const seen = z.int().min(0)
/** The `at` of the note on the screen. If the service was restored again since, the command fails as `outdated` and does nothing. */
const noted = { at: z.iso.datetime() }
/** The most rows of one command. */
export const rowLimit = 10_000
/** Rows of a list, each with the `rev` at which it was last shown. */
const seenRows = z
  .array(z.strictObject({ id, seen }))
  .min(1)
  .refine((rows) => rows.length <= rowLimit, `Select up to ${rowLimit.toLocaleString('en-US')} variables at a time.`)

/** The arguments that preview and apply of an import share. With the same arguments, both do the same. */
const importArgs = {
  ...inWorkspace,
  environmentId: id,
  text: z.string(),
  /** `auto` (the default) finds the format from the text. */
  format: z.enum(['auto', 'env', 'json', 'yaml']).optional(),
  /** `merge` (the default) removes nothing. `replace` removes the variables whose names are not in the text. */
  mode: z.enum(['merge', 'replace']).optional(),
  /** The names for which the user set "secret". For other names it is guessed, or stays as it is. */
  secretNames: z
    .array(z.strictObject({ name: text(1024), isSecret: z.boolean() }))
    .max(importEntryLimit)
    .optional(),
  /** Names that `replace` does not remove even if they are not in the text: those that `text.read` refused. */
  keepNames: z.array(text(1024)).max(importEntryLimit).optional(),
  /** An id that the page makes up, to ask for the progress and to cancel. */
  token: id.optional(),
}

/** Which variables of an environment, and in what order. */
const windowArgs = {
  ...inWorkspace,
  environmentId: id,
  filter: text(255),
  /** secret, desc: secrets first. updated: by the service's time, unsent rows as the newest. sync, desc: rows that need attention first. */
  sort: z.strictObject({ by: z.enum(['name', 'type', 'secret', 'updated', 'sync']), dir: z.enum(['asc', 'desc']) }).optional(),
  types: z
    .array(z.enum(['string', 'number', 'boolean', 'unknown']))
    .max(4)
    .optional(),
  /** true includes variables of which the service never said whether they are secret: they are masked as secrets are. */
  secret: z.boolean().optional(),
  sync: z
    .array(z.enum(['synced', 'queued', 'sending', 'blocked', 'conflict', 'failed']))
    .max(6)
    .optional(),
}
/** The row with this id or, if it is null or no longer in the list, the row at this index. */
const rangeEnd = z.strictObject({ id: id.nullable(), index: z.int().min(0) })

export const queryArgs = {
  'app.status': z.strictObject({}),
  'workspaces.list': z.strictObject({}),
  'projects.list': z.strictObject({ ...inWorkspace }),
  'environments.list': z.strictObject({ ...inWorkspace }),
  /**
   * `filter` matches any part of a name, case-insensitively. Sorted by name unless `sort` says otherwise; equals by name. An empty
   * list filters nothing.
   */
  'variables.page': z.strictObject({ ...windowArgs, offset: z.int().min(0), limit: z.int().min(1).max(500) }),
  /** The index of a variable among the rows of `variables.page` for the same arguments, from 0; null if it is not among them. */
  'variables.position': z.strictObject({ ...windowArgs, id }),
  /**
   * The rows of `variables.page` from one end to the other, in either direction, both included; null: all. They are of one state, unlike
   * pages read one after the other.
   */
  'variables.range': z.strictObject({ ...windowArgs, ends: z.tuple([rangeEnd, rangeEnd]).nullable() }),
  /** Values of the rows on screen. Secrets (and unknown ones) come only with `reveal`. */
  'variables.values': z.strictObject({ ...inWorkspace, ids: z.array(id).max(500), reveal: z.boolean() }),
  /** A variable as it is now, with its value, to edit it; null if it does not exist any more. */
  'variables.show': z.strictObject({ ...inWorkspace, id, reveal: z.boolean() }),
  /**
   * What others changed in variables since a screen showed them, to ask before overwriting or deleting: in an environment since its
   * revision `since`, or only in `rows`.
   */
  'variables.changed': z.strictObject({
    ...inWorkspace,
    of: z.union([z.strictObject({ environmentId: id, since: seen }), z.strictObject({ rows: seenRows })]),
    reveal: z.boolean(),
  }),
  /** The variable of the environment with exactly this name, other than `exceptId`; null if the name is free. */
  'variables.is-taken': z.strictObject({ ...inWorkspace, environmentId: id, name, exceptId: id.nullable() }),
  /**
   * The variables of a project, compared between its environments, by name. differences: variables that are not known to be the same
   * everywhere, or are missing somewhere. missing: variables that are missing somewhere.
   */
  'compare.page': z.strictObject({
    ...inWorkspace,
    projectId: id,
    /** Only these environments, in this order. Names that none of them has are left out. Default: all. */
    environmentIds: z.array(id).max(500).optional(),
    /** The positions of the environments whose cells each row has. Default: all. */
    columns: z.strictObject({ offset: z.int().min(0), limit: z.int().min(1).max(500) }).optional(),
    filter: text(255),
    only: z.enum(['all', 'differences', 'missing']),
    offset: z.int().min(0),
    limit: z.int().min(1).max(200),
  }),
  /** One name of a comparison, with all its environments; null if none of them has it. */
  'compare.row': z.strictObject({ ...inWorkspace, projectId: id, environmentIds: z.array(id).max(500).optional(), name }),
  /**
   * The variables that an environment is missing and others of its project have, from one source: the environment `from`, or the one that
   * has most of them.
   */
  'compare.missing': z.strictObject({ ...inWorkspace, environmentId: id, from: id.nullable() }),
  /**
   * Names of workspaces, and of everything in them, that contain the characters of `text` in order; the best first. An empty text finds
   * nothing, but prepares the search for the first key.
   */
  'find.search': z.strictObject({ text: text(255), limit: z.int().min(1).max(50) }),
  'sync.status': z.strictObject({ ...inWorkspace }),
  'queue.list': z.strictObject({ ...inWorkspace }),
  /** What an unsent change does to the fields of its row. Secrets (and unknown ones) come only with `reveal`. */
  'queue.show': z.strictObject({ ...inWorkspace, changeId: id, reveal: z.boolean() }),
  'conflicts.show': z.strictObject({ ...inWorkspace, changeId: id, reveal: z.boolean() }),
  'import.preview': z.strictObject(importArgs),
  /** The progress of a preview or an import; null if none with this token is under way. */
  'import.progress': z.strictObject({ token: id }),
  /** What became of an import in the middle of which Holdfast was killed, until the user dismisses it; null if there is none. */
  'import.interrupted': z.strictObject({ ...inWorkspace }),
  /** The text of a file to save or copy. Without `reveal`, secrets (and unknown ones) are dots. `resolve` replaces references by values. */
  'export.text': z.strictObject({
    ...inWorkspace,
    environmentId: id,
    format: z.enum(['env', 'json', 'yaml', 'shell', 'docker', 'kubernetes']),
    reveal: z.boolean(),
    resolve: z.boolean(),
    names: z.array(name).max(importEntryLimit).optional(),
  }),
  /** A whole environment as .env, with all values, to edit as text. `import.apply` with `mode: 'replace'` and `keepNames` saves it. */
  'text.read': z.strictObject({ ...inWorkspace, environmentId: id }),
  /** The value of a variable with its references resolved. */
  'references.resolve': z.strictObject({ ...inWorkspace, id, reveal: z.boolean() }),
  /** Resolves `text` as if it were the value of that variable (null: of a new variable). The text itself does not count as a secret. */
  'references.preview': z.strictObject({ ...inWorkspace, environmentId: id, id: id.nullable(), text: value, reveal: z.boolean() }),
  /** What the user may mean, after typing `${` and then `text`. */
  'references.suggest': z.strictObject({ ...inWorkspace, environmentId: id, text: text(512) }),
  /** The variables of an environment whose references cannot all be resolved. */
  'references.problems': z.strictObject({ ...inWorkspace, environmentId: id }),
  /** The variables of the project that refer to a renamed variable by its former name, if no variable has that name now. */
  'references.outdated': z.strictObject({ ...inWorkspace, renamed: z.strictObject({ id, from: name }) }),
  /** What the user tracks by name, because the service lists nothing. */
  'tracked.list': z.strictObject({ ...inWorkspace }),
  'settings.get': z.strictObject({}),
  /** Versions, counts and checks, to send with a question. Contains no name, value, key or address. */
  'diagnostics.report': z.strictObject({}),
  /**
   * The unsent edits as a file. json: with sealed values, for `queue.apply`; also of locked and damaged workspaces. env: to read, with
   * values in plain text. `environmentId`: only the edits of an environment. `changeId`: only a change and the changes below its row.
   */
  'queue.export': z.strictObject({
    ...inWorkspace,
    format: z.enum(['json', 'env']),
    environmentId: id.optional(),
    changeId: id.optional(),
  }),
  /**
   * Values overwritten or deleted in the last 30 days, newest first, at most 500: of one variable, of an environment with its deleted
   * variables, or of the whole workspace.
   */
  'history.list': z.strictObject({ ...inWorkspace, environmentId: id.nullable(), variableId: id.nullable() }),
  /** Values of history entries. Secrets (and unknown ones) come only with `reveal`. */
  'history.values': z.strictObject({ ...inWorkspace, entries: z.array(z.int()).max(500), reveal: z.boolean() }),
  /** Variables whose value is Unverified, by environment and name, the first 2,000; `total` counts all. */
  'unverified.list': z.strictObject({ ...inWorkspace }),
  /** The two values of one Unverified variable, in plain, after the user chose to reveal them. */
  'unverified.show': z.strictObject({ ...inWorkspace, id }),
  /** The note of what changed here because the service went back to a backup, until the user has read it; null if there is none. */
  'restart.note': z.strictObject({ ...inWorkspace }),
  /**
   * Projects and environments that can be restored, last deleted first. They are those that the service lists now, of the last 30 days
   * (fails if the service can't be reached), and others of the last 90 days that this computer keeps.
   */
  'deleted.list': z.strictObject({ ...inWorkspace }),
  /** What a repair of a damaged workspace would save. Changes nothing. Fails as `not-found` if nothing is damaged. */
  'repair.preview': z.strictObject({ ...inWorkspace }),
  /** The result of the last repair, until the user dismisses it; null if there is none. */
  'repair.note': z.strictObject({ ...inWorkspace }),
  /** What undo and redo would do now, in the words of a menu: "Delete 3 variables"; null if there is nothing to undo or redo. */
  'undo.status': z.strictObject({ ...inWorkspace }),
  /** The versions of an environment, and its unsent snapshots and rollbacks. */
  'versions.list': z.strictObject({ ...inWorkspace, environmentId: id }),
  /**
   * The variables of a version, compared with the environment as it is now, by name. `filter` matches any part of a name,
   * case-insensitively. Fails as `not-found` if the version's variables are not on this computer: `versions.fetch` fetches them.
   */
  'versions.show': z.strictObject({
    ...inWorkspace,
    versionId: id,
    filter: text(255),
    only: z.enum(['all', 'differences']),
    offset: z.int().min(0),
    limit: z.int().min(1).max(500),
  }),
  /** Values of the variables on screen, in the version and now. Secrets (and unknown ones) come only with `reveal`. */
  'versions.values': z.strictObject({ ...inWorkspace, versionId: id, names: z.array(name).max(500), reveal: z.boolean() }),
  /**
   * What a rollback to a version would do, computed on this computer with the unsent changes. Fails as `not-found` as `versions.show` does.
   */
  'versions.preview-rollback': z.strictObject({ ...inWorkspace, versionId: id }),
  'members.list': z.strictObject({ ...inWorkspace }),
  'roles.list': z.strictObject({ ...inWorkspace }),
  /** The workspace key as text, to write down; the page shows it only on request. */
  'keys.recovery': z.strictObject({ ...inWorkspace }),
  /** Whether the system can authenticate the user. Slow on Windows. */
  'keys.system-authentication': z.strictObject({}),
} as const

export const commandArgs = {
  'app.remember-place': z.strictObject({ workspaceId: id, environmentId: id.nullable() }),
  /** Chooses where keys are kept, at the first start. A vault needs `passphrase`. */
  'keys.choose': z.strictObject({ store: z.enum(['os', 'vault', 'session']), passphrase: secretText.optional() }),
  /** Opens the vault, or asks the OS keychain again. */
  'keys.unlock': z.strictObject({ passphrase: secretText.optional(), pin: secretText.optional() }),
  /** Sets the PIN that unlocks keys in the system's keychain; null removes it. If a PIN is set, `current` is needed. */
  'keys.set-pin': z.strictObject({ pin: secretText.nullable(), current: secretText.optional() }),
  /** Turns the system's authentication at an unlock on or off. Asks for it first, and waits for the user. */
  'keys.use-system': z.strictObject({ on: z.boolean() }),
  /**
   * Asks the user where to save, and writes a file that only the user can read. Fails as `unsupported` if the application has no window, as
   * in a browser.
   */
  'file.save': z.strictObject({ name: text(255), text: text(64 * 1024 * 1024) }),
  /**
   * Keeps the unsaved input of a page in an environment, in the comparison of a project, or in the forms of the workspace: the place is the id of
   * one of them, a slash, and the id of the page. It is kept sealed, through a lock and a restart of Holdfast. null deletes it. Deletes the
   * `adopted` drafts, which this one includes, in the same step.
   */
  'drafts.keep': z.strictObject({
    ...inWorkspace,
    placeId: draftId,
    draft: text(16 * 1024 * 1024).nullable(),
    adopted: z.array(draftId).max(10_000).optional(),
  }),
  /**
   * Returns the drafts of a page and those of pages that are no longer open, which become drafts of this page: `place/page/…`. Fails, if there
   * are any, while the workspace key can't be read (`keys-locked`, `keychain-cancelled`, ...).
   */
  'drafts.take': z.strictObject({ ...inWorkspace, page: pageName }),
  /** Changes the vault's passphrase. */
  'keys.change-passphrase': z.strictObject({ current: secretText, next: secretText }),
  'keys.lock': z.strictObject({}),

  'workspaces.look-around': z.strictObject({}),
  'workspaces.start-local': z.strictObject({ name: name.optional() }),
  /** Asks the service for its workspace. Saves nothing. */
  'workspaces.probe': z.strictObject({ baseUrl: text(2048), apiKey: secretText, allowInsecure: z.boolean() }),
  'workspaces.connect': z.strictObject({
    baseUrl: text(2048),
    apiKey: secretText,
    allowInsecure: z.boolean(),
    /** null generates a key, for a workspace that has no value yet. */
    workspaceKey: secretText.nullable(),
    /** The user's word that no value is sealed there yet, asked for when there is none to test the key on. */
    confirmNoValues: z.boolean(),
  }),
  /** Gives the workspace the address that its service has now. Fails as `wrong-workspace` if another workspace answers there. */
  'workspaces.move': z.strictObject({ ...inWorkspace, baseUrl: text(2048), apiKey: secretText, allowInsecure: z.boolean() }),
  /** Gives the workspace the keys that `WorkspaceRow.needs` names. */
  'workspaces.supply-keys': z.strictObject({
    ...inWorkspace,
    apiKey: secretText.optional(),
    workspaceKey: secretText.optional(),
    /** The user's word that no value is sealed there yet, asked for when there is none to test the key on. */
    confirmNoValues: z.boolean().optional(),
  }),
  /** Renames the workspace on the service, for everyone. If the service can't, only on this computer. Fails as the service fails. */
  'workspaces.rename': z.strictObject({ ...inWorkspace, name }),
  /** Forgets a workspace on this computer. If it has unsent edits, fails as `unsent-edits`, unless `discardUnsent` is set. */
  'workspaces.remove': z.strictObject({ ...inWorkspace, discardUnsent: z.boolean() }),

  'projects.create': z.strictObject({ ...inWorkspace, name, slug: name.optional() }),
  'projects.update': z.strictObject({ ...inWorkspace, id, seen, name: name.optional(), slug: name.optional() }),
  /** Deletes the project and everything in it. Fails as `outdated` if others changed or added something in it since. */
  'projects.delete': z.strictObject({ ...inWorkspace, id, seen }),
  /** Creates a project with environments and variables to try things on, as one edit. Returns its first environment. */
  'projects.add-sample': z.strictObject({ ...inWorkspace }),
  'environments.create': z.strictObject({ ...inWorkspace, projectId: id, name, slug: name.optional() }),
  'environments.update': z.strictObject({ ...inWorkspace, id, seen, name: name.optional(), slug: name.optional() }),
  /** As `projects.delete`. */
  'environments.delete': z.strictObject({ ...inWorkspace, id, seen }),
  /** `isSecret`: null to guess it from the name. Returns what it is then. */
  'variables.create': z.strictObject({ ...inWorkspace, environmentId: id, name, value, type, isSecret: z.boolean().nullable() }),
  /** A field that is as the user saw it does not count as changed. If others deleted the variable since, the edit is kept as a conflict. */
  'variables.update': z.strictObject({
    ...inWorkspace,
    id,
    seen,
    name: name.optional(),
    value: value.optional(),
    type: type.optional(),
    isSecret: z.boolean().optional(),
  }),
  /**
   * Renames the references to a variable in the values of these others, of any environment of its project. If the renaming was the last
   * edit, both become one step of undo.
   */
  'references.rename': z.strictObject({ ...inWorkspace, renamed: z.strictObject({ id, from: name }), ids: z.array(id).min(1).max(10_000) }),
  'variables.delete': z.strictObject({ ...inWorkspace, rows: seenRows }),
  /** Sets type or secrecy of many variables. Deleted ones are left out. */
  'variables.update-many': z.strictObject({
    ...inWorkspace,
    rows: seenRows,
    type: type.optional(),
    isSecret: z.boolean().optional(),
  }),
  /** Copies values, types and secrecy into another environment of the workspace. `move` also deletes the originals of the copies. */
  'variables.copy-to': z.strictObject({
    ...inWorkspace,
    rows: seenRows,
    environmentId: id,
    /** The variables of the target, as seen, for `overwrite`. */
    seen,
    onTaken: z.enum(['skip', 'overwrite']),
    move: z.boolean(),
  }),
  /** Makes a copy of the variable in its environment, named NAME_COPY, NAME_COPY_2, ... */
  'variables.duplicate': z.strictObject({ ...inWorkspace, id, seen }),
  /**
   * Copies a variable's value, type and secrecy to other environments of the workspace, under the same name. Creates the variable where it
   * is missing.
   */
  'compare.copy': z.strictObject({
    ...inWorkspace,
    from: z.strictObject({ id, seen }),
    to: z
      .array(z.strictObject({ environmentId: id, seen }))
      .min(1)
      .max(200),
  }),
  /**
   * Applies the added, changed and removed lines that the user saw in the preview (or text) of that `rev`. `names`: only lines with these
   * names. If the import is cancelled, it takes back what it did.
   */
  'import.apply': z.strictObject({
    ...importArgs,
    seen,
    names: z.array(text(1024)).max(importEntryLimit).optional(),
    /** Removed variables that get the name and value of an added line instead, and so keep their history. `names` lists the new names. */
    renames: z
      .array(z.strictObject({ from: text(1024), to: text(1024) }))
      .max(importEntryLimit)
      .optional(),
    /** The user edited the environment as text, and knows of no import. */
    asText: z.boolean().optional(),
  }),
  /** Ends the preview or import with that token, which then fails as `cancelled`. */
  'import.cancel': z.strictObject({ token: id }),
  'import.dismiss': z.strictObject({ ...inWorkspace }),

  /** Changes the settings that are given. They take effect at once. */
  'settings.set': z.strictObject({
    theme: z.enum(['system', 'light', 'dark']).optional(),
    hideFromCapture: z.boolean().optional(),
    maskAll: z.boolean().optional(),
    lockAfterMinutes: z.int().min(0).max(1440).optional(),
    clipboardClearSeconds: z.int().min(0).max(3600).optional(),
    syncIntervalSeconds: z.int().min(5).max(3600).optional(),
    tourSeen: z.boolean().optional(),
  }),
  /**
   * Puts a value on the clipboard, marked so that clipboard histories leave it out, and removes it after so many seconds if it is still
   * there; 0: never. If `copied` is false, the page has to do both.
   */
  'clipboard.copy': z.strictObject({ text: text(64 * 1024 * 1024), seconds: z.int().min(0).max(3600) }),
  /**
   * Removes a value that the page put on the clipboard after so many seconds, if it is still there. `digest`: SHA-256 in hex of the text in
   * UTF-8, with LF as line ends. If `held` is false, the page has to remove it.
   */
  'clipboard.hold': z.strictObject({ digest: z.string().regex(/^[0-9a-f]{64}$/), seconds: z.int().min(1).max(3600) }),
  /** Removes a value of `held` from the clipboard now. */
  'clipboard.release': z.strictObject({}),
  /** Restarts the lock timer: the user did something in the window. Nothing else that the page asks or does restarts it. */
  'app.stay-unlocked': z.strictObject({}),
  /** Shows the data folder in the file manager. Fails as `not-found` if no file manager opens it. */
  'app.open-folder': z.strictObject({}),

  /**
   * Undoes or redoes the last edit. An unsent change is withdrawn, a sent one is reversed by a new change. If others have changed a row
   * since, it fails and changes nothing; the next undo then skips that step. `step`: only if this step is the next one; otherwise `not-found`.
   */
  'undo.undo': z.strictObject({ ...inWorkspace, step: id.optional() }),
  'undo.redo': z.strictObject({ ...inWorkspace, step: id.optional() }),

  /**
   * Queues a snapshot of an environment: everything queued before it is sent first, everything after it waits. Without `label` the
   * service gives it the next `v<number>`. Discarded like any change, with `queue.discard`.
   */
  'versions.create': z.strictObject({
    ...inWorkspace,
    environmentId: id,
    label: text(2 * labelLimit).optional(),
    note: text(2 * noteLimit).optional(),
  }),
  /**
   * Queues a rollback to a version that the service has. It keeps its place among the edits, as a snapshot does. The screens change only
   * when the rollback is done. `fingerprint`: that of the preview that the user agreed to. If the preview is different now, it fails as
   * `invalid-input`, field `fingerprint`.
   */
  'versions.rollback': z.strictObject({ ...inWorkspace, versionId: id, fingerprint: text(128) }),
  /** Fetches the variables of a listed version to this computer; does nothing when they are here. Fails as the service fails. */
  'versions.fetch': z.strictObject({ ...inWorkspace, versionId: id }),
  /** Fetches a version of this environment by the service's id, for services that list none. */
  'versions.mirror': z.strictObject({ ...inWorkspace, environmentId: id, remoteId: text(255).min(1) }),
  /** Queues an invitation. `roleId` as the service names it. An e-mail that is a member or invited already fails as `name-taken`. */
  'members.invite': z.strictObject({ ...inWorkspace, email: text(320), roleId: text(255) }),
  /** `seen`: the role that the screen showed. If others have changed the role since, the change becomes a conflict. */
  'members.set-role': z.strictObject({ ...inWorkspace, id, seen: text(255), roleId: text(255) }),
  /** Queues a removal. An unsent invitation is withdrawn. If the service lists no members, `id` may be the service's id of a member. */
  'members.remove': z.strictObject({ ...inWorkspace, id: text(255).min(1) }),
  /**
   * Tracks a project by its slug, an environment in it, and variables in that. `names`: a list of words, or a .env, of which only the names
   * are used. Names that the rules forbid are returned in `refused`; the other names are tracked.
   */
  'tracked.add': z.strictObject({ ...inWorkspace, project: text(255), environment: text(255).nullable(), names: text(1_000_000) }),
  /**
   * Stops tracking these rows and the rows in them: they are deleted on this computer and stay on the service. If there are unsent edits,
   * it fails as `unsent-edits` and does nothing.
   */
  'tracked.remove': z.strictObject({ ...inWorkspace, ids: z.array(id).min(1).max(10_000) }),

  /**
   * Copies a damaged database aside, saves what can be read of it into a new one, and opens that. Errors: `not-found` where nothing is
   * damaged, those of the disk.
   */
  'repair.run': z.strictObject({ ...inWorkspace }),
  'repair.dismiss': z.strictObject({ ...inWorkspace }),
  /**
   * Replaces the damaged database of a local workspace's service by its newest whole backup, and adds everything that this computer has
   * seen since. Unsent edits stay queued. Errors: `not-found` where nothing is damaged, those of the disk.
   */
  'repair.restore-service': z.strictObject({ ...inWorkspace }),

  /** Pauses or continues sync. A pause lasts through a restart. `sync.now` syncs once even during a pause. */
  'sync.pause': z.strictObject({ ...inWorkspace, paused: z.boolean() }),
  /** Makes the edits of a `queue.export` file again, as new edits and one step of undo. Returns those that can't be applied. */
  'queue.apply': z.strictObject({ ...inWorkspace, text: z.string(), seen }),
  /**
   * Restores an earlier value as a new edit; a deleted variable is created again. `variableId`: as in the list that showed the value. It is
   * restored in this variable, or if null in the environment where it was overwritten.
   */
  'history.restore': z.strictObject({ ...inWorkspace, entry: z.int(), variableId: id.nullable(), seen }),
  /**
   * Seals every value of an open workspace to its variable, as queued changes; from then on no other values are accepted. Fails where the
   * service has no change feed.
   */
  'unverified.bind': z.strictObject({ ...inWorkspace }),
  /**
   * Accepts Unverified values as the user's own: queued edits, sealed anew when they are sent. Those that changed since are skipped. One
   * step of undo.
   */
  'unverified.accept': z.strictObject({ ...inWorkspace, rows: seenRows }),
  /** Restores the last verified values of variables, as queued edits. Those that changed since are skipped. One step of undo. */
  'unverified.restore': z.strictObject({ ...inWorkspace, rows: seenRows }),
  /**
   * Restores a deleted project or environment with everything that was in it, under its old slug or `slug`. The service restores it, or
   * else it is queued again with what this computer had of it. Errors: `taken` if another one has that slug now, `not-found` if it was
   * restored already or its 30 days are over.
   */
  'deleted.restore': z.strictObject({ ...inWorkspace, id: name, from: z.enum(['service', 'mirror']), slug: name.optional() }),
  /**
   * Queues what this computer had before the service went back to a backup, for every row that was not changed since. Rows that were added
   * stay. Dismisses the note. One step of undo.
   */
  'restart.resend': z.strictObject({ ...inWorkspace, ...noted }),
  /** Dismisses the note and keeps what the service has now. */
  'restart.dismiss': z.strictObject({ ...inWorkspace, ...noted }),
  /** `isAsked` false: no user asked for it, so a service that asked for no requests until later is left alone. */
  'sync.now': z.strictObject({ ...inWorkspace, isAsked: z.boolean().optional() }),
  /** Without `changeId`: all rejected changes. */
  'queue.retry': z.strictObject({ ...inWorkspace, changeId: id.optional() }),
  /** Drops an unsent change and the changes that depend on it. The row then shows what the service has. */
  'queue.discard': z.strictObject({ ...inWorkspace, changeId: id }),
  /** `fingerprint`: that of `conflicts.show`. If the conflict has changed since, it fails as `outdated` and does nothing. */
  'conflicts.resolve': z.strictObject({
    ...inWorkspace,
    changeId: id,
    fingerprint: text(128),
    choice: z.discriminatedUnion('take', [
      z.strictObject({ take: z.literal('mine') }),
      z.strictObject({ take: z.literal('theirs') }),
      /** What the user typed for the fields in conflict, instead of either side. */
      z.strictObject({
        take: z.literal('edit'),
        fields: z.strictObject({
          name: name.optional(),
          slug: name.optional(),
          value: value.optional(),
          type: type.optional(),
          isSecret: z.boolean().optional(),
        }),
      }),
    ]),
  }),
} as const

type QueryValue = {
  'app.status': AppStatus
  'workspaces.list': WorkspaceRow[]
  'projects.list': ProjectRow[]
  'environments.list': EnvironmentRow[]
  'variables.page': Page<VariableRow>
  'variables.position': number | null
  'variables.range': RangeRow[]
  'variables.values': ShownValue[]
  'variables.show': EditedVariable | null
  'variables.changed': ChangedVariables
  'variables.is-taken': { by: string | null; looksSecret: boolean }
  'compare.page': CompareGrid
  'compare.row': CompareRow | null
  'compare.missing': MissingVariables
  'find.search': FoundName[]
  'sync.status': SyncStatus
  'queue.list': QueueRow[]
  'queue.show': QueuedField[]
  'conflicts.show': ConflictRow
  'import.preview': ImportPreview
  'import.progress': ImportProgress | null
  'import.interrupted': InterruptedNote | null
  'export.text': ExportedText
  'text.read': { text: string; refused: RefusedName[]; rev: number }
  'references.resolve': ResolvedValue
  'references.preview': ResolvedValue
  'references.suggest': Suggestion[]
  'references.problems': ReferenceFlag[]
  'references.outdated': { id: string; environmentId: string }[]
  'tracked.list': TrackedNames
  'settings.get': SettingsRow
  'diagnostics.report': { text: string }
  'queue.export': ExportedText & { edits: number }
  'history.list': HistoryRow[]
  'history.values': { entry: number; state: ShownValue['state']; value: string | null }[]
  'unverified.list': { total: number; rows: UnverifiedRow[] }
  'unverified.show': UnverifiedValues
  'restart.note': RestartNote | null
  'deleted.list': DeletedRow[]
  'repair.preview': RepairRow
  'repair.note': RepairNoteRow | null
  'undo.status': { undo: string | null; redo: string | null; steps: { undo: string | null; redo: string | null } }
  'versions.list': VersionList
  'versions.show': VersionDetail
  'versions.values': VersionValues[]
  'versions.preview-rollback': RollbackPreview
  'members.list': MemberList
  'roles.list': RoleList
  'keys.recovery': { recoveryKey: string }
  /** null if this system can't authenticate the user. */
  'keys.system-authentication': SystemAuthenticationRow | null
}

type CommandValue = {
  'app.remember-place': null
  'keys.choose': null
  'keys.unlock': null
  'keys.set-pin': null
  'keys.use-system': null
  'keys.change-passphrase': null
  'file.save': { saved: boolean }
  'drafts.keep': null
  'drafts.take': { placeId: string; draft: string }[]
  'keys.lock': null
  'workspaces.look-around': { workspaceId: string }
  /** `recoveryKey` is null if the keys are kept after the session. */
  'workspaces.start-local': { workspaceId: string; recoveryKey: string | null }
  'workspaces.probe': FoundWorkspace
  /** `recoveryKey` is set when it was generated. */
  'workspaces.connect': { workspaceId: string; recoveryKey: string | null }
  'workspaces.move': null
  /** `isSameKey`: the workspace already used this workspace key. */
  'workspaces.supply-keys': { isSameKey: boolean }
  'workspaces.rename': { where: 'service' | 'computer' }
  'workspaces.remove': null
  'projects.create': { id: string }
  'projects.update': null
  'projects.delete': null
  'projects.add-sample': { environmentId: string }
  'environments.create': { id: string }
  'environments.update': null
  'environments.delete': null
  'variables.create': { id: string; isSecret: boolean }
  'variables.update': null
  /** The names of the variables that were changed. A variable that refers to the renamed one only through others is not changed. */
  'references.rename': { names: string[] }
  /** `gone`: how many no longer existed. */
  'variables.delete': { gone: number }
  /** `gone`: how many no longer existed. */
  'variables.update-many': { gone: number }
  'variables.copy-to': { copied: number; skipped: number; overwritten: number }
  'variables.duplicate': { id: string }
  'compare.copy': { copied: number; overwritten: number }
  'import.apply': { added: number; changed: number; renamed: number; unchanged: number; removed: number }
  'import.cancel': null
  'import.dismiss': null
  'settings.set': null
  'clipboard.copy': { copied: boolean }
  'clipboard.hold': { held: boolean }
  'clipboard.release': null
  'app.stay-unlocked': null
  'app.open-folder': null
  /** `notice`: in words, what did not come back, and where it is. */
  /** `isIdle`: nothing was changed, because every row of the step was in that state already. */
  /** `environment`: that of all its rows, if they are variables of one. */
  'undo.undo': { label: string; notice?: string; isIdle?: boolean; place?: { id: string; path: string } }
  'undo.redo': { label: string; isIdle?: boolean; place?: { id: string; path: string } }
  'versions.create': { id: string }
  'versions.rollback': { changeId: string }
  'versions.fetch': null
  'versions.mirror': { id: string }
  'members.invite': { id: string }
  'members.set-role': null
  'members.remove': null
  'tracked.add': { added: number; already: number; refused: RefusedName[] }
  'tracked.remove': null
  'repair.run': RepairNoteRow
  'repair.dismiss': null
  'repair.restore-service': RestoreRow
  'sync.pause': null
  'queue.apply': { applied: number; skipped: RefusedName[] }
  'history.restore': { id: string }
  'unverified.bind': null
  'unverified.accept': { decided: number; skipped: number }
  'unverified.restore': { decided: number; skipped: number }
  'deleted.restore': { environmentId: string | null }
  /** `inPart`: rows whose name or place is taken, and that get all else. */
  'restart.resend': { sent: number; inPart: number; skipped: number }
  'restart.dismiss': { accepted: number }
  'sync.now': null
  'queue.retry': null
  'queue.discard': null
  /** `restored`: the service restored a deleted project or environment as it was. */
  'conflicts.resolve': { restored: boolean }
}

export type QueryName = keyof typeof queryArgs
export type CommandName = keyof typeof commandArgs

/** What each query takes and gives. */
export type Queries = { [N in QueryName]: { args: z.infer<(typeof queryArgs)[N]>; value: QueryValue[N] } }
/** What each command takes and gives. */
export type Commands = { [N in CommandName]: { args: z.infer<(typeof commandArgs)[N]>; value: CommandValue[N] } }

/** What the application sends to the page without being asked. */
export type Push =
  /** Rows in these tables may have changed; `workspaceId` null means all. */
  { push: 'changed'; workspaceId: string | null; tables: Table[] }
