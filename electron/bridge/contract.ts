import { z } from 'zod'
import { labelLimit, nameLimit, noteLimit } from '../../service/protocol/limits.ts'
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
  MemberList,
  Page,
  ProjectRow,
  QueuedField,
  QueueRow,
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
  'app' | 'settings' | 'workspaces' | 'projects' | 'environments' | 'variables' | 'versions' | 'members' | 'queue' | 'sync' | 'imports'

/** A text from the page: bounded, so that no argument can exhaust the application. */
const text = (max: number) => z.string().max(max)
const id = text(64).min(1)
/** Names are limited in code points, of which each takes one or two units here: the rules of names say in words when one is too long. */
const name = text(2 * nameLimit)
/** Plaintext of one value; sealed values are limited to 4 MiB on the wire. */
const value = text(3_000_000)
const type = z.enum(['string', 'number', 'boolean'])
/** Import text; larger files are refused by the page with the same limit. */
export const importLimitBytes = 5 * 1024 * 1024
/** Entries that one import takes. */
export const importEntryLimit = 100_000
const secretText = text(4096)

const inWorkspace = { workspaceId: id }
/**
 * The `rev` of what its user decided on, as the answer on the screen gave it. What others changed since is never overwritten: the application
 * merges, or asks.
 */
const seen = z.int().min(0)
/** The `at` of the note that was on the screen: fails as `outdated`, and does nothing, when the service has gone back again since. */
const noted = { at: z.iso.datetime() }
/** Rows of a list, each as it was last shown. */
const seenRows = z.array(z.strictObject({ id, seen })).min(1).max(10_000)

/** What preview and apply of an import have in common: given the same, they cannot disagree. */
const importArgs = {
  ...inWorkspace,
  environmentId: id,
  text: z.string(),
  /** `auto`, also when left out: told from the text. */
  format: z.enum(['auto', 'env', 'json', 'yaml']).optional(),
  /** `merge`, also when left out, removes nothing; `replace` removes the variables whose names are not in the text. */
  mode: z.enum(['merge', 'replace']).optional(),
  /** Where the user set "secret" himself; the other names are guessed, or stay as they are. */
  secretNames: z
    .array(z.strictObject({ name: text(1024), isSecret: z.boolean() }))
    .max(importEntryLimit)
    .optional(),
  /** Names that `replace` leaves alone though the text does not have them: those that `text.read` refused. */
  keepNames: z.array(text(1024)).max(importEntryLimit).optional(),
  /** An id the page makes up, to ask for the progress and to cancel by. */
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
  /** true also gives what the service never classed, which is masked like a secret. */
  secret: z.boolean().optional(),
  sync: z
    .array(z.enum(['synced', 'queued', 'sending', 'blocked', 'conflict', 'failed']))
    .max(6)
    .optional(),
}

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
  /** Where a variable stands among the rows that `variables.page` gives for the same arguments, from 0 on; null: not among them. */
  'variables.position': z.strictObject({ ...windowArgs, id }),
  /** Values of the rows on screen. Secrets (and unknown ones) come only with `reveal`. */
  'variables.values': z.strictObject({ ...inWorkspace, ids: z.array(id).max(500), reveal: z.boolean() }),
  /** A variable as it is now, with its value, for whoever edits it; null: it is not there any more. */
  'variables.show': z.strictObject({ ...inWorkspace, id, reveal: z.boolean() }),
  /**
   * What others made of variables since a screen showed them: of an environment since its revision `since`, or of `rows` alone. For whoever is
   * about to overwrite or delete them.
   */
  'variables.changed': z.strictObject({
    ...inWorkspace,
    of: z.union([z.strictObject({ environmentId: id, since: seen }), z.strictObject({ rows: seenRows })]),
    reveal: z.boolean(),
  }),
  /** The variable of the environment, other than `exceptId`, that has exactly this name; null: the name is free. */
  'variables.is-taken': z.strictObject({ ...inWorkspace, environmentId: id, name, exceptId: id.nullable() }),
  /**
   * The variables of a project side by side over its environments, by name. differences: not everywhere known to be the same, what is
   * missing somewhere included; missing: missing somewhere.
   */
  'compare.page': z.strictObject({
    ...inWorkspace,
    projectId: id,
    /** These alone, in this order, compared among themselves: names that none of them has are left out. All when left out. */
    environmentIds: z.array(id).max(500).optional(),
    /** Which environments' cells each row carries, by position; all when left out. */
    columns: z.strictObject({ offset: z.int().min(0), limit: z.int().min(1).max(500) }).optional(),
    filter: text(255),
    only: z.enum(['all', 'differences', 'missing']),
    offset: z.int().min(0),
    limit: z.int().min(1).max(200),
  }),
  /** One name of a comparison over all its environments; null: none of them has it. */
  'compare.row': z.strictObject({ ...inWorkspace, projectId: id, environmentIds: z.array(id).max(500).optional(), name }),
  /**
   * Names that hold the characters of `text` in order, best first: of workspaces, and of all in them. An empty text finds nothing and
   * makes ready for the first key.
   */
  'find.search': z.strictObject({ text: text(255), limit: z.int().min(1).max(50) }),
  'sync.status': z.strictObject({ ...inWorkspace }),
  'queue.list': z.strictObject({ ...inWorkspace }),
  /** What an unsent change does to the fields of its row. Secrets (and unknown ones) come only with `reveal`. */
  'queue.show': z.strictObject({ ...inWorkspace, changeId: id, reveal: z.boolean() }),
  'conflicts.show': z.strictObject({ ...inWorkspace, changeId: id, reveal: z.boolean() }),
  'import.preview': z.strictObject(importArgs),
  /** How far a preview or an import has come; null when none with this token is under way. */
  'import.progress': z.strictObject({ token: id }),
  /** The text of a file to save or copy. Without `reveal`, secrets and unknown ones are dots. `resolve` puts values in place of references. */
  'export.text': z.strictObject({
    ...inWorkspace,
    environmentId: id,
    format: z.enum(['env', 'json', 'yaml', 'shell', 'docker', 'kubernetes']),
    reveal: z.boolean(),
    resolve: z.boolean(),
    names: z.array(name).max(importEntryLimit).optional(),
  }),
  /** A whole environment as .env, values revealed, to edit as text; saved by `import.apply` with `mode: 'replace'` and `keepNames`. */
  'text.read': z.strictObject({ ...inWorkspace, environmentId: id }),
  /** The value of a variable with its references resolved. */
  'references.resolve': z.strictObject({ ...inWorkspace, id, reveal: z.boolean() }),
  /** What `text` would be, resolved, as the value of that variable (null: of one that is not there yet). The text itself is no secret here. */
  'references.preview': z.strictObject({ ...inWorkspace, environmentId: id, id: id.nullable(), text: value, reveal: z.boolean() }),
  /** What could stand after a `${` when `text` has been typed there. */
  'references.suggest': z.strictObject({ ...inWorkspace, environmentId: id, text: text(512) }),
  /** The variables of an environment whose references cannot all be resolved. */
  'references.problems': z.strictObject({ ...inWorkspace, environmentId: id }),
  /** What is read name by name, because the service lists nothing. */
  'tracked.list': z.strictObject({ ...inWorkspace }),
  'settings.get': z.strictObject({}),
  /** Versions, counts and checks to send along with a question: no name, value, key or address is in it. */
  'diagnostics.report': z.strictObject({}),
  /**
   * The unsent edits as a file. json: sealed as they are, to be applied again by `queue.apply`; also of locked and damaged workspaces.
   * env: to be read, values in plain text. `environmentId` narrows it to an environment and what is in it; `changeId` to a change and what
   * stands below its row.
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
  /** The two values of one of them, in plain: asked for when its user reveals them. */
  'unverified.show': z.strictObject({ ...inWorkspace, id }),
  /** What changed here because the service went back to a backup, until the user has read it; null: nothing did. */
  'restart.note': z.strictObject({ ...inWorkspace }),
  /**
   * Projects and environments that can be restored, last deleted first: those of the last 30 days as the service lists them now (fails while it
   * can't be reached), and of 90 days what this computer had of others.
   */
  'deleted.list': z.strictObject({ ...inWorkspace }),
  /** What a repair of a damaged workspace would save, worked out without changing anything. Fails as `not-found` where nothing is damaged. */
  'repair.preview': z.strictObject({ ...inWorkspace }),
  /** What came of the last repair, until the user has put it away; null when there is nothing to tell. */
  'repair.note': z.strictObject({ ...inWorkspace }),
  /** What undo and redo would do now, as a menu says it: "Delete 3 variables"; null where there is nothing. */
  'undo.status': z.strictObject({ ...inWorkspace }),
  /** The versions of an environment, with the snapshots and rollbacks that are not sent yet. */
  'versions.list': z.strictObject({ ...inWorkspace, environmentId: id }),
  /**
   * The variables of a version beside what the environment holds now, by name. `filter` matches any part of a name,
   * case-insensitively. `not-found` with a sentence while its variables are not on this computer: `versions.fetch` first.
   */
  'versions.show': z.strictObject({
    ...inWorkspace,
    versionId: id,
    filter: text(255),
    only: z.enum(['all', 'differences']),
    offset: z.int().min(0),
    limit: z.int().min(1).max(500),
  }),
  /** Values of the variables on screen, as saved and as they are now. What is secret now, or not known to be none, comes only with `reveal`. */
  'versions.values': z.strictObject({ ...inWorkspace, versionId: id, names: z.array(name).max(500), reveal: z.boolean() }),
  /** What a rollback to a version would do, worked out here from what is mirrored and unsent. `not-found` as in `versions.show`. */
  'versions.preview-rollback': z.strictObject({ ...inWorkspace, versionId: id }),
  'members.list': z.strictObject({ ...inWorkspace }),
  'roles.list': z.strictObject({ ...inWorkspace }),
  /** The workspace key as text, to write down; the page shows it only on request. */
  'keys.recovery': z.strictObject({ ...inWorkspace }),
  /** Asks the system: slow on Windows. */
  'keys.system-authentication': z.strictObject({}),
  /** The drafts kept by `drafts.keep`; none while keys are locked. */
  'drafts.read': z.strictObject({ ...inWorkspace }),
} as const

export const commandArgs = {
  'app.remember-place': z.strictObject({ workspaceId: id, environmentId: id.nullable() }),
  /** First choice of where keys live. `passphrase` is needed for a vault. */
  'keys.choose': z.strictObject({ store: z.enum(['os', 'vault', 'session']), passphrase: secretText.optional() }),
  /** Opens the vault, or asks the OS keychain again. */
  'keys.unlock': z.strictObject({ passphrase: secretText.optional(), pin: secretText.optional() }),
  /** Sets the PIN that unlocks keys kept in the system's keychain, or removes it (null). `current` is needed where one is set. */
  'keys.set-pin': z.strictObject({ pin: secretText.nullable(), current: secretText.optional() }),
  /** Begins or ends asking the system's authentication at an unlock; asks it first. Waits for the user. */
  'keys.use-system': z.strictObject({ on: z.boolean() }),
  /** Asks the user where, and writes a file that only they can read. `unsupported` where the application has no window, as in a browser. */
  'file.save': z.strictObject({ name: text(255), text: text(64 * 1024 * 1024) }),
  /**
   * Keeps what is typed and not saved in an environment, or in the comparison of a project, sealed, so that it outlives a lock and the end of
   * Holdfast; null: nothing is typed any more.
   */
  'drafts.keep': z.strictObject({ ...inWorkspace, placeId: id, draft: text(16 * 1024 * 1024).nullable() }),
  /** Seals the vault anew under another passphrase; copies under earlier ones are deleted. */
  'keys.change-passphrase': z.strictObject({ current: secretText, next: secretText }),
  'keys.lock': z.strictObject({}),

  'workspaces.look-around': z.strictObject({}),
  'workspaces.start-local': z.strictObject({ name: name.optional() }),
  /** Asks the service who it is, before anything is saved. */
  'workspaces.probe': z.strictObject({ baseUrl: text(2048), apiKey: secretText, allowInsecure: z.boolean() }),
  'workspaces.connect': z.strictObject({
    baseUrl: text(2048),
    apiKey: secretText,
    allowInsecure: z.boolean(),
    /** null: generate one, for a workspace that holds no value yet. */
    workspaceKey: secretText.nullable(),
    /** The user's word that no value is sealed there yet, asked for when there is none to test the key on. */
    confirmNoValues: z.boolean(),
  }),
  /** Supplies what `WorkspaceRow.needs` names. */
  'workspaces.supply-keys': z.strictObject({
    ...inWorkspace,
    apiKey: secretText.optional(),
    workspaceKey: secretText.optional(),
    /** The user's word that no value is sealed there yet, asked for when there is none to test the key on. */
    confirmNoValues: z.boolean().optional(),
  }),
  /** Renames it on the service, for everyone; where the service can't, on this computer alone. Fails as the service fails. */
  'workspaces.rename': z.strictObject({ ...inWorkspace, name }),
  /** Forgets a workspace on this computer. With unsent edits it fails as `unsent-edits` unless `discardUnsent`. */
  'workspaces.remove': z.strictObject({ ...inWorkspace, discardUnsent: z.boolean() }),

  'projects.create': z.strictObject({ ...inWorkspace, name, slug: name.optional() }),
  'projects.update': z.strictObject({ ...inWorkspace, id, seen, name: name.optional(), slug: name.optional() }),
  /** Deletes it and all in it. Fails as `outdated` where others changed or added something there since. */
  'projects.delete': z.strictObject({ ...inWorkspace, id, seen }),
  /** A project with environments and variables to try things on, as one edit; gives its first environment. */
  'projects.add-sample': z.strictObject({ ...inWorkspace }),
  'environments.create': z.strictObject({ ...inWorkspace, projectId: id, name, slug: name.optional() }),
  'environments.update': z.strictObject({ ...inWorkspace, id, seen, name: name.optional(), slug: name.optional() }),
  /** As `projects.delete`. */
  'environments.delete': z.strictObject({ ...inWorkspace, id, seen }),
  'variables.create': z.strictObject({ ...inWorkspace, environmentId: id, name, value, type, isSecret: z.boolean() }),
  /** What is as it was seen is no change. One that others deleted since is kept as a question, with what was typed. */
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
   * Renames the references to a variable in the values of these others. If the renaming was the last edit, both become one step of undo.
   */
  'references.rename': z.strictObject({ ...inWorkspace, renamed: z.strictObject({ id, from: name }), ids: z.array(id).min(1).max(10_000) }),
  'variables.delete': z.strictObject({ ...inWorkspace, rows: seenRows }),
  /** Sets type or secrecy of many; those that are gone are left out. */
  'variables.update-many': z.strictObject({
    ...inWorkspace,
    rows: seenRows,
    type: type.optional(),
    isSecret: z.boolean().optional(),
  }),
  /** Copies values, types and secrecy into another environment of the workspace; `move` deletes what was copied where it was. */
  'variables.copy-to': z.strictObject({
    ...inWorkspace,
    rows: seenRows,
    environmentId: id,
    /** Of the variables that are there, for `overwrite`. */
    seen,
    onTaken: z.enum(['skip', 'overwrite']),
    move: z.boolean(),
  }),
  /** A copy beside the variable, named NAME_COPY, NAME_COPY_2, ... */
  'variables.duplicate': z.strictObject({ ...inWorkspace, id, seen }),
  /** Gives environments of the workspace a variable's value, type and secrecy under its name; creates it where it is missing. */
  'compare.copy': z.strictObject({
    ...inWorkspace,
    from: z.strictObject({ id, seen }),
    to: z
      .array(z.strictObject({ environmentId: id, seen }))
      .min(1)
      .max(200),
  }),
  /** Applies added, changed and removed lines, as decided on the preview (or text) of that `rev`; `names` narrows it to those names. Cancelled, it takes back what it did. */
  'import.apply': z.strictObject({ ...importArgs, seen, names: z.array(text(1024)).max(importEntryLimit).optional() }),
  /** Ends the preview or import of that token, which then answers `cancelled`. */
  'import.cancel': z.strictObject({ token: id }),

  /** Sets what is given and leaves the rest; applied at once. */
  'settings.set': z.strictObject({
    theme: z.enum(['system', 'light', 'dark']).optional(),
    hideFromCapture: z.boolean().optional(),
    maskAll: z.boolean().optional(),
    lockAfterMinutes: z.int().min(0).max(1440).optional(),
    clipboardClearSeconds: z.int().min(0).max(3600).optional(),
    syncIntervalSeconds: z.int().min(5).max(3600).optional(),
    tourSeen: z.boolean().optional(),
  }),
  /** Puts a value on the clipboard, marked so that clipboard histories leave it out. `copied: false`: the page has to do it itself. */
  'clipboard.copy': z.strictObject({ text: text(64 * 1024 * 1024) }),
  /**
   * A value was put on the clipboard: it goes after so many seconds, if it is still there. `digest`: SHA-256 of the text in UTF-8 with
   * every line ended by LF, in hex. Answers `held: false` where the page has to see to it itself.
   */
  'clipboard.hold': z.strictObject({ digest: z.string().regex(/^[0-9a-f]{64}$/), seconds: z.int().min(1).max(3600) }),
  /** Takes what is held off the clipboard now. */
  'clipboard.release': z.strictObject({}),
  /** The user is at work in a way that asks nothing of the application, as in a long text: the lock timer starts anew. */
  'app.stay-unlocked': z.strictObject({}),
  /** Shows the data folder in the file manager. Fails as `not-found` where none opens it. */
  'app.open-folder': z.strictObject({}),

  /**
   * Undoes the last edit, or redoes it: an unsent change is withdrawn, a sent one is reversed by a new change. Fails and changes nothing
   * where others have changed a row since; the next undo then skips that step.
   */
  'undo.undo': z.strictObject({ ...inWorkspace }),
  'undo.redo': z.strictObject({ ...inWorkspace }),

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
   * Queues a rollback to a version that the service has. Like a snapshot it keeps its place among the edits; what the user sees changes
   * only when it is done. `fingerprint` is that of the preview which the user agreed to: another one fails as `invalid-input`, field `fingerprint`.
   */
  'versions.rollback': z.strictObject({ ...inWorkspace, versionId: id, fingerprint: text(128) }),
  /** Fetches the variables of a listed version to this computer; does nothing when they are here. Fails as the service fails. */
  'versions.fetch': z.strictObject({ ...inWorkspace, versionId: id }),
  /** Fetches a version by the service's id, for services that list none. It has to be one of this environment. */
  'versions.mirror': z.strictObject({ ...inWorkspace, environmentId: id, remoteId: text(255).min(1) }),
  /** Queues an invitation. `roleId` as the service names it. An e-mail that is a member or invited already fails as `name-taken`. */
  'members.invite': z.strictObject({ ...inWorkspace, email: text(320), roleId: text(255) }),
  /** `seen`: the role that the screen showed; where others gave another one since, it becomes a conflict. */
  'members.set-role': z.strictObject({ ...inWorkspace, id, seen: text(255), roleId: text(255) }),
  /** Queues a removal; an invitation that was not sent yet is withdrawn. Where the service lists no members, `id` may be its own id of one. */
  'members.remove': z.strictObject({ ...inWorkspace, id: text(255).min(1) }),
  /**
   * Tracks a project by its slug, an environment in it, variables in that. `names`: a list of words, or a .env, whose names are
   * taken and whose values are not looked at. What the rules of names forbid is in `refused`, the rest is tracked.
   */
  'tracked.add': z.strictObject({ ...inWorkspace, project: text(255), environment: text(255).nullable(), names: text(1_000_000) }),
  /**
   * Stops tracking these, and what is in them: the rows go from this computer and stay on the service. With unsent edits it fails as
   * `unsent-edits` and does nothing.
   */
  'tracked.remove': z.strictObject({ ...inWorkspace, ids: z.array(id).min(1).max(10_000) }),

  /**
   * Copies a damaged database aside, saves what can be read of it into a new one, and opens that. Errors: `not-found` where nothing is
   * damaged, those of the disk.
   */
  'repair.run': z.strictObject({ ...inWorkspace }),
  'repair.dismiss': z.strictObject({ ...inWorkspace }),
  /**
   * Puts the newest whole backup in the place of the damaged database of a local workspace's service, and everything that this computer
   * has seen of it on top. Unsent edits stay queued. Errors: `not-found` where nothing is damaged, those of the disk.
   */
  'repair.restore-service': z.strictObject({ ...inWorkspace }),

  /** Pauses sync until told otherwise, beyond a restart; `sync.now` syncs once all the same. */
  'sync.pause': z.strictObject({ ...inWorkspace, paused: z.boolean() }),
  /** Makes the edits of a `queue.export` file again, as new edits. What cannot be applied is named; one step of undo. */
  'queue.apply': z.strictObject({ ...inWorkspace, text: z.string().max(100_000_000), seen }),
  /** Gives a variable an earlier value again, as a new edit; a deleted variable is created again. */
  'history.restore': z.strictObject({ ...inWorkspace, entry: z.int(), seen }),
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
   * Restores a deleted project or environment with everything that was in it, under its old slug or `slug`: on the service, and syncs; or what this
   * computer had, as queued changes. Errors: `taken` when that slug belongs to another one now, `not-found` when it was restored already or its 30 days are over.
   */
  'deleted.restore': z.strictObject({ ...inWorkspace, id: name, from: z.enum(['service', 'mirror']), slug: name.optional() }),
  /**
   * Queues what this computer had before the service went back to a backup, for every row that was not changed again since, and puts the note
   * away. Rows that were added stay. One step of undo.
   */
  'restart.resend': z.strictObject({ ...inWorkspace, ...noted }),
  /** Puts the note away: what the service has now stays. */
  'restart.dismiss': z.strictObject({ ...inWorkspace, ...noted }),
  'sync.now': z.strictObject({ ...inWorkspace }),
  'queue.retry': z.strictObject({ ...inWorkspace, changeId: id }),
  /** Drops an unsent change (and what was built on it); the row shows again what the service has. */
  'queue.discard': z.strictObject({ ...inWorkspace, changeId: id }),
  /** `fingerprint`: of the conflict as `conflicts.show` gave it. Fails as `outdated`, and does nothing, when it is another now. */
  'conflicts.resolve': z.strictObject({
    ...inWorkspace,
    changeId: id,
    fingerprint: text(128),
    choice: z.discriminatedUnion('take', [
      z.strictObject({ take: z.literal('mine') }),
      z.strictObject({ take: z.literal('theirs') }),
      /** What the user typed instead, for the fields in conflict. */
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
  'variables.values': ShownValue[]
  'variables.show': EditedVariable | null
  'variables.changed': ChangedVariables
  'variables.is-taken': { by: string | null }
  'compare.page': CompareGrid
  'compare.row': CompareRow | null
  'find.search': FoundName[]
  'sync.status': SyncStatus
  'queue.list': QueueRow[]
  'queue.show': QueuedField[]
  'conflicts.show': ConflictRow
  'import.preview': ImportPreview
  'import.progress': ImportProgress | null
  'export.text': ExportedText
  'text.read': { text: string; refused: RefusedName[]; rev: number }
  'references.resolve': ResolvedValue
  'references.preview': ResolvedValue
  'references.suggest': Suggestion[]
  'references.problems': ReferenceFlag[]
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
  'undo.status': { undo: string | null; redo: string | null }
  'versions.list': VersionList
  'versions.show': VersionDetail
  'versions.values': VersionValues[]
  'versions.preview-rollback': RollbackPreview
  'members.list': MemberList
  'roles.list': RoleList
  'keys.recovery': { recoveryKey: string }
  /** null: this system cannot be asked. */
  'keys.system-authentication': SystemAuthenticationRow | null
  'drafts.read': { placeId: string; draft: string }[]
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
  'keys.lock': null
  'workspaces.look-around': { workspaceId: string }
  /** `recoveryKey` is null where the keys outlive the session. */
  'workspaces.start-local': { workspaceId: string; recoveryKey: string | null }
  'workspaces.probe': FoundWorkspace
  /** `recoveryKey` is set when it was generated. */
  'workspaces.connect': { workspaceId: string; recoveryKey: string | null }
  'workspaces.supply-keys': null
  'workspaces.rename': { where: 'service' | 'computer' }
  'workspaces.remove': null
  'projects.create': { id: string }
  'projects.update': null
  'projects.delete': null
  'projects.add-sample': { environmentId: string }
  'environments.create': { id: string }
  'environments.update': null
  'environments.delete': null
  'variables.create': { id: string }
  'variables.update': null
  /** The names of the variables that were changed. A variable that refers to the renamed one only through others is not changed. */
  'references.rename': { names: string[] }
  'variables.delete': null
  'variables.update-many': null
  'variables.copy-to': { copied: number; skipped: number; overwritten: number }
  'variables.duplicate': { id: string }
  'compare.copy': { copied: number; overwritten: number }
  'import.apply': { added: number; changed: number; unchanged: number; removed: number }
  'import.cancel': null
  'settings.set': null
  'clipboard.copy': { copied: boolean }
  'clipboard.hold': { held: boolean }
  'clipboard.release': null
  'app.stay-unlocked': null
  'app.open-folder': null
  /** `notice`: what did not come back, and where it is, in words. */
  /** `isIdle`: every row of the step was in that state already, so nothing was changed. */
  'undo.undo': { label: string; notice?: string; isIdle?: boolean }
  'undo.redo': { label: string; isIdle?: boolean }
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
  'restart.resend': { sent: number; skipped: number }
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

/** What the application tells the page unasked. */
export type Push =
  /** Rows in these tables may have changed; `workspaceId` null means all. */
  { push: 'changed'; workspaceId: string | null; tables: Table[] }
