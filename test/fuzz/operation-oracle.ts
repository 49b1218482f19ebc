import type { Change, Operation, RollbackOperation, SnapshotOperation } from '../../electron/queue/entry.ts'
import { isParked } from './as-kept.ts'
import type { Oracle, Watched } from './oracle.ts'
import type { Stored } from './fuzz-service.ts'
import { Violation } from './violation.ts'

/** What stood in the queue when a request that carries an operation was sent. */
export interface Issued {
  operation: Operation
  /** Unsent edits of the same environment that were queued before the operation. */
  before: string[]
  /** Writes the service had seen when this client last listed the variables of an environment. */
  readAt: (environmentId: string) => number
}

/** Notes of snapshots and e-mails of members that were typed once and never again. */
export const noteOf = (count: number): string => `Snapshot ${count}`
export const emailOf = (count: number): string => `member${count}@example.com`

const isMade = /^(?:Snapshot \d+|member\d+@example\.com)$/

/** The commands by which a user gives up what was asked for and not sent. */
const mayGiveUp = new Set([
  'queue.discard',
  'conflicts.resolve',
  'undo.undo',
  'undo.redo',
  'members.remove',
  'environments.delete',
  'projects.delete',
  'queue.apply',
])

/**
 * What must not happen to snapshots, rollbacks and members. A snapshot holds what was queued before it and nothing that was queued after
 * it, and is taken once. A rollback removes nothing but what its user saw in a preview, or what came after the last look. Nobody is
 * invited twice, removed unasked, or given a role over one that the user had not seen.
 */
export class OperationOracle {
  readonly #oracle: Oracle
  /** Note or e-mail -> who asked for it. */
  readonly #asked = new Map<string, Watched>()
  readonly #released = new Set<string>()
  readonly #everOnService = new Set<string>()
  /** Users who were told that their rollback failed. */
  readonly #rollbackFailed = new Set<string>()
  /** Note of a snapshot -> how often its user sent it again by choice. */
  readonly #triedAgain = new Map<string, number>()
  /** What was made, and of each snapshot where -> its records. */
  readonly #made = new Map<string, Set<string>>()
  /** E-mail -> how often a user asked for the invitation. */
  readonly #invitations = new Map<string, number>()
  readonly #removed = new Set<string>()
  readonly #rolesSeen = new Set<string>()
  /** OperationDeeds that waited for their user once: they held up nobody's edits, and what went by them is in a snapshot that is taken then. */
  readonly #parked = new Set<string>()
  /** Client and operation -> the edits of its environment that were queued before it. What others move there since is no such edit. */
  readonly #askedAfter = new Map<string, Set<number>>()
  /** Client and note: the versions that its user knew when they last decided about a place. */
  readonly #versionsSeen = new Set<string>()
  #environments: Stored['environments'] = []
  /** Client and fingerprint -> the values that its user saw in the preview. */
  readonly #agreed = new Map<string, Set<string>>()

  constructor(oracle: Oracle) {
    this.#oracle = oracle
  }

  /** A user asked for a snapshot or an invitation. */
  asked(by: Watched, token: string): void {
    this.#asked.set(token, by)
    if (!tokensOf(by).has(token)) throw new Violation(`${by.name}: ${token} was acknowledged and is not in the queue`)
  }

  /** A user looked at a preview with that fingerprint, and agreed. */
  agrees(by: Watched, fingerprint: string, environmentId: string): void {
    const rows = by.client.children('variable', environmentId)
    this.#agreed.set(`${by.name} ${fingerprint}`, new Set(rows.map(({ fields }) => this.#oracle.plain(fields.value?.sealed))))
  }

  removes(by: Watched, email: string): void {
    this.#removed.add(`${by.name} ${email}`)
  }

  /** A user decides about places on a screen that lists these versions, by their notes. */
  sawVersions(by: Watched, notes: Iterable<string>): void {
    for (const note of notes) this.#versionsSeen.add(`${by.name} ${note}`)
  }

  /** A user is told of all that is new in a place that they have deleted, and decides. */
  seesVersions(by: Watched): void {
    const ids = this.#environments.flatMap(({ id }) => by.client.localIdOf(id) ?? [])
    this.sawVersions(by, notesOf(by.client, ids))
  }

  /** Runs a command of a user. What their user sees of members counts as seen. */
  async around<T>(by: Watched, command: string, deed: () => Promise<T>): Promise<T> {
    const before = tokensOf(by)
    this.#see(by)
    this.#notePark(by)
    const invited = invitationsOf(by)
    const asked = new Set(by.client.operations().map(({ seq }) => seq))
    const result = await deed()
    for (const operation of by.client.operations())
      if (!asked.has(operation.seq))
        this.#askedAfter.set(`${by.name} ${operation.id}`, new Set(entriesBefore(by, operation).map(({ seq }) => seq)))
    const after = tokensOf(by)
    for (const token of before) {
      if (after.has(token)) continue
      // An invitation that met its own member, because the answer to it was lost, becomes the change of that one's role.
      const isMet = command === 'members.set-role' && this.#everOnService.has(token)
      if (!isMet && !mayGiveUp.has(command)) throw new Violation(`${by.name}: ${command} dropped ${token}`)
      this.#released.add(token)
    }
    // A snapshot in a place that its user deletes, by whichever command, is moot where others deleted that too. What waits and goes with no such
    // place counts, also when it was given up before and the deletion is undone.
    const going = new Set(by.client.queue().flatMap(({ kind, rowId }) => (kind === 'delete' ? [rowId] : [])))
    for (const operation of by.client.operations()) {
      const isMoot = operation.ancestors.some((id) => going.has(id))
      for (const token of tokensIn(operation)) this.#released[isMoot ? 'add' : 'delete'](token)
    }
    for (const [id, email] of invitationsOf(by)) {
      if (!invited.has(id)) this.#invitations.set(email, (this.#invitations.get(email) ?? 0) + 1)
    }
    this.#see(by)
    return result
  }

  /** Notes and e-mails of what a client still has to send. */
  tokens(by: Watched): Set<string> {
    return tokensOf(by)
  }

  /** A repair said that these could not be saved. */
  lost(tokens: readonly string[]): void {
    for (const token of tokens) this.#released.add(token)
  }

  #notePark(by: Watched): void {
    for (const operation of by.client.operations()) if (isParked(operation)) this.#parked.add(`${by.name} ${operation.rowId}`)
  }

  #see(by: Watched): void {
    for (const { email, roleId } of by.client.members().rows) this.#rolesSeen.add(`${by.name} ${email} ${roleId}`)
    for (const operation of by.client.operations()) {
      if (operation.kind === 'set-role' || operation.kind === 'invite')
        this.#rolesSeen.add(`${by.name} ${operation.detail.email} ${operation.detail.remote ?? ''}`)
    }
  }

  /** The operations that a request may carry, as they stand when it is sent: of snapshots the one whose note comes out is meant. */
  issued(by: Watched, method: string, path: string, readAt: Issued['readAt']): Issued[] {
    // A service that seems to lack versions for one answer parks a snapshot for as long.
    this.#notePark(by)
    const kind = path.endsWith('/rollback') ? 'rollback' : path.endsWith('/versions') ? 'snapshot' : null
    if (method !== 'POST' || kind === null) return []
    const operations = by.client.operations().filter((each) => each.kind === kind && each.state === 'sending' && isCarried(by, each, path))
    return operations.map((operation) => ({ operation, before: this.#queuedBefore(by, operation), readAt }))
  }

  #queuedBefore(by: Watched, operation: Operation): string[] {
    const asked = this.#askedAfter.get(`${by.name} ${operation.id}`)
    return entriesBefore(by, operation)
      .filter(({ seq }) => asked === undefined || asked.has(seq))
      .map(({ kind, patch, base, state }) => `${kind} ${patch.name ?? base?.name ?? ''} ${state}`)
  }

  /** The service has handled a write. `issued`: what it may have been sent for; nothing when it came long after that. */
  compare(by: Watched, was: Stored, now: Stored, issued: readonly Issued[]): void {
    this.#environments = now.environments
    this.#newVersions(by, was, now, issued)
    if (by.client.remote.profile()?.kind === 'full') this.#deletedVersions(by, was, now)
    this.#members(by, was, now)
    for (const each of issued) if (each.operation.kind === 'rollback') this.#rolledBack(by, was, now, each, each.operation)
  }

  #newVersions(by: Watched, was: Stored, now: Stored, issued: readonly Issued[]): void {
    const known = new Set(was.versions.map(({ id }) => id))
    for (const version of now.versions) {
      if (known.has(version.id) || !isMade.test(version.note)) continue
      this.#everOnService.add(version.note)
      this.#once(`${version.note} of ${version.environment_id}`, version.id, 1 + (this.#triedAgain.get(version.note) ?? 0))
      for (const each of issued) {
        if (each.operation.kind === 'snapshot' && each.operation.detail.note === version.note)
          this.#holdsWhatItMust(by, now, version.environment_id, each, each.operation)
      }
    }
  }

  /** Versions go with their environment, or with its project, and with nothing else. */
  #deletedVersions(by: Watched, was: Stored, now: Stored): void {
    const left = new Set(now.versions.map(({ id }) => id))
    for (const { id, note } of was.versions) {
      const isKnown = this.#asked.get(note) === by || this.#versionsSeen.has(`${by.name} ${note}`)
      if (!left.has(id) && isMade.test(note) && !isKnown) throw new Violation(`${by.name} deleted ${note}, which its user had not seen`)
    }
  }

  /** The user sends a snapshot again that waits with a reason: one like it may be there, and the reason said so. */
  triesAgain(note: string): void {
    this.#triedAgain.set(note, (this.#triedAgain.get(note) ?? 0) + 1)
  }

  /** The user reads that a rollback failed: it may be done all the same, if its answer was lost before. */
  sawRollbackFail(by: Watched): void {
    this.#rollbackFailed.add(by.name)
  }

  /** Whether values may be back by a rollback of which the application of this user cannot tell that it was done. */
  mayBeRolledBack(by: Watched): boolean {
    return this.#rollbackFailed.has(by.name)
  }

  #once(what: string, id: string, times: number): void {
    const made = (this.#made.get(what) ?? new Set<string>()).add(id)
    this.#made.set(what, made)
    if (made.size > times) throw new Violation(`${what} was made too often: ${[...made].join(', then ')}`)
  }

  #holdsWhatItMust(by: Watched, now: Stored, environmentId: string, { before }: Issued, operation: SnapshotOperation): void {
    if (before.length > 0)
      throw new Violation(`${by.name}: ${operation.detail.note} was taken before what was queued before it: ${before.join()}`)
    for (const row of now.variables) {
      const value = this.#oracle.plain(row.value)
      if (this.#parked.has(`${by.name} ${operation.rowId}`)) return
      if (row.environment_id !== environmentId || !this.#oracle.cameBy(by, environmentId, value)) continue
      if (this.#oracle.wasQueuedAfter(by, value, operation.seq))
        throw new Violation(`${by.name}: ${operation.detail.note} holds ${value}, which was typed after it`)
    }
  }

  #rolledBack(by: Watched, was: Stored, now: Stored, { before, readAt }: Issued, operation: RollbackOperation): void {
    if (before.length > 0) throw new Violation(`${by.name}: rolled back before what was queued before it: ${before.join()}`)
    const agreed = this.#agreed.get(`${by.name} ${operation.detail.agreed.fingerprint}`)
    const left = new Set(now.variables.map((row) => `${row.environment_id} ${this.#oracle.plain(row.value)}`))
    for (const row of was.variables) {
      const value = this.#oracle.plain(row.value)
      if (
        left.has(`${row.environment_id} ${value}`) ||
        agreed?.has(value) === true ||
        this.#oracle.cameAfter(row.environment_id, value, readAt(row.environment_id))
      )
        continue
      throw new Violation(`${by.name}: a rollback removed ${value}, which its user had not seen in the preview`)
    }
  }

  #members(by: Watched, was: Stored, now: Stored): void {
    const before = new Map(was.members.map((member) => [member.id, member]))
    for (const { id, email, role_id: role } of now.members) {
      const old = before.get(id)
      before.delete(id)
      if (!isMade.test(email)) continue
      this.#everOnService.add(email)
      if (old === undefined) this.#once(email, id, this.#invitations.get(email) ?? 0)
      else if (old.role_id !== role && !this.#rolesSeen.has(`${by.name} ${email} ${old.role_id}`) && this.#oracle.isGuarded(by))
        throw new Violation(`${by.name} made ${email} ${role}, who was ${old.role_id}, which its user had not seen`)
    }
    for (const { id, email } of before.values()) {
      // Whoever invited them, and has no answer yet, cannot tell that from an invitation that never arrived.
      const asker = this.#asked.get(email)
      if (asker !== undefined && tokensOf(asker).has(email)) this.#made.get(email)?.delete(id)
      if (!this.#removed.has(`${by.name} ${email}`)) throw new Violation(`${by.name} removed ${email}, which its user never did`)
    }
  }

  /** No acknowledged snapshot or invitation is gone: it reached the service, waits in the queue, or its user let it go. */
  check(all: readonly Watched[]): void {
    for (const one of all) this.#notePark(one)
    const queues = new Map(all.map((one) => [one.name, tokensOf(one)]))
    for (const [token, by] of this.#asked) {
      if (this.#released.has(token) || this.#everOnService.has(token) || queues.get(by.name)?.has(token) === true) continue
      throw new Violation(`${by.name}: ${token} has vanished`)
    }
  }
}

const entriesBefore = ({ client }: Watched, operation: Operation): Change[] =>
  client
    .queue()
    .filter(({ seq, rowKind, ancestors }) => rowKind === 'variable' && seq < operation.seq && ancestors[0] === operation.ancestors[0])

const isCarried = (by: Watched, operation: Operation, path: string): boolean =>
  operation.kind !== 'rollback' || by.client.remoteIdOfVersion(operation.rowId) === path.split('/').at(-2)

const tokensIn = (operation: Operation): string[] => {
  if (operation.kind === 'invite') return [operation.detail.email]
  return operation.kind === 'snapshot' && operation.detail.note !== undefined ? [operation.detail.note] : []
}

const tokensOf = ({ client }: Watched): Set<string> => new Set(client.operations().flatMap(tokensIn))

const invitationsOf = ({ client }: Watched): Map<string, string> =>
  new Map(client.operations().flatMap((operation) => (operation.kind === 'invite' ? [[operation.id, operation.detail.email]] : [])))

/** The notes of all versions that a client lists. */
export const versionsShown = (client: Watched['client']): Set<string> => {
  const environments = client.children('project', null).flatMap(({ id }) => client.children('environment', id))
  return notesOf(
    client,
    environments.map(({ id }) => id),
  )
}

const notesOf = (client: Watched['client'], environmentIds: readonly string[]): Set<string> =>
  new Set(environmentIds.flatMap((id) => client.versions(id).rows.map(({ note }) => note)))
