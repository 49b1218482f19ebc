import { cancelImport } from './cancel-import.ts'
import { damages } from './damage-file.ts'
import type { ModelParts } from './model-parts.ts'
import { isToken } from './oracle.ts'
import type { Player } from './player.ts'
import { Violation } from './violation.ts'

/** How often each is drawn, beside edits and operations. */
export const otherDeeds = {
  track: 3,
  untrack: 1.5,
  fetchVersion: 3,
  mirrorVersion: 3,
  removeUnseen: 1,
  cancelImport: 1,
  damage: 1.5,
}

export type OtherDeed = keyof typeof otherDeeds

export const isOtherDeed = (deed: string): deed is OtherDeed => deed in otherDeeds

const byText = <T>(items: readonly T[], text: (item: T) => string): T[] => items.toSorted((a, b) => (text(a) < text(b) ? -1 : 1))

/** What is neither an edit of rows nor an operation: names to track, versions to fetch, an import that is given up, a damaged file. */
export class OtherCommands {
  readonly #parts: ModelParts

  constructor(parts: ModelParts) {
    this.#parts = parts
  }

  /** What happened, in words; null when there was nothing to do it to. */
  async act(player: Player, deed: OtherDeed): Promise<string | null> {
    switch (deed) {
      case 'track':
        return this.#track(player)
      case 'untrack':
        return this.#untrack(player)
      case 'fetchVersion':
        return this.#fetch(player)
      case 'mirrorVersion':
        return this.#mirror(player)
      case 'removeUnseen':
        return this.#removeUnseen(player)
      case 'cancelImport':
        return player.syncing ? null : cancelImport(this.#parts, player)
      case 'damage':
        return this.#damage(player)
    }
  }

  /** Names everything that is there, as who has seen it elsewhere would. */
  async trackAll(player: Player): Promise<void> {
    const { projects, environments, variables } = this.#parts.service.stored()
    for (const environment of environments) {
      const project = projects.find(({ id }) => id === environment.parent_id)?.slug ?? ''
      const names = variables.flatMap((row) => (row.environment_id === environment.id ? [row.name] : [])).join('\n')
      await player.command('tracked.add', { project, environment: environment.slug, names })
    }
  }

  /** Names a project, an environment in it and some names: of what is there, and some that nobody has made yet. */
  async #track(player: Player): Promise<string | null> {
    const { dice, oracle, service } = this.#parts
    const { projects, environments, variables } = service.stored()
    const project = dice.pick(byText(projects, ({ slug }) => slug))
    if (project === undefined) return null
    const inside = byText(
      environments.filter(({ parent_id: parent }) => parent === project.id),
      ({ slug }) => slug,
    )
    const environment = dice.chance(0.8) ? dice.pick(inside) : undefined
    const slug = environment?.slug ?? (dice.chance(0.5) ? 'test' : null)
    const there = variables.filter((row) => row.environment_id === environment?.id).map(({ name }) => name)
    const names = slug === null ? [] : [...there, 'A', 'C', 'nowhere'].toSorted().filter(() => dice.chance(0.6))
    const input = { project: project.slug, environment: slug, names: [...new Set(names)].join('\n') }
    const done = await oracle.user(player, [], () => player.command('tracked.add', input))
    return `${project.slug}/${slug}/${input.names.replaceAll('\n', ',')} ${JSON.stringify(done.ok ? done.value : done.error)}`
  }

  /** Nothing that was typed may go with it: with unsent edits it is refused. */
  async #untrack(player: Player): Promise<string | null> {
    const { dice, oracle, restores } = this.#parts
    const rows = byText(await player.tracked(), ({ project, environment, key }) => `${project}/${environment ?? ''}/${key}`)
    const one = dice.pick(rows)
    if (one === undefined) return null
    // A name in a deleted environment can be given up as well, and is on no screen.
    const held = () => new Set([...oracle.shownTo(player), ...player.client.sealedInBase().map((sealed) => oracle.plain(sealed))])
    const before = held()
    const done = await oracle.user(player, [], () => player.command('tracked.remove', { ids: [one.id] }))
    for (const value of held()) before.delete(value)
    restores.untracked(player, before)
    return `${one.kind} ${one.project}/${one.environment}/${one.key} ${done.ok ? 'done' : done.error.kind}`
  }

  async #fetch(player: Player): Promise<string | null> {
    const { dice } = this.#parts
    const environment = dice.pick(this.#parts.rows(player, 'environment'))
    if (environment === undefined) return null
    const versions = player.client.versions(environment.id).rows.filter(({ isMirrored, sync }) => !isMirrored && sync === 'synced')
    const version = dice.pick(byText(versions, ({ label, note }) => `${label ?? ''} ${note}`))
    if (version === undefined) return null
    const done = await player.ask('versions.fetch', { versionId: version.id })
    if (done === null) return null
    if (done !== 'crashed' && done.ok) this.#holdsTheSame(player, version.id)
    return `${environment.fields.slug} ${version.label} ${done === 'crashed' ? done : done.ok ? 'done' : done.error.kind}`
  }

  /** A version by the id that somebody said; it may be one of another environment. */
  async #mirror(player: Player): Promise<string | null> {
    const { dice, service } = this.#parts
    const environment = dice.pick(this.#parts.rows(player, 'environment'))
    const version = dice.pick(byText(service.stored().versions, ({ note }) => note))
    if (environment === undefined || version === undefined) return null
    const isOfHere = player.client.remoteIdOf(environment.id) === version.environment_id
    const done = await player.ask('versions.mirror', { environmentId: environment.id, remoteId: version.id })
    if (done === null) return null
    if (done !== 'crashed' && done.ok) {
      if (!isOfHere)
        throw new Violation(`${player.name}: ${version.note} is not of ${environment.fields.slug}, and was taken for one of it`)
      this.#holdsTheSame(player, done.value.id)
    }
    return `${environment.fields.slug} ${version.note} ${done === 'crashed' ? done : done.ok ? 'done' : done.error.kind}`
  }

  #holdsTheSame(player: Player, versionId: string): void {
    const { oracle, service } = this.#parts
    const remoteId = player.client.remoteIdOfVersion(versionId) ?? ''
    const told = service.savedIn(remoteId).map(({ name, value }) => `${name} = ${oracle.plain(value)}`)
    const kept = player.client.savedIn(versionId).map(({ name, value }) => `${name} = ${value}`)
    if (told.toSorted().join() !== kept.toSorted().join())
      throw new Violation(`${player.name}: a version that was fetched holds ${kept.join()} and not ${told.join()}`)
  }

  /** By the service's own id, as where no members are listed. */
  async #removeUnseen(player: Player): Promise<string | null> {
    const { dice, operations, service } = this.#parts
    const members = service.stored().members.filter(({ email }) => email.startsWith('member'))
    const member = dice.pick(byText(members, ({ email }) => email))
    if (member === undefined || player.client.members().rows.length > 0) return null
    operations.removes(player, member.email)
    const done = await player.command('members.remove', { id: member.id })
    return `${member.email} ${done.ok}`
  }

  /** The process dies and takes a part of its file along: what the repair says it saved has to be there. */
  async #damage(player: Player): Promise<string | null> {
    const { dice, oracle, operations, witness, restores, moves, names } = this.#parts
    if (player.syncing) return null
    const damage = dice.pick(damages) ?? 'queue'
    const before = { queued: oracle.queued(player), operations: operations.tokens(player), shown: oracle.shownTo(player) }
    const note = await player.damage(damage)
    if (note === null) return `${damage}: nothing was damaged`
    const said = `${damage}: rebuilt ${note.rebuilt}, lost ${note.lost}${note.unsure ? ', unsure' : ''}, unknown deletions ${note.unknownDeletions.join()}`
    oracle.renumber(player)
    moves.loses(player)
    names.loses(player)
    if (damage === 'tail') restores.loses(player)
    const queued = oracle.queued(player)
    const gone = [...before.queued].filter(([token]) => !queued.has(token))
    const leftOperations = operations.tokens(player)
    const lostOperations = [...before.operations].filter((token) => !leftOperations.has(token))
    // By rows: with the deletion of one goes all that was queued for it before.
    const lost = new Set([...gone.map(([, change]) => change.rowId), ...lostOperations])
    const allowed = note.lost + note.unknownDeletions.length
    // Of a change that was read as another kind the report says that it was rebuilt.
    const shown = oracle.shownTo(player)
    const unseen = gone.filter(([token]) => !shown.has(token))
    if (!note.unsure && lost.size > allowed + note.rebuilt)
      throw new Violation(`${player.name}: a repair lost ${[...gone.map(([token]) => token), ...lostOperations].join()} and said: ${said}`)
    if (damage === 'queue' && note.lost === 0) {
      const silent = unseen.filter(([token]) => before.shown.has(token))
      if (silent.length > 0)
        throw new Violation(`${player.name}: ${silent.map(([token]) => token).join()} was seen before a repair: ${said}`)
    }
    for (const [token] of gone) oracle.gaveUp(player, token)
    operations.lost(lostOperations)
    // What an edit that was worked out was made on is not known any more: it waits, and its user takes what the service is known to have.
    for (const change of player.client.queue()) {
      const value = oracle.plain(change.patch.value?.sealed)
      const theirs = oracle.plain(change.base?.value?.sealed)
      if (change.state !== 'failed') continue
      // Which record it was about may be lost, too: whoever sends it may make another.
      oracle.asks(player, change.rowId)
      if (change.kind === 'delete') oracle.deletes(player, [theirs], change.rowKind === 'variable' ? null : change.rowId)
      else if (isToken(value)) oracle.saw(value, [theirs])
      else witness.cover(player, change.rowId, theirs)
    }
    return said
  }
}
