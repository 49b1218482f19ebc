import type { MoveOracle } from './move-oracle.ts'
import type { NameOracle } from './name-oracle.ts'
import type { Row } from '../../electron/queue/entry.ts'
import { naturalKey } from '../../electron/queue/natural-key.ts'
import type { Dice } from './dice.ts'
import { emailOf, noteOf, type OperationOracle } from './operation-oracle.ts'
import { isToken, type Oracle } from './oracle.ts'
import type { Player } from './player.ts'
import type { Witness } from './witness.ts'
import { lookAt, rowsOn, type Screen } from './screen.ts'

/** How often each is drawn, beside the edits of rows. */
export const operationDeeds = {
  snapshot: 7,
  rollback: 9,
  invite: 4,
  setRole: 4,
  removeMember: 3,
  discardOperation: 1,
  retryOperation: 1,
  resolveOperation: 3,
  pause: 2,
  restore: 4,
  reapply: 1,
  sample: 0.3,
}

export type OperationDeed = keyof typeof operationDeeds

export const isOperationDeed = (deed: string): deed is OperationDeed => deed in operationDeeds

const roles = ['admin', 'editor', 'viewer']

interface Parts {
  dice: Dice
  oracle: Oracle
  operations: OperationOracle
  moves: MoveOracle
  names: NameOracle
  witness: Witness
  players: readonly Player[]
  /** In an order that does not depend on ids. */
  rows(player: Player, kind: Row['kind']): Row[]
  /** A number that was not given before. */
  count(): number
  /** What a person acts on. */
  screen(player: Player): Promise<Screen>
  /** Somebody looks at a dialog while the others, and syncs, go on; false: it is closed by then. */
  lingers(player: Player): Promise<boolean>
}

/** Snapshots, rollbacks, members, and what else the application can be told beside edits of rows. */
export class OperationDeeds {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** What happened, in words; null when there was nothing to do it to. */
  async act(player: Player, deed: OperationDeed): Promise<string | null> {
    switch (deed) {
      case 'snapshot':
        return this.#snapshot(player)
      case 'rollback':
        return this.#rollBack(player)
      case 'invite':
        return this.#invite(player)
      case 'setRole':
      case 'removeMember':
        return this.#member(player, deed)
      case 'discardOperation':
      case 'retryOperation':
      case 'resolveOperation':
        return this.#decideOne(player, deed)
      case 'pause':
        return this.#pause(player)
      case 'restore':
        return this.#restore(player)
      case 'reapply':
        return this.#reapply(player)
      case 'sample': {
        const done = await this.#parts.witness.around(player, { rows: [], screen: null }, () => player.command('projects.add-sample', {}))
        return String(done.ok)
      }
    }
  }

  async #snapshot(player: Player): Promise<string | null> {
    const environment = this.#parts.dice.pick(this.#parts.rows(player, 'environment'))
    return environment === undefined ? null : `${environment.fields.slug} ${await this.snapshotOf(player, environment.id)}`
  }

  /** A version of an environment. */
  async snapshotOf(player: Player, environmentId: string): Promise<string> {
    const { dice, operations } = this.#parts
    const count = this.#parts.count()
    const label = dice.chance(0.3) ? { label: dice.chance(0.3) ? 'same' : `label ${count}` } : {}
    const done = await player.command('versions.create', { environmentId, note: noteOf(count), ...label })
    if (done.ok) operations.asked(player, noteOf(count))
    return `${noteOf(count)} ${label.label ?? ''} ${done.ok}`
  }

  async #rollBack(player: Player): Promise<string | null> {
    const { dice, operations } = this.#parts
    const environment = dice.pick(this.#parts.rows(player, 'environment'))
    if (environment === undefined) return null
    // By label: the ids of versions are not the same from run to run.
    const versions = player.client.versions(environment.id).rows.filter(({ isMirrored }) => isMirrored)
    const version = dice.pick(versions.toSorted((a, b) => ((a.label ?? '') < (b.label ?? '') ? -1 : 1)))
    if (version === undefined) return null
    const { fingerprint, added, updated, removed } = player.client.preview(version.id)
    operations.agrees(player, fingerprint, environment.id)
    if (!(await this.#parts.lingers(player))) return `${version.label} is closed`
    const done = await player.command('versions.rollback', { versionId: version.id, fingerprint })
    return `${environment.fields.slug} to ${version.label} (${version.note}) +${added} ~${updated} -${removed} ${done.ok}`
  }

  async #invite(player: Player): Promise<string> {
    const email = emailOf(this.#parts.count())
    const roleId = this.#parts.dice.pick(roles) ?? 'viewer'
    const done = await player.command('members.invite', { email, roleId })
    if (done.ok) this.#parts.operations.asked(player, email)
    return `${email} ${roleId} ${done.ok}`
  }

  async #member(player: Player, deed: 'setRole' | 'removeMember'): Promise<string | null> {
    const { dice, operations } = this.#parts
    const members = player.client.members().rows.filter(({ email }) => email.startsWith('member'))
    const member = dice.pick(members.toSorted((a, b) => (a.email < b.email ? -1 : 1)))
    if (member === undefined) return null
    if (deed === 'removeMember') {
      operations.removes(player, member.email)
      const done = await player.command('members.remove', { id: member.id })
      return `${member.email} ${done.ok}`
    }
    const roleId = dice.pick(roles) ?? 'viewer'
    if (!(await this.#parts.lingers(player))) return `${member.email} is closed`
    const done = await player.command('members.set-role', { id: member.id, seen: member.roleId, roleId })
    return `${member.email} ${member.roleId} -> ${roleId} ${done.ok}`
  }

  async #decideOne(player: Player, deed: 'discardOperation' | 'retryOperation' | 'resolveOperation'): Promise<string | null> {
    const { dice } = this.#parts
    const operation = dice.pick(player.client.operations().filter(({ state }) => deed !== 'resolveOperation' || state === 'conflict'))
    return operation === undefined ? null : this.decide(player, deed, operation.id)
  }

  /** What the user makes of an operation that waits. */
  async decide(player: Player, deed: 'discardOperation' | 'retryOperation' | 'resolveOperation', changeId: string): Promise<string> {
    const { dice, operations } = this.#parts
    const { client } = player
    const operation = client.operations().find(({ id }) => id === changeId)
    if (operation === undefined) return 'is gone'
    const what = `${operation.kind} ${operation.rowKind === 'member' ? operation.detail.email : (operation.detail.label ?? '')} ${operation.state}`
    if (operation.kind === 'rollback' && operation.state === 'failed') operations.sawRollbackFail(player)
    if (deed !== 'resolveOperation') {
      if (deed === 'retryOperation' && operation.kind === 'snapshot' && operation.state === 'failed')
        operations.triesAgain(operation.detail.note ?? '')
      const name = deed === 'discardOperation' ? 'queue.discard' : 'queue.retry'
      return `${what} ${(await player.command(name, { changeId })).ok}`
    }
    const fingerprint = client.conflict(changeId)?.fingerprint ?? ''
    if (dice.chance(0.4)) {
      return `${what} theirs ${(await player.command('conflicts.resolve', { changeId, fingerprint, choice: { take: 'theirs' } })).ok}`
    }
    const now = client.conflict(changeId)?.rollback?.now
    if (now !== undefined) operations.agrees(player, now.fingerprint, operation.ancestors[0] ?? '')
    const done = await player.command('conflicts.resolve', { changeId, fingerprint, choice: { take: 'mine' } })
    return `${what} mine ${done.ok}`
  }

  /** "Sync now" goes on while paused, and that is the sync that is played here. */
  async #pause(player: Player): Promise<string> {
    const paused = this.#parts.dice.chance(0.5)
    // Taken up again, a client may ask the service what it offers; within a sync that ends with it.
    if (player.ring === null || player.syncing) await player.command('sync.pause', { paused })
    else await player.ask('sync.pause', { paused })
    return String(paused)
  }

  async #restore(player: Player): Promise<string | null> {
    const { dice, oracle, witness } = this.#parts
    const screen = await this.#parts.screen(player)
    const environment = dice.pick(rowsOn(screen, 'environment'))
    if (environment === undefined) return null
    const entry = dice.pick(player.client.kept(environment.id).filter(({ canRestore }) => canRestore))
    if (entry === undefined) return null
    const present = player.client.children('variable', environment.id)
    const rows = present.filter(({ id, fields }) => id === entry.variableId || fields.name === entry.name).map(({ id }) => id)
    const about = { rows, screen, bringsBack: true }
    const shown = rowsOn(screen, 'variable').filter(
      ({ id, name, parentId }) => id === entry.variableId || (parentId === environment.id && name === entry.name),
    )
    const seen = Math.min(screen.rev, ...shown.map((row) => row.seen))
    const done = await witness.around(player, about, () =>
      player.command('history.restore', { entry: entry.entry, variableId: null, seen }),
    )
    const value = oracle.plain(player.client.keptValue(entry.entry))
    // It may be on the service in another place by now, and goes back to where it was by choice.
    if (done.ok && isToken(value)) oracle.copied(value)
    return `${environment.slug}/${entry.name} = ${value} ${done.ok}`
  }

  /** Saves the unsent edits of one computer to a file and makes them again on another, or on the same. */
  async #reapply(player: Player): Promise<string | null> {
    const { dice, oracle, operations, witness, moves, names } = this.#parts
    const from = dice.pick(this.#parts.players) ?? player
    if (from.client.queue().length === 0) return null
    const file = await from.unsent()
    const values = from.client.queue().map(({ patch }) => oracle.plain(patch.value?.sealed))
    for (const value of values.filter(isToken)) oracle.copied(value)
    // Where the row of an edit is not there, the file makes it again with all it had.
    const whole = wholeOf(file, oracle).filter(isToken)
    for (const value of whole) if (!values.includes(value)) oracle.copied(value)
    const shownBefore = this.#parts.rows(player, 'variable').map(({ fields }) => oracle.plain(fields.value?.sealed))
    // What the file sets goes over what its user sees there, also where the file deletes it in the end.
    for (const value of values.filter(isToken)) oracle.saw(value, shownBefore)
    // Nor is what a question shows of the service a secret to who lets the file answer it.
    const asked = player.client.queue().map(({ conflict }) => oracle.plain(conflict?.remote?.value?.sealed))
    const everything = ['project', 'environment', 'variable'] as const
    const rows = everything.flatMap((kind) => this.#parts.rows(player, kind)).map(({ id }) => id)
    const screen = await lookAt(player, oracle)
    const about = { rows, screen, bringsBack: true }
    const done = await witness.around(player, about, () => player.command('queue.apply', { text: file, seen: screen.rev }))
    // Who deletes a place again decides on a screen of their own.
    operations.sawVersions(player, screen.versions)
    // The file is made again in its order: what it makes first and deletes after that was no secret to who made it again.
    const shown = new Set(this.#parts.rows(player, 'variable').map(({ fields }) => oracle.plain(fields.value?.sealed)))
    oracle.deletes(player, [...values, ...whole, ...asked].filter(isToken), null)
    for (const value of shown) oracle.stands(player, value)
    for (const change of player.client.queue()) {
      if (change.kind === 'delete' && change.rowKind !== 'variable') oracle.deletes(player, [], change.rowId)
      // Below what the file deletes, too.
      const value = oracle.plain(change.patch.value?.sealed)
      if (values.includes(value)) witness.puts(player, change.rowId, value)
      // What the file makes and then moves or renames is on no screen in between.
      names.isCalled(player, change.rowId, naturalKey(change.rowKind, change.base ?? {}))
      for (const left of change.leaves.slice(0, 1)) moves.isAt(player, change.rowId, left)
    }
    return `what ${from.name} has not sent ${JSON.stringify(done.ok ? [done.value.applied, done.value.skipped.length] : done.error)}`
  }
}

/** The values of the rows that a file of unsent edits is about. */
const wholeOf = (file: string, oracle: Oracle): string[] =>
  (JSON.parse(file) as { edits: { whole: { value?: string } }[] }).edits.map(({ whole }) => oracle.plain(whole.value))
