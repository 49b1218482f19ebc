import { readFileSync } from 'node:fs'
import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Commands } from '../../electron/bridge/contract.ts'
import type { Result } from '../../electron/bridge/result.ts'
import type { Change, Row, RowKind } from '../../electron/queue/entry.ts'
import { naturalKey } from '../../electron/queue/natural-key.ts'
import type { Network } from '../support/build-client.ts'
import { behind, type Lack } from '../support/reduced-service.ts'
import { isParked } from './as-kept.ts'
import { operationDeeds, OperationDeeds, isOperationDeed, type OperationDeed } from './operations.ts'
import { OperationOracle } from './operation-oracle.ts'
import { createDice, type Dice } from './dice.ts'
import { forgetDeleted, restoreDeleted } from './deleted-places.ts'
import { drawFault, withFault } from './faults.ts'
import { OtherCommands, otherDeeds, isOtherDeed, type OtherDeed } from './other-commands.ts'
import { isKeyDeed, playKeyDeed, keyDeeds, type KeyDeed } from './key-commands.ts'
import { startFuzzService, type FuzzService } from './fuzz-service.ts'
import { isToken, Oracle, sentinel } from './oracle.ts'
import { breathe, Player } from './player.ts'
import { MoveOracle } from './move-oracle.ts'
import { NameDeeds } from './name-deeds.ts'
import { NameOracle } from './name-oracle.ts'
import { RestoreOracle } from './restore-oracle.ts'
import { Violation } from './violation.ts'
import { Witness } from './witness.ts'
import { asOn, belowOn, lookAt, rowsOn, variablesOn, type Screen, type ShownRow } from './screen.ts'

/** What a service can do less than ours. */
export interface Flavour {
  name: string
  without: readonly Lack[]
  bareLists: boolean
  /** What all but the first client see less than that, as behind another address of the same service; the same as `without` unless said. */
  others?: readonly Lack[]
}

export const flavours: readonly Flavour[] = [
  { name: 'whole', without: [], bareLists: false },
  { name: 'no feed', without: ['feed'], bareLists: false },
  { name: 'no feed, no etags', without: ['feed', 'etags'], bareLists: false },
  { name: 'no feed, no etags, bare lists', without: ['feed', 'etags'], bareLists: true },
]

/** Services that list nothing, or not all: one client stands for somebody with another way to the same data. */
const narrowFlavours: readonly Flavour[] = [
  {
    name: 'only the 14 operations for the others',
    without: [],
    bareLists: false,
    others: ['feed', 'etags', 'rows', 'versions', 'members'],
  },
  { name: 'no lists of projects, environments and variables for the others', without: [], bareLists: false, others: ['feed', 'rows'] },
  { name: 'no lists of versions and members for the others', without: [], bareLists: false, others: ['feed', 'versions', 'members'] },
]

/** Whether a deck holds all that the application can be told. */
export const isWhole = (deck: Deck): boolean => deck !== 'edits' && deck !== 'operations'

/** The services that a deck is played against. */
export const flavoursOf = (deck: Deck): readonly Flavour[] => (isWhole(deck) ? [...flavours, ...narrowFlavours] : flavours)

const deeds = {
  sync: 40,
  set: 22,
  create: 14,
  delete: 9,
  deleteMany: 1,
  classify: 2,
  copy: 3,
  move: 3,
  duplicate: 2,
  spread: 2,
  merge: 3,
  replace: 2,
  undo: 6,
  redo: 3,
  rename: 8,
  renameUnique: 5,
  both: 4,
  flags: 4,
  shared: 3,
  batch: 3,
  createParent: 5,
  renameParent: 4,
  slugPlace: 4,
  deleteParent: 2,
  discard: 3,
  retry: 3,
  resolve: 8,
  network: 7,
  clock: 4,
  restart: 3,
  crashSoon: 7,
  key: 2,
  late: 4,
}

/** Deeds on a screen that a colleague has just overtaken. */
const screenDeeds = { overtaken: 20 }

/** Deeds on a question that a colleague changes while its user thinks about it. */
const questionDeeds = { question: 30 }

/** Deeds on projects and environments that are deleted, and may come back. */
const deletionDeeds = { deletedUnder: 24, restoreDeleted: 10, forgetDeleted: 2 }

/** Deeds on a project or environment whose deletion its user takes back once it is sent. */
const returnDeeds = { takesBack: 24 }

/** Deeds on a variable that its user has just moved. */
const moveDeeds = { movedAgain: 30 }

/** Deeds that make a long queue, which is sent in many small requests. */
const queueDeeds = { sync: 16, long: 12 }

/** Deeds on names that pass from one row to another, while a colleague may be at the same rows. */
const nameDeeds = { names: 40 }

/** What is done to a variable that was moved. */
const movedDeeds = ['set', 'both', 'rename', 'delete', 'moveOn', 'moveOn', 'moveOver', 'merge', 'replace', 'undo', 'deletePlace'] as const

/** What is done on such a screen. */
const overtakenDeeds = ['set', 'both', 'delete', 'deleteMany', 'merge', 'replace', 'spread', 'copy', 'move', 'deleteParent'] as const
type OvertakenDeed = (typeof overtakenDeeds)[number] | 'classify'

/** The row that a deed is about, and the screen it is done on. */
interface Aim {
  screen: Screen
  row: ShownRow
}

/**
 * What is drawn from: edits of rows alone, as the seeds up to 220,000 were; with snapshots, rollbacks and members, as those up to 720,000
 * were; or all that the application can be told; or that with questions that change while they are open; or that with projects and environments
 * that are deleted and restored; or all with variables that are touched again after they were moved; or all with sent deletions that are
 * undone; or all with long queues, of which little is looked at, sent and read at a time; or all with names that are swapped, freed and taken.
 */
export type Deck = 'edits' | 'operations' | 'all' | 'questions' | 'deletions' | 'moves' | 'returns' | 'queues' | 'names'

const allDeeds = { ...deeds, ...screenDeeds, ...operationDeeds, ...otherDeeds, ...keyDeeds }

/** Whose values are taken. open: everybody's. bound: none but those that were sealed to their variable. upgraded: open at first, and bound by each user at some time. */
export type Policy = 'open' | 'bound' | 'upgraded'

const decks: Record<Deck, Partial<Record<Deed, number>>> = {
  edits: deeds,
  operations: { ...deeds, ...operationDeeds },
  all: allDeeds,
  questions: { ...allDeeds, ...questionDeeds },
  deletions: { ...allDeeds, ...questionDeeds, ...deletionDeeds },
  moves: { ...allDeeds, ...moveDeeds },
  returns: { ...allDeeds, ...deletionDeeds, ...returnDeeds },
  queues: { ...allDeeds, ...queueDeeds },
  names: { ...allDeeds, ...nameDeeds },
}

type Deed =
  | keyof typeof deletionDeeds
  | keyof typeof questionDeeds
  | keyof typeof moveDeeds
  | keyof typeof returnDeeds
  | keyof typeof screenDeeds
  | keyof typeof queueDeeds
  | keyof typeof nameDeeds
  | keyof typeof deeds
  | OperationDeed
  | OtherDeed
  | KeyDeed

const pool = ['A', 'B', 'C', 'D']
const slugs = ['prod', 'dev', 'test', 'x']

/** Clients, service, network and clock of one run, all drawn from one seed. */
export class World {
  readonly dice: Dice
  /** Draws which screen a person acts on, so that the rest of a history does not depend on it. */
  readonly #eyes: Dice
  /** By client: screens that were opened some time ago. */
  readonly #screens = new Map<string, Screen[]>()
  readonly trace: string[] = []
  readonly players: Player[] = []
  readonly #flavour: Flavour
  readonly #deck: Deck
  readonly #policy: Policy
  /** Draws when somebody binds their values, so that the rest of a history does not depend on it. */
  readonly #binding: Dice
  /** Draws when what is done on an old screen is a bulk change, so that the rest of a history does not depend on it. */
  readonly #bulk: Dice
  /** Draws when two move the same variable, and where, so that the rest of a history does not depend on it. */
  readonly #moving: Dice
  #clock = Date.UTC(2026, 0, 5)
  #count = 0
  // Set by `open`, before anything else runs.
  #witness!: Witness
  #operationOracle!: OperationOracle
  #restoreOracle!: RestoreOracle
  #moveOracle!: MoveOracle
  #nameOracle!: NameOracle
  #names!: NameDeeds
  #operations!: OperationDeeds
  #other!: OtherCommands
  #steps = 0
  #depth = 0
  #quiet = false
  #late: (() => Promise<unknown>)[] = []
  service!: FuzzService
  oracle!: Oracle

  private constructor(seed: number, flavour: Flavour, deck: Deck, policy: Policy) {
    this.dice = createDice(seed)
    this.#eyes = createDice(seed + 0x5ee)
    this.#flavour = flavour
    this.#deck = deck
    this.#policy = [...flavour.without, ...(flavour.others ?? [])].length === 0 ? policy : 'open'
    this.#binding = createDice(seed + 0xb1d)
    this.#bulk = createDice(seed + 0xb01c)
    this.#moving = createDice(seed + 0x30fe)
  }

  static async open(seed: number, parent: string, flavour: Flavour, clients: number, deck: Deck, policy: Policy): Promise<World> {
    const world = new World(seed, flavour, deck, policy)
    /** What was sealed to its variable opens nowhere else: what it is, by how the service has it. */
    const texts = new Map<string, string>()
    const key = new Uint8Array(32).fill(seed % 251)
    world.service = await startFuzzService(parent, { now: () => world.#clock })
    const pipe = createDice(seed + 0x91be)
    const isNarrow = deck === 'queues'
    const batch = isNarrow ? { entries: pipe.from(1, 4), window: pipe.from(1, 8) } : undefined
    const pageSize = pipe.from(1, 5)
    for (let n = 1; n <= clients; n += 1) {
      const player = new Player(
        `client${n}`,
        seed * 31 + n * 1009,
        parent,
        {
          ...world.service,
          fetch: behind(world.#without(`client${n}`), isNarrow ? inPages(pageSize, world.service.fetch) : world.service.fetch),
        },
        key,
        () => world.#clock,
        (one) => world.#network(one),
        isWhole(deck),
        world.#policy === 'bound' ? 'bound' : undefined,
        batch,
      )
      const { cipher } = player.client
      const { sealFor } = cipher
      cipher.sealFor = (text, place) => {
        const sealed = sealFor(text, place)
        texts.set(sealed, text)
        return sealed
      }
      world.players.push(player)
    }
    const isGuarded = ({ name }: { name: string }) => !world.#lacks(name, 'etags')
    const isBlind = ({ name }: { name: string }) => world.#lacks(name, 'rows')
    const open = (sealed: string) => texts.get(sealed) ?? (world.players[0] as Player).client.cipher.openUnverified(sealed)
    world.oracle = new Oracle(open, isGuarded, isBlind)
    world.#witness = new Witness(world.oracle)
    const operations = new OperationOracle(world.oracle)
    world.#operationOracle = operations
    world.#restoreOracle = new RestoreOracle(world.oracle, world.#witness)
    world.#moveOracle = new MoveOracle(world.oracle)
    const names = new NameOracle(world.oracle)
    world.#nameOracle = names
    for (const player of world.players)
      player.watch = (command, deed) =>
        world.#moveOracle.around(player, command, () => names.around(player, () => operations.around(player, command, deed)))
    const { dice, oracle, players } = world
    const rows = (player: Player, kind: RowKind) => world.#sorted(world.#rows(player, kind))
    world.#operations = new OperationDeeds({
      dice,
      oracle,
      operations,
      moves: world.#moveOracle,
      names,
      players,
      witness: world.#witness,
      rows,
      count: () => (world.#count += 1),
      screen: (player) => world.#screen(player),
      lingers: (player) => world.#lingers(player),
    })
    world.#names = new NameDeeds(dice, {
      look: (player) => world.#look(player),
      rename: (player, row, screen, name) =>
        world.#edit(player, name === null ? 'renameUnique' : 'rename', row, screen, ...(name === null ? [] : [name])),
      slug: (player, row, slug) => world.#place(player, 'slugPlace', undefined, row.id, slug),
      edit: (player, deed, row, screen) => world.#edit(player, deed, row, screen),
      create: (player, environmentId, name) => world.#create(player, environmentId, name),
      snapshot: (player, environmentId) => world.#operations.snapshotOf(player, environmentId),
      note: (text) => world.note(text),
    })
    world.#other = new OtherCommands({
      dice,
      oracle,
      operations,
      witness: world.#witness,
      restores: world.#restoreOracle,
      moves: world.#moveOracle,
      names,
      service: world.service,
      rows,
      count: () => (world.#count += 1),
      screen: (player) => world.#screen(player),
      steps: () => world.#steps,
      async syncOne(player) {
        world.#depth += 1
        const one = dice.chance(0.7) ? player : (dice.pick(players) ?? player)
        world.note(`${one.name} sync ${await world.#sync(one)}`)
        world.#depth -= 1
      },
    })
    return world
  }

  /** What is not offered to a client. */
  #without(name: string): readonly Lack[] {
    return name === 'client1' ? this.#flavour.without : (this.#flavour.others ?? this.#flavour.without)
  }

  #lacks(name: string, lack: Lack): boolean {
    return this.#without(name).includes(lack)
  }

  async close(): Promise<void> {
    for (const { client } of this.players) await client.close()
    await this.service.close()
  }

  note(text: string): void {
    this.trace.push(`${'  '.repeat(this.#depth)}${text}`)
  }

  #network(player: Player): Network {
    return async (forward, request) => {
      this.#clock += this.dice.from(1, 400)
      const { method } = request
      const path = pathOf(request)
      // Where nothing is listed nobody can see all that a rollback removes, and its preview says so.
      const isBlind = this.#lacks(player.name, 'rows')
      const before = new Map(player.readAt)
      const readAt = (environmentId: string): number => (isBlind ? -1 : (before.get(environmentId) ?? 0))
      const issued = this.#operationOracle.issued(player, method, path, readAt)
      let isLate = false
      const act = async (): Promise<Response> => {
        const answer = await forward()
        const now = method === 'GET' ? null : this.service.stored()
        const isCut = this.#flavour.bareLists && !this.#quiet && this.dice.chance(0.1)
        // Of a list without its end nobody has seen all.
        const listed = now === null && !isCut ? this.oracle.environmentAt(path) : null
        if (listed !== null) {
          // Of a list in pages, only what was there at the first of them has been read for sure.
          const begun = player.listing.get(listed) ?? this.oracle.moment
          player.listing.set(listed, begun)
          if (await isLastPage(answer)) {
            player.readAt.set(listed, begun)
            player.listing.delete(listed)
          }
        }
        if (method === 'GET' && path === '/changes' && (await isLastPage(answer)))
          for (const { id } of this.service.stored().environments) player.readAt.set(id, this.oracle.moment)
        if (now !== null)
          this.oracle.observe(player, now, method, path, (was) => {
            this.#operationOracle.compare(player, was, now, isLate ? [] : issued)
            this.#restoreOracle.compare(was, now, path)
            this.#moveOracle.compare(player, was, now)
            this.#nameOracle.compare(player, was, now, path)
          })
        return this.#flavour.bareLists ? bared(answer, isCut) : answer
      }
      if ((player.trying ?? player.key) === 'elsewhere') return this.#otherWorkspace(player, request)
      const label = `${player.name} ${request.method} ${request.path.replaceAll(/[0-9a-f-]{36}/g, '#')}`
      if (this.#quiet || player.mode === 'good') {
        if (!this.#quiet) await this.#interlude(player)
        const answer = await act()
        this.note(`${label} -> ${answer.status}`)
        if (!this.#quiet) await this.#interlude(player)
        return answer
      }
      const drawn = player.mode === 'offline' ? 'offline' : drawFault(this.dice)
      // Without a guard on the service, what arrives late may hurt: that race is known, and nothing on this side can close it.
      const unguarded = (drawn === 'late' || drawn === 'twice') && this.#without(player.name).length > 0 && request.method !== 'GET'
      const fault = unguarded ? 'before' : drawn
      await this.#interlude(player)
      this.note(`${label} -> ${fault}`)
      try {
        return await withFault(fault, act, (send) => {
          this.#late.push(() => {
            isLate = true
            return send()
          })
        })
      } finally {
        await this.#interlude(player)
        if (this.dice.chance(0.02)) {
          this.note(`${player.name} crashes`)
          player.crashes.push('network')
          player.crash()
        }
      }
    }
  }

  /** What a key of another workspace opens: beyond asking whose it is, nothing may be read or written with it. */
  async #otherWorkspace(player: Player, { method, path }: Parameters<Network>[1]): Promise<Response> {
    this.note(`${player.name} ${method} ${path.replaceAll(/[0-9a-f-]{36}/g, '#')} with the key of another workspace`)
    // A version that its user asks for by its id is none of that workspace.
    if (method === 'GET' && path.startsWith('/versions/')) {
      return Response.json({ success: false, code: 404, message: 'There is no such version.', data: {} }, { status: 404 })
    }
    if (path !== '/workspace') player.bugs.push(`${method} ${path} was sent with the key of another workspace`)
    const data = { id: 'another', name: 'Another', slug: 'another', icon: 'icon', createdAt: '2026-01-01T00:00:00.000Z' }
    return Response.json({ success: true, code: 200, message: 'OK', data })
  }

  /** While a request is under way, the others go on, and so does the user of this one. */
  async #interlude(player: Player): Promise<void> {
    // What goes on beside a sync is not waited for: something that began now might have to wait for it.
    if (player.ring !== null && !player.syncing) return
    // Where nothing is listed each name is a request, and users who go on editing keep a sync going.
    if (player.requests > 1_000) return
    if (this.#depth >= 2 || !this.dice.chance(this.#lacks(player.name, 'etags') ? 0.05 : 0.12)) return
    const life = player.life
    this.#depth += 1
    await this.step()
    this.#depth -= 1
    if (life !== player.life) this.note(`${player.name} is another by now`)
  }

  /** One thing happens. */
  async step(): Promise<void> {
    const player = this.dice.pick(this.players) as Player
    this.#clock += this.dice.from(1, 20_000)
    this.#steps += 1
    const deed = this.dice.weighted(decks[this.#deck] as Record<Deed, number>)
    this.oracle.checkConflicts(this.players)
    if (this.#policy === 'upgraded' && this.#binding.chance(0.06)) await this.#bind(this.#binding.pick(this.players) ?? player)
    const what = await this.#act(player, deed)
    if (what !== null) this.note(`${player.name} ${deed} ${what}`)
    this.check()
  }

  /** Somebody wants nothing taken any more but what is bound. */
  async #bind(player: Player): Promise<void> {
    const done = await player.command('unverified.bind', {})
    this.note(`${player.name} binds ${done.ok || done.error.kind}`)
  }

  /**
   * A rollback to a version from before the values were bound brings back what nobody has sealed to its variable, and one of an environment that was
   * deleted before they were sealed anew, and restored, what is superseded: its user has to look at it. So they have after a rollback that was done
   * and failed for their application.
   */
  async #acceptOld(player: Player): Promise<void> {
    const listed = await player.unverified()
    const values = new Map(player.client.unverified().map(({ id, fields }) => [id, this.oracle.plain(fields.value?.sealed)]))
    const isOld = (id: string, doubt: string) =>
      doubt === 'unbound'
        ? this.#policy === 'upgraded'
        : this.oracle.isRestored(values.get(id) ?? '') || this.#operationOracle.mayBeRolledBack(player)
    const rows = listed.flatMap(({ id, rev, doubt }) => (isOld(id, doubt) ? [{ id, seen: rev }] : []))
    if (rows.length === 0) return
    const done = await player.command('unverified.accept', { rows })
    this.note(`${player.name} accepts ${rows.length} ${done.ok}`)
  }

  check(): void {
    this.oracle.checkConflicts(this.players)
    this.oracle.check(this.players)
    this.#operationOracle.check(this.players)
    this.#moveOracle.check(this.players, this.service.stored())
    this.#nameOracle.check(this.players, this.service.stored())
    for (const { name, bugs } of this.players) if (bugs.length > 0) throw new Violation(`${name}: ${bugs.join()}`)
  }

  #rows(player: Player, kind: RowKind): Row[] {
    const { client } = player
    const projects = client.children('project', null)
    if (kind === 'project') return projects
    const environments = projects.flatMap(({ id }) => client.children('environment', id))
    return kind === 'environment' ? environments : environments.flatMap(({ id }) => client.children('variable', id))
  }

  /**
   * What a person acts on: the screens as they are now, or one that has been open while syncs and other people went on. Those stay open for
   * a few deeds, and none outlives a new start.
   */
  async #screen(player: Player): Promise<Screen> {
    const open = (this.#screens.get(player.name) ?? []).filter(({ life }) => life === player.life)
    const old = !this.#quiet && this.#eyes.chance(0.4) ? this.#eyes.pick(open) : undefined
    if (old !== undefined) {
      this.note(`${player.name} acts on a screen of revision ${old.rev}`)
      return old
    }
    const now = await this.#look(player)
    this.#screens.set(player.name, [...open, now].slice(-3))
    return now
  }

  async #look(player: Player): Promise<Screen> {
    const screen = await lookAt(player, this.oracle)
    this.#moveOracle.sees(player, screen)
    this.#nameOracle.sees(player, screen)
    // A screen looked at while a sync is under way counts too: its user acts on what it shows.
    this.#restoreOracle.sees(player)
    return screen
  }

  #token(): string {
    this.#count += 1
    return `${sentinel}${this.#count}`
  }

  #unique(kind: 'U' | 'Place'): string {
    this.#count += 1
    return kind === 'U' ? `U${this.#count}` : `Place ${this.#count}`
  }

  /** What happened, in words; null when there was nothing to do it to. */
  async #act(player: Player, deed: Deed): Promise<string | null> {
    const { dice } = this
    if (isOperationDeed(deed)) return this.#operations.act(player, deed)
    if (isKeyDeed(deed)) return playKeyDeed(player, deed, dice)
    if (isOtherDeed(deed)) return this.#other.act(player, deed)
    switch (deed) {
      case 'sync':
        return this.#sync(player)
      case 'set':
      case 'both':
      case 'shared':
      case 'rename':
      case 'renameUnique':
      case 'flags':
      case 'delete': {
        const screen = await this.#screen(player)
        const row = dice.pick(rowsOn(screen, 'variable'))
        return row === undefined ? null : this.#edit(player, deed, row, screen)
      }
      case 'batch':
      case 'long': {
        const said = []
        for (let n = deed === 'batch' ? dice.from(2, 5) : dice.from(8, 24); n > 0; n -= 1)
          said.push(await this.#act(player, dice.pick(['set', 'create', 'rename', 'delete'] as const) ?? 'set'))
        return said.join(' + ')
      }
      case 'create':
        return this.#create(player)
      case 'deleteMany':
      case 'classify':
      case 'copy':
      case 'move':
      case 'duplicate':
      case 'spread':
        return this.#many(player, deed)
      case 'merge':
      case 'replace':
        return this.#import(player, deed)
      case 'undo':
      case 'redo':
        return this.#turn(player, deed)
      case 'createParent':
      case 'renameParent':
      case 'slugPlace':
      case 'deleteParent':
        return this.#place(player, deed)
      case 'discard':
      case 'retry':
      case 'resolve': {
        const conflicts = player.client.queue().filter((change) => deed !== 'resolve' || change.state === 'conflict')
        const change = dice.pick(conflicts)
        return change === undefined ? null : this.#decide(player, deed, change)
      }
      case 'network':
        player.mode = dice.pick(['good', 'flaky', 'flaky', 'offline'] as const) ?? 'good'
        return player.mode
      case 'clock': {
        player.client.skew = dice.pick([0, 0, 3_600_000, -3_600_000, 40 * 86_400_000, -40 * 86_400_000]) ?? 0
        return String(player.client.skew)
      }
      case 'restart': {
        if (player.syncing) return null
        player.restart()
        return ''
      }
      case 'crashSoon': {
        if (!player.syncing) player.crashIn = dice.from(1, 12)
        return player.syncing ? null : this.#sync(player)
      }
      case 'key': {
        // A new key comes with a new engine, and never while one is at work.
        if (player.syncing) return null
        player.key = dice.pick(['good', 'good', 'bad', 'elsewhere'] as const) ?? 'good'
        player.restart()
        return player.key
      }
      case 'late':
        return this.#deliverOne()
      case 'overtaken':
        return this.#overtaken(player)
      case 'question':
        return this.#question(player)
      case 'movedAgain':
        return this.#movedAgain(player)
      case 'takesBack':
        return this.#takesBack(player)
      case 'names':
        return this.#namesPass(player)
      case 'deletedUnder':
        return this.#deletedUnder(player)
      case 'restoreDeleted':
      case 'forgetDeleted': {
        const parts = { dice, oracle: this.oracle, witness: this.#witness, restores: this.#restoreOracle, service: this.service }
        return deed === 'restoreDeleted' ? restoreDeleted(parts, player) : forgetDeleted(parts)
      }
    }
  }

  async #sync(player: Player): Promise<string | null> {
    if (player.syncing || (player.ring !== null && !(await player.canSync()))) return null
    player.syncBegan = this.oracle.moment + 1
    this.#restoreOracle.sees(player)
    this.note(`${player.name} begins to sync${player.crashIn === null ? '' : `, will crash at commit ${player.crashIn}`}`)
    const outcome = await player.sync()
    // What it took off the screen was not there to the end of a place that goes later, while the keys are locked.
    this.#restoreOracle.sees(player)
    return outcome
  }

  async #deliverOne(): Promise<string | null> {
    const at = this.dice.from(0, Math.max(0, this.#late.length - 1))
    const [send] = this.#late.splice(at, 1)
    if (send === undefined) return null
    await send()
    return 'arrives'
  }

  /** Whether a value still stands in some row that its user sees. */
  #shows(player: Player, value: string): boolean {
    return this.#rows(player, 'variable').some(({ fields }) => this.oracle.plain(fields.value?.sealed) === value)
  }

  /** Somebody has a row before their eyes, a colleague changes it, both sync, and then the first one does what they were about to do. */
  async #overtaken(player: Player): Promise<string | null> {
    const { dice } = this
    const other = dice.pick(this.players.filter((one) => one !== player && !one.syncing))
    if (other === undefined || player.syncing || this.#depth > 0) return null
    const screen = await this.#look(player)
    const drawn = dice.pick(overtakenDeeds) ?? 'set'
    const deed = drawn === 'deleteMany' && this.#bulk.chance(0.4) ? 'classify' : drawn
    const variables = rowsOn(screen, 'variable')
    const hasTwin = ({ id, name }: ShownRow) => variables.some((each) => each.name === name && each.id !== id)
    const row = dice.pick(variables.filter((each) => hasTwin(each) || (deed !== 'copy' && deed !== 'move' && deed !== 'spread')))
    const theirs = await this.#look(other)
    const theirRow = theirs.rows.get(other.client.localIdOf(player.client.remoteIdOf(row?.id ?? '') ?? '') ?? '')
    if (row === undefined || theirRow === undefined) return null
    const { life } = player
    const change = dice.pick(['set', 'set', 'both', 'rename', 'delete'] as const) ?? 'set'
    const done = deed === 'classify' ? 'flags' : change
    const bothMove = deed === 'move' && this.#moving.chance(0.5)
    this.#depth += 1
    if (bothMove) this.note(`${other.name} ${await this.#moveOne(other, theirRow, theirs)}`)
    else this.note(`${other.name} ${done} ${await this.#edit(other, done, theirRow, theirs)}`)
    for (const one of [other, player]) this.note(`${one.name} sync ${await this.#sync(one)}`)
    this.#depth -= 1
    if (player.life !== life) return 'and started anew'
    return bothMove ? this.#moveOne(player, row, screen) : `${deed} ${await this.#onAim(player, deed, { screen, row })}`
  }

  /** One variable goes to another environment; `over`: to one that has another of its name, in the place of that. */
  async #moveOne(player: Player, { id, parentId, name }: ShownRow, screen: Screen, over = false): Promise<string> {
    const hasTwin = (environment: ShownRow) => variablesOn(screen, environment.id).some((each) => each.name === name)
    const to = this.#moving.pick(rowsOn(screen, 'environment').filter((each) => each.id !== parentId && (!over || hasTwin(each))))
    if (to === undefined || parentId === null) return 'moves nothing'
    this.oracle.takesOut(player, [id], parentId)
    const onTaken = over ? 'overwrite' : 'skip'
    const input = { rows: asOn(screen, [id]), seen: screen.rev, environmentId: to.id, onTaken, move: true } as const
    const inTheWay = this.#moveOracle.inTheWay(player, [id], to.id)
    const rows = over && inTheWay !== null ? [id, inTheWay] : [id]
    const done = await this.#witness.around(player, { rows, screen }, () => player.command('variables.copy-to', input))
    const move = { ids: [id], from: parentId, to: to.id, inTheWay }
    if (done.ok) this.#moveOracle.moved(player, move, done.value.copied + done.value.overwritten)
    return `moveOne ${name} to ${to.slug}, ${onTaken}: ${JSON.stringify(done)}`
  }

  /** Somebody moves a variable, and touches it again, before that was sent or after it; a colleague may have been at it in between. */
  async #movedAgain(player: Player): Promise<string | null> {
    const { dice } = this
    const other = dice.pick(this.players.filter((one) => one !== player && !one.syncing))
    if (other === undefined || player.syncing || this.#depth > 0) return null
    const screen = await this.#look(player)
    const row = dice.pick(rowsOn(screen, 'variable'))
    if (row === undefined) return null
    const { life } = player
    this.#depth += 1
    this.note(`${player.name} ${await this.#moveOne(player, row, screen, dice.chance(0.3))}`)
    if (dice.chance(0.2)) this.note(`${other.name} ${await this.#meets(other, player, row.id)}`)
    if (dice.chance(0.3)) this.note(`${player.name} sync ${await this.#sync(player)}`)
    this.#depth -= 1
    if (player.life !== life) return 'and started anew'
    const now = await this.#look(player)
    const moved = now.rows.get(row.id)
    const next = dice.pick(movedDeeds) ?? 'set'
    return moved === undefined ? 'what is gone' : `${next} ${await this.#onMoved(player, next, { screen: now, row: moved }, row.parentId)}`
  }

  /** A colleague edits a variable or moves it, and syncs. */
  async #meets(other: Player, player: Player, rowId: string): Promise<string> {
    const theirs = await this.#look(other)
    const row = theirs.rows.get(other.client.localIdOf(player.client.remoteIdOf(rowId) ?? '') ?? '')
    if (row === undefined) return 'does not know it'
    const deed = this.dice.pick(['set', 'both', 'delete', 'move'] as const) ?? 'set'
    const done = deed === 'move' ? await this.#moveOne(other, row, theirs) : await this.#edit(other, deed, row, theirs)
    return `${deed} ${done}, sync ${await this.#sync(other)}`
  }

  /** `left`: the environment that the variable was moved out of. */
  async #onMoved(player: Player, deed: (typeof movedDeeds)[number], aim: Aim, left: string | null): Promise<string | null> {
    const { screen, row } = aim
    switch (deed) {
      case 'moveOn':
      case 'moveOver':
        return this.#moveOne(player, row, screen, deed === 'moveOver')
      case 'merge':
      case 'replace':
        return this.#import(player, deed, aim)
      case 'undo':
        return this.#turn(player, 'undo')
      case 'deletePlace':
        return left === null ? null : this.#place(player, 'deleteParent', undefined, left)
      default:
        return this.#edit(player, deed, row, screen)
    }
  }

  /** Somebody thinks about a question, a colleague changes what it is about, both sync, and then it is answered as it was shown. */
  async #question(player: Player): Promise<string | null> {
    const { dice } = this
    const other = dice.pick(this.players.filter((one) => one !== player && !one.syncing))
    if (other === undefined || player.syncing || this.#depth > 0) return null
    const { life } = player
    const open = () => player.client.queue().filter(({ state }) => state === 'conflict')
    /** The colleague does something to the row, or in the place, and both hear of it. */
    const meddle = async (rowId: string): Promise<boolean> => {
      this.#depth += 1
      const theirs = await this.#look(other)
      const row = theirs.rows.get(other.client.localIdOf(player.client.remoteIdOf(rowId) ?? '') ?? '')
      const done = dice.pick(['set', 'set', 'both', 'delete'] as const) ?? 'set'
      if (row?.kind === 'variable') this.note(`${other.name} ${done} ${await this.#edit(other, done, row, theirs)}`)
      else if (row !== undefined) {
        const inside = belowOn(theirs, row.id).filter(({ kind }) => kind === 'variable')
        const below = dice.chance(0.5) ? dice.pick(inside) : undefined
        if (below !== undefined) this.note(`${other.name} ${done} ${await this.#edit(other, done, below, theirs)}`)
        else this.note(`${other.name} create ${await this.#create(other, row.kind === 'environment' ? row.id : undefined)}`)
      }
      for (const one of [other, player]) this.note(`${one.name} sync ${await this.#sync(one)}`)
      this.#depth -= 1
      return player.life === life
    }
    if (open().length === 0) {
      const screen = await this.#look(player)
      const row = dice.pick(rowsOn(screen, dice.chance(0.5) ? 'environment' : 'variable'))
      if (row === undefined) return null
      const how = dice.pick(['set', 'both', 'delete'] as const) ?? 'set'
      const mine = row.kind === 'variable' ? this.#edit(player, how, row, screen) : this.#place(player, 'deleteParent', undefined, row.id)
      this.note(`${player.name} ${await mine}`)
      if (!(await meddle(row.id))) return 'and started anew'
    }
    const change = dice.pick(open())
    return change === undefined ? 'is not asked' : this.#decide(player, 'resolve', change, () => meddle(change.rowId))
  }

  /** Somebody edits something in a project or environment, a colleague deletes that, both sync, and the first one answers what they are asked. */
  async #deletedUnder(player: Player): Promise<string | null> {
    const { dice } = this
    const other = dice.pick(this.players.filter((one) => one !== player && !one.syncing))
    if (other === undefined || player.syncing || this.#depth > 0) return null
    const { life } = player
    this.#depth += 1
    this.note(`${player.name} sync ${await this.#sync(player)}`)
    const screen = await this.#look(player)
    const row = dice.pick(rowsOn(screen, 'variable'))
    const environment = screen.rows.get(row?.parentId ?? '')
    const place = dice.chance(0.25) ? screen.rows.get(environment?.parentId ?? '') : environment
    const theirs = await this.#look(other)
    const theirPlace = theirs.rows.get(other.client.localIdOf(player.client.remoteIdOf(place?.id ?? '') ?? '') ?? '')
    if (row !== undefined && theirPlace !== undefined && player.life === life) {
      if (dice.chance(0.3)) this.note(`${player.name} create ${await this.#create(player, row.parentId ?? undefined)}`)
      else this.note(`${player.name} set ${await this.#edit(player, dice.pick(['set', 'both', 'delete'] as const) ?? 'set', row, screen)}`)
      this.note(`${other.name} ${await this.#place(other, 'deleteParent', undefined, theirPlace.id)}`)
      for (const one of [other, player]) this.note(`${one.name} sync ${await this.#sync(one)}`)
    }
    this.#depth -= 1
    if (player.life !== life) return 'and started anew'
    const change = dice.pick(player.client.queue().filter(({ conflict }) => conflict?.kind === 'deleted-remotely'))
    return change === undefined || dice.chance(0.2) ? 'and is not answered' : this.#decide(player, 'resolve', change)
  }

  async #onAim(player: Player, deed: OvertakenDeed, aim: Aim): Promise<string | null> {
    if (deed === 'deleteParent') return this.#place(player, deed, aim)
    if (deed === 'merge' || deed === 'replace') return this.#import(player, deed, aim)
    return deed === 'set' || deed === 'both' || deed === 'delete'
      ? this.#edit(player, deed, aim.row, aim.screen)
      : this.#many(player, deed, aim)
  }

  /** What is done to some variables of one environment at once. */
  async #many(
    player: Player,
    deed: 'deleteMany' | 'classify' | 'copy' | 'move' | 'duplicate' | 'spread',
    aim?: Aim,
  ): Promise<string | null> {
    const { dice } = this
    const screen = aim?.screen ?? (await this.#screen(player))
    const environments = rowsOn(screen, 'environment')
    const twin = aim && rowsOn(screen, 'variable').find(({ id, name }) => name === aim.row.name && id !== aim.row.id)
    // What is copied or moved over the row that a colleague has been at is one of its name.
    const source = deed === 'deleteMany' || deed === 'classify' ? aim?.row : twin
    const from = aim === undefined ? dice.pick(environments) : environments.find(({ id }) => id === source?.parentId)
    const to = aim === undefined ? dice.pick(environments) : environments.find(({ id }) => id === aim.row.parentId)
    const present = from === undefined ? [] : variablesOn(screen, from.id)
    const some = present.filter(({ id }) => (aim === undefined ? dice.chance(deed === 'deleteMany' ? 0.3 : 0.5) : id === source?.id))
    const [first] = some
    if (from === undefined || to === undefined || first === undefined) return null
    const ids = some.map(({ id }) => id)
    const says = `${from.slug}/${some.map(({ name }) => name).join()}`
    const named = this.#witness.namesOf(player, some)
    const there = player.client.children('variable', to.id).filter(({ fields }) => named.has(fields.name ?? ''))
    const rows = asOn(screen, ids)
    switch (deed) {
      case 'deleteMany':
        await this.#witness.around(player, { rows: ids, screen }, () => player.command('variables.delete', { rows }))
        this.#moveOracle.deleted(player, ids)
        return says
      case 'classify': {
        const isSecret = dice.chance(0.5)
        const secrecy = () => new Map(this.#rows(player, 'variable').map(({ id, fields }) => [id, fields.isSecret]))
        const before = secrecy()
        const known = (id: string, was: boolean | undefined) => was === undefined || this.#witness.hasClassified(player, id, was)
        const unknown = some.filter(({ id, isSecret: shown }) => shown !== before.get(id) && !known(id, before.get(id)))
        await this.#witness.around(player, { rows: ids, screen }, () => player.command('variables.update-many', { rows, isSecret }))
        const after = secrecy()
        const isAsked = (id: string) => player.client.queue().some(({ rowId, conflict }) => rowId === id && conflict !== null)
        const unseen = unknown.find(({ id }) => before.get(id) !== after.get(id) && !isAsked(id))
        if (unseen !== undefined)
          throw new Violation(
            `${player.name}: ${unseen.name} was made ${isSecret ? '' : 'no '}secret over what others made it since it was shown`,
          )
        return `${says} ${isSecret}`
      }
      case 'copy':
      case 'move': {
        const move = deed === 'move'
        const onTaken = aim === undefined ? (dice.pick(['skip', 'overwrite'] as const) ?? 'skip') : 'overwrite'
        const input = { rows, seen: screen.rev, environmentId: to.id, onTaken, move }
        if (move) this.oracle.takesOut(player, ids, from.id)
        const about = { rows: [...there.map(({ id }) => id), ...(move ? ids : [])], screen }
        const inTheWay = this.#moveOracle.inTheWay(player, ids, to.id)
        const done = await this.#witness.around(player, about, () => player.command('variables.copy-to', input))
        if (move && done.ok)
          this.#moveOracle.moved(player, { ids, from: from.id, to: to.id, inTheWay }, done.value.copied + done.value.overwritten)
        return `${says} to ${to.slug}, ${onTaken}: ${JSON.stringify(done)}`
      }
      case 'duplicate':
        await this.#witness.around(player, { rows: [], screen }, () =>
          player.command('variables.duplicate', { id: first.id, seen: first.seen }),
        )
        return `${from.slug}/${first.name}`
      case 'spread': {
        const to = environments.map(({ id }) => {
          const cell = variablesOn(screen, id).find(({ name }) => name === first.name)
          return { environmentId: id, seen: cell?.seen ?? screen.rev }
        })
        const theirs = environments.flatMap(({ id }) => player.client.children('variable', id))
        const names = this.#witness.namesOf(player, [first])
        const about = theirs.filter(({ id, fields }) => names.has(fields.name ?? '') && id !== first.id).map(({ id }) => id)
        await this.#witness.around(player, { rows: about, screen }, () =>
          player.command('compare.copy', { from: { id: first.id, seen: first.seen }, to }),
        )
        return `${from.slug}/${first.name}`
      }
    }
  }

  /** A .env text over some of the names of an environment; `replace` deletes the others. */
  async #import(player: Player, mode: 'merge' | 'replace', aim?: Aim): Promise<string | null> {
    const { dice, oracle } = this
    const screen = aim?.screen ?? (await this.#screen(player))
    const environments = rowsOn(screen, 'environment')
    const environment = aim === undefined ? dice.pick(environments) : environments.find(({ id }) => id === aim.row.parentId)
    if (environment === undefined) return null
    const present = player.client.children('variable', environment.id)
    // A "replace" import leaves the row in question out, and so deletes it.
    const isIn = (name: string) => (name === aim?.row.name ? mode === 'merge' : dice.chance(0.5))
    const names = aim === undefined || pool.includes(aim.row.name) ? pool : [...pool, aim.row.name]
    const lines = names.flatMap((name) => (isIn(name) ? [{ name, value: this.#token() }] : []))
    // Two variables have the name while that is in question: the import takes neither, and says so.
    const isTwice = (name: string | undefined) => present.filter(({ fields }) => fields.name === name).length > 1
    const isNamed = (name: string | undefined) => lines.some((line) => line.name === name)
    const text = lines.map(({ name, value }) => `${name}="${value}"`).join('\n')
    const rows = present.filter(({ fields: { name } }) => (isNamed(name) ? !isTwice(name) : mode === 'replace')).map(({ id }) => id)
    const done = await this.#witness.around(player, { rows, screen }, () =>
      player.command('import.apply', { environmentId: environment.id, text, format: 'env', mode, seen: screen.rev }),
    )
    // What the screen showed under these names was seen, also where it has gone with its environment since.
    const shownAs = (wanted: string) => variablesOn(screen, environment.id).flatMap(({ name, value }) => (name === wanted ? [value] : []))
    for (const { name, value } of done.ok ? lines.filter((line) => !isTwice(line.name)) : []) {
      oracle.typed(player, value)
      oracle.saw(value, shownAs(name))
    }
    return `${environment.slug}: ${lines.map(({ name, value }) => `${name} = ${value}`).join()} ${JSON.stringify(done)}`
  }

  async #turn(player: Player, direction: 'undo' | 'redo'): Promise<string | null> {
    const said = await this.#turnOnce(player, direction)
    const isTurned = said !== null && direction === 'undo' && this.dice.chance(0.3)
    return isTurned ? `${said} + redo ${await this.#turn(player, 'redo')}` : said
  }

  async #turnOnce(player: Player, direction: 'undo' | 'redo', then: () => void = () => undefined): Promise<string | null> {
    const step = player.next(direction)
    if (step === null) return null
    const queued = new Set(player.client.queue().map(({ rowId }) => rowId))
    const wasSent = step.rows.some((id) => !player.client.shows(id) && !queued.has(id))
    // It asks the service, and would wait for the request that goes on meanwhile.
    if (direction === 'undo' && wasSent && player.syncing) return `${step.label} waits for a sync`
    const done = await this.#witness.around(player, { rows: step.rows, screen: null, bringsBack: true }, () =>
      player.command(`undo.${direction}`, {}),
    )
    if (done.ok) then()
    return `${step.label} ${done.ok}`
  }

  /** Somebody deletes a project or environment, which is sent, and undoes that: the service restores its records as they were. */
  async #takesBack(player: Player): Promise<string | null> {
    if (player.syncing || this.#depth > 0) return null
    const { life } = player
    // Nobody does anything else before it is sent.
    this.#depth += 2
    player.mode = 'good'
    this.note(`${player.name} sync ${await this.#sync(player)}`)
    const screen = await this.#look(player)
    const place = this.dice.pick(rowsOn(screen, this.dice.chance(0.25) ? 'project' : 'environment'))
    const deleted = place && player.life === life ? await this.#place(player, 'deleteParent', undefined, place.id) : null
    const sent = deleted?.endsWith('done') ? await this.#sync(player) : null
    this.note(`${player.name} deleteParent ${deleted}, sync ${sent}`)
    this.#depth -= 2
    if (place === undefined || player.life !== life) return 'and started anew'
    if (sent !== 'done' || player.syncing || player.next('undo')?.rows.includes(place.id) !== true) return `nothing: ${deleted}`
    const remoteId = this.#restoreOracle.remoteIdOf(player, place.id) ?? ''
    const isReached =
      player.mode === 'good' && player.client.remote.profile()?.kind === 'full' && player.client.engine.status().phase === 'idle'
    const isKept = isReached && player.key !== 'elsewhere' && this.#restoreOracle.isKept(remoteId)
    const since = this.oracle.moment
    return this.#turnOnce(player, 'undo', () => {
      if (isKept && player.life === life) this.#restoreOracle.isBack(player, remoteId, isKept, since)
    })
  }

  /** Somebody passes names on, a colleague is at the same rows or does the like, and both sync, one after the other. */
  async #namesPass(player: Player): Promise<string | null> {
    const { dice } = this
    const other = dice.pick(this.players.filter((one) => one !== player && !one.syncing))
    if (other === undefined || player.syncing || this.#depth > 0) return null
    const between = async (one: Player): Promise<void> => {
      if (dice.chance(0.12)) this.note(`${one.name} sync ${await this.#sync(one)}`)
    }
    this.#depth += 1
    if (dice.chance(0.5)) for (const one of [player, other]) this.note(`${one.name} sync ${await this.#sync(one)}`)
    const mine = await this.#names.play(player, () => between(player))
    const theirs = dice.pick(['names', 'names', 'meets', 'place', 'nothing', 'nothing'] as const)
    if (theirs === 'names') this.note(`${other.name} names ${await this.#names.play(other, () => between(other))}`)
    else if (theirs === 'place') this.note(`${other.name} deleteParent ${await this.#place(other, 'deleteParent')}`)
    else if (theirs === 'meets') {
      const row = dice.pick(rowsOn(await this.#look(player), 'variable'))
      if (row !== undefined) this.note(`${other.name} ${await this.#meets(other, player, row.id)}`)
    }
    const inTurn = dice.chance(0.5) ? [player, other] : [other, player]
    if (dice.chance(0.7)) for (const one of inTurn) this.note(`${one.name} sync ${await this.#sync(one)}`)
    this.#depth -= 1
    return mine
  }

  /** In an order that does not depend on ids. */
  #sorted(rows: Row[]): Row[] {
    const key = ({ fields }: Row) => `${fields.slug ?? ''}/${fields.name ?? ''}/${this.oracle.plain(fields.value?.sealed)}`
    return rows.toSorted((a, b) => (key(a) < key(b) ? -1 : 1))
  }

  async #edit(
    player: Player,
    deed: 'set' | 'both' | 'shared' | 'rename' | 'renameUnique' | 'flags' | 'delete',
    row: ShownRow,
    screen: Screen,
    /** The new name of a variable, where it is not drawn. */
    as?: string,
  ): Promise<string> {
    const { client } = player
    const { dice, oracle } = this
    const known = this.#witness.known(player, row.id, screen)
    const now = this.#rows(player, 'variable').find(({ id }) => id === row.id)
    const was = oracle.plain(now?.fields.value?.sealed)
    const gaveUpWas = () => {
      oracle.gaveUp(player, was)
      if (this.#shows(player, was)) oracle.stands(player, was)
    }
    if (deed === 'delete') {
      oracle.gaveUpAll(player, row.id)
      await oracle.user(player, [row.id], () => player.command('variables.delete', { rows: asOn(screen, [row.id]) }))
      oracle.deletes(player, [row.name, now?.fields.name ?? '', ...known], null)
      gaveUpWas()
      this.#moveOracle.deleted(player, [row.id])
      return `${row.name} (${row.value})`
    }
    const value = deed === 'set' || deed === 'both' ? this.#token() : deed === 'shared' ? `shared~${dice.from(1, 2)}` : undefined
    const unique = deed === 'renameUnique' || (deed === 'both' && dice.chance(0.5)) ? this.#unique('U') : undefined
    const name = as ?? unique ?? (deed === 'rename' || deed === 'both' ? dice.pick(pool) : undefined)
    const input = {
      ...(value === undefined ? {} : { value }),
      ...(name === undefined ? {} : { name }),
      ...(deed === 'flags' ? { isSecret: dice.chance(0.5), type: dice.pick(['string', 'number', 'boolean'] as const) ?? 'string' } : {}),
    }
    // To edit what a repair parked is to send it, like sending it again: whatever somebody did with the record that was forgotten.
    const isRecovered = ({ rowId, state, reason }: Change) =>
      rowId === row.id && state === 'failed' && reason?.startsWith('Recovered') === true
    if (client.queue().some(isRecovered)) this.#bringsBackAt(player, row.id)
    const done = await oracle.user(player, [row.id], () => player.command('variables.update', { id: row.id, seen: row.seen, ...input }))
    if (done.ok) this.#checkShown(player, row, input)
    if (done.ok && input.isSecret !== undefined) this.#witness.classifies(player, row.id, input.isSecret)
    if (done.ok && name !== undefined) this.#witness.names(player, row.id, name)
    // What is saved under the name that its screen shows is not renamed.
    if (done.ok && name !== undefined && name !== row.name) this.#nameOracle.renamed(player, row.id, name)
    if (done.ok && name !== undefined) for (const old of [row.name, now?.fields.name ?? '']) if (old !== name) oracle.gaveUp(player, old)
    if (done.ok && value !== undefined) {
      this.#witness.puts(player, row.id, value)
      // A value that many type has no history of its own: what it covered is remembered for its row.
      if (isToken(value)) oracle.typed(player, value, known)
      else for (const old of known) this.#witness.cover(player, row.id, old)
      gaveUpWas()
    }
    if (done.ok && unique !== undefined) oracle.typed(player, unique)
    return `${row.name} (${row.value}) ${JSON.stringify(input)} ${done.ok}`
  }

  /** What was typed over something else is what its user is shown. Names are of the other model. */
  #checkShown(
    player: Player,
    { id, name, value: was, isSecret: wasSecret }: ShownRow,
    typed: { value?: string; isSecret?: boolean },
  ): void {
    const now = this.#rows(player, 'variable').find((each) => each.id === id)?.fields
    // Deleted on another screen meanwhile, it is not shown.
    if (now === undefined) return
    const value = this.oracle.plain(now.value?.sealed)
    if (typed.value !== undefined && typed.value !== was && typed.value !== value)
      throw new Violation(`${player.name} typed ${typed.value} into ${name} over ${was}, and is shown ${value}`)
    if (typed.isSecret !== undefined && typed.isSecret !== wasSecret && typed.isSecret !== now.isSecret)
      throw new Violation(`${player.name} made ${name} ${typed.isSecret ? 'a secret' : 'none'}, and it is ${String(now.isSecret)}`)
  }

  async #create(player: Player, where?: string, as?: string): Promise<string | null> {
    const { dice, oracle } = this
    const screen = await this.#screen(player)
    const environment = dice.pick(rowsOn(screen, 'environment').filter(({ id }) => where === undefined || id === where))
    if (environment === undefined) return null
    const unique = as === undefined && dice.chance(0.2) ? this.#unique('U') : null
    const name = as ?? unique ?? dice.pick(pool) ?? 'A'
    if (variablesOn(screen, environment.id).some((row) => row.name === name)) return null
    const value = dice.chance(0.1) ? `shared~${dice.from(1, 2)}` : this.#token()
    const input = { environmentId: environment.id, name, value, type: 'string', isSecret: false } as const
    const done = await oracle.user(player, [], () => player.command('variables.create', input))
    if (done.ok && value.startsWith(sentinel)) oracle.typed(player, value)
    if (done.ok && unique !== null) oracle.typed(player, unique)
    return `${environment.slug}/${name} = ${value}${done.ok ? '' : ` ${done.error.kind}`}`
  }

  async #place(
    player: Player,
    deed: 'createParent' | 'renameParent' | 'slugPlace' | 'deleteParent',
    aim?: Aim,
    only?: string,
    /** The new slug of a place, where it is not drawn. */
    as?: string,
  ): Promise<string | null> {
    const { dice, oracle } = this
    const drawn = only === undefined && dice.chance(0.2) ? 'project' : 'environment'
    const screen = aim?.screen ?? (await this.#screen(player))
    const kind = screen.rows.get(only ?? '')?.kind === 'project' ? 'project' : drawn
    if (deed === 'createParent') {
      const name = dice.chance(0.5) ? this.#unique('Place') : (dice.pick(['Prod', 'Dev', 'Test']) ?? 'Prod')
      const project = dice.pick(rowsOn(screen, 'project'))
      if (kind === 'environment' && project === undefined) return null
      const done = await oracle.user<Result<unknown>>(player, [], () =>
        kind === 'project' || project === undefined
          ? player.command('projects.create', { name })
          : player.command('environments.create', { projectId: project.id, name }),
      )
      if (done.ok && name.startsWith('Place ')) oracle.typed(player, name)
      return `${kind} ${name} ${done.ok}`
    }
    const onAim = rowsOn(screen, kind).filter(({ id }) => aim === undefined || belowOn(screen, id).some((each) => each.id === aim.row.id))
    const row = dice.pick(onAim.filter(({ id }) => only === undefined || id === only))
    if (row === undefined) return null
    const { id, seen } = row
    if (deed === 'deleteParent') {
      if (kind === 'project' && only === undefined && dice.chance(0.7)) return null
      const below = new Set([...belowOn(screen, id).map((each) => each.id), id, ...player.client.below(id).map((each) => each.id)])
      const known = [...below].flatMap((each) => [screen.rows.get(each)?.name ?? '', ...this.#witness.known(player, each, screen)])
      const done = await oracle.user(player, [id], () => player.command(`${kind}s.delete`, { id, seen }))
      if (done.ok) {
        // Its table is closed with it, and an editor in that.
        this.#screens.delete(player.name)
        oracle.deletes(player, known, id)
        oracle.gaveUpAll(player, id)
        this.#operationOracle.sawVersions(player, screen.versions)
      }
      return `${kind} ${row.slug} ${done.ok ? 'done' : done.error.kind}`
    }
    if (deed === 'slugPlace') {
      const slug = as ?? dice.pick(slugs) ?? 'x'
      const done = await oracle.user(player, [id], () => player.command(`${kind}s.update`, { id, seen, slug }))
      if (done.ok && slug !== row.slug) this.#nameOracle.renamed(player, id, slug)
      return `${kind} ${row.slug} -> ${slug} ${done.ok}`
    }
    const name = this.#unique('Place')
    const was = player.client.children(kind, row.parentId).find((each) => each.id === id)?.fields.name ?? ''
    const done = await oracle.user(player, [id], () => player.command(`${kind}s.update`, { id, seen, name }))
    if (done.ok) oracle.typed(player, name, [row.name, was])
    return `${kind} ${row.slug} ${name} ${done.ok}`
  }

  /** The values that a row and everything below it wait to send. */
  #waitingAt({ client }: Player, row: string): string[] {
    const below = client.queue().filter(({ rowId, ancestors }) => rowId === row || ancestors.includes(row))
    return below.map(({ patch }) => this.oracle.plain(patch.value?.sealed))
  }

  /** These come back by their user's choice. */
  #bringsBackAt(player: Player, row: string): void {
    this.oracle.bringsBack(this.#waitingAt(player, row))
  }

  async #decide(
    player: Player,
    deed: 'discard' | 'retry' | 'resolve',
    listed: Change,
    meanwhile = () => this.#lingers(player),
  ): Promise<string> {
    const { dice, oracle } = this
    const { client } = player
    // An answer to the question before it may have changed this one since it was listed.
    const change = client.queue().find(({ id }) => id === listed.id) ?? listed
    const what = `${change.kind} ${change.rowKind} ${change.patch.name ?? change.base?.name ?? ''} ${change.state}`
    if (deed !== 'resolve') {
      if (deed === 'discard') {
        const done = await oracle.user(player, [change.rowId], () => player.command('queue.discard', { changeId: change.id }))
        if (!done.ok) return `${what} ${done.error.kind}`
        // An older edit of another row may hold the same text still, which was typed over or deleted there.
        const shown = oracle.shownTo(player)
        for (const text of oracle.tokensOf(change)) if (!shown.has(text)) oracle.gaveUp(player, text)
      } else {
        // Sent anew by choice, with all below it, whatever somebody did with what an earlier try of it made or a repair forgot.
        this.#bringsBackAt(player, change.rowId)
        await oracle.user(player, [], () => player.command('queue.retry', { changeId: change.id }))
      }
      return what
    }
    const fingerprint = client.conflict(change.id)?.fingerprint ?? ''
    const kind = change.conflict?.kind
    const theirs = oracle.plain(change.conflict?.remote?.value?.sealed)
    this.#moveOracle.isAt(player, change.rowId, change.conflict?.remote?.parent ?? null)
    this.#nameOracle.isCalled(player, change.rowId, naturalKey(change.rowKind, change.conflict?.remote ?? {}))
    const mine = oracle.plain(change.patch.value?.sealed)
    const taken = kind === 'name-taken'
    const drawn = dice.pick(taken ? (['mine', 'theirs', 'edit', 'edit'] as const) : (['mine', 'mine', 'theirs', 'edit'] as const)) ?? 'mine'
    // The question whether a place goes with what is new in it has nothing to edit: text is refused, and decides nothing.
    const isRefused = drawn === 'edit' && kind === 'changed-below'
    const take = isRefused ? 'mine' : drawn
    const shown = oracle.plain(this.#rows(player, 'variable').find(({ id }) => id === change.rowId)?.fields.value?.sealed)
    const below = kind === 'changed-below' ? player.shownBelow(change.id).map((sealed) => oracle.plain(sealed)) : []
    if (!(await meanwhile())) return `${what} is closed`
    const { id: changeId, rowId } = change
    const resolve = (choice: Commands['conflicts.resolve']['args']['choice']) =>
      oracle.user(player, [rowId], () => player.command('conflicts.resolve', { changeId, fingerprint, choice }))
    if (isRefused && (await resolve({ take: 'edit', fields: { name: 'Typed' } })).ok)
      throw new Violation(`${player.name}: text was taken for an answer to ${what}`)
    const back = kind === 'deleted-remotely' || taken ? this.#waitingAt(player, rowId) : []
    // With a place comes back all that was deleted in it.
    const restored = () => (kind === 'deleted-remotely' && change.rowKind !== 'variable' ? this.#waitingAt(player, rowId) : [])
    const covered = this.#witness.covered(player, rowId)
    const deleted =
      kind === 'deleted-remotely' && change.rowKind !== 'variable' && change.kind === 'create' ? change.conflict?.remoteId : null
    const since = oracle.moment
    const profile = client.remote.profile()?.kind ?? 'unknown'
    const isKept = deleted != null && profile === 'full' && take === 'mine' && this.#restoreOracle.isKept(deleted)
    // It asks the service, also for a profile that is not known yet, and would wait for the request that goes on meanwhile.
    if (deleted != null && (profile === 'full' || profile === 'unknown') && take === 'mine' && player.syncing)
      return `${what} waits for a sync`
    // In a project that its user has deleted, too, nothing is on the screen.
    const queuedBefore = new Set(client.queue().map((each) => each.rowId))
    const cameBack = () => {
      this.#witness.madeAgain(player, queuedBefore)
      if (deleted != null && change.ancestors.every((id) => client.shows(id))) this.#restoreOracle.isBack(player, deleted, isKept, since)
    }
    if (take === 'theirs') {
      const done = await resolve({ take })
      if (!done.ok) return `${what} theirs (${theirs}) ${done.error.kind}`
      if (change.kind === 'delete') oracle.standsAll(player, rowId)
      // What waits behind it on the row is answered by somebody who has seen theirs.
      if (theirs !== '') this.#witness.cover(player, rowId, theirs)
      return `${what} theirs (${theirs})`
    }
    oracle.saw(mine, [theirs])
    const waiting = client.queue().flatMap((each) => (each.rowId === rowId ? [oracle.plain(each.patch.value?.sealed)] : []))
    if (take === 'mine') {
      const done = await resolve({ take })
      if (!done.ok) return `${what} mine (${mine} over ${theirs}) ${done.error.kind}`
      cameBack()
      oracle.bringsBack([...back, ...restored()])
      // What waits on the row is its user's own, and goes with it.
      const gone = [theirs, ...covered, ...below, ...waiting]
      if (change.kind === 'delete') oracle.deletes(player, gone, change.rowKind === 'variable' ? null : rowId)
      // Undone later, the deletion gives back what its user had, over theirs, which the question showed.
      if (change.kind === 'delete' && theirs !== '') this.#witness.cover(player, rowId, theirs)
      // So do the versions that came: it counts them.
      if (kind === 'changed-below') this.#operationOracle.seesVersions(player)
      // What is typed in a place counts with it: the question shows it, and it is in the history once the place is deleted.
      if (kind === 'changed-below') oracle.gaveUpAll(player, rowId)
      // And what waits behind it on the row goes over mine, as its user typed it.
      for (const { rowId: of, seq, patch } of client.queue()) {
        const later = oracle.plain(patch.value?.sealed)
        if (of === rowId && seq > change.seq && isToken(later)) oracle.saw(later, [mine, theirs])
      }
      // What somebody made of mine before its answer came may be there under another name: mine is then there twice, by choice.
      if (taken) oracle.copied(mine)
      return `${what} mine (${mine} over ${theirs})`
    }
    const name = this.#unique('U')
    const value = change.rowKind === 'variable' && !taken ? this.#token() : undefined
    const place = change.rowKind === 'variable' ? {} : { slug: name.toLowerCase() }
    const fields: { name?: string; slug?: string; value?: string } = taken ? { name, ...place } : value === undefined ? { name } : { value }
    const done = await resolve({ take, fields })
    if (!done.ok) return `${what} edit ${JSON.stringify(fields)} over ${theirs} ${done.error.kind}`
    cameBack()
    oracle.bringsBack([...back, ...restored()])
    if (change.kind === 'delete') oracle.deletes(player, [theirs, ...covered, ...below], null)
    // Another name keeps both, also when theirs is what somebody made of mine before its answer came, or has the same value.
    if (taken) oracle.bringsBack([mine, shown])
    // Below what the user has deleted meanwhile the answer is moot, though it may be sent before the delete.
    const isMoot = !client.shows(rowId)
    if (value !== undefined) {
      this.#witness.puts(player, rowId, value)
      // What was typed after the edit in conflict is older than the answer to it, and so is the answer to another question about the row.
      const over = [mine, theirs, shown, oracle.plain(change.base?.value?.sealed), ...covered, ...waiting]
      if (isMoot) oracle.typedInVain(player, value)
      else oracle.typed(player, value, [mine === '' ? theirs : mine])
      oracle.saw(value, over)
      oracle.gaveUp(player, shown)
      if (this.#shows(player, shown)) oracle.stands(player, shown)
      if (kind === 'deleted-remotely') oracle.bringsBack([value])
    }
    if (fields.name !== undefined) this.#witness.names(player, rowId, name)
    if (fields.name !== undefined && !isMoot) oracle.typed(player, name)
    return `${what} edit ${JSON.stringify(fields)} over ${theirs}`
  }

  /** Somebody thinks about a question while the others, and syncs, go on; false: their application started anew, and the question is off the screen. */
  async #lingers(player: Player): Promise<boolean> {
    if (this.#quiet || this.#depth >= 2 || !this.#eyes.chance(0.3)) return true
    const { life } = player
    this.#depth += 1
    for (let steps = this.#eyes.from(1, 3); steps > 0; steps -= 1) await this.step()
    this.#depth -= 1
    return life === player.life
  }

  /** A project with two environments and some variables, on every client. */
  async begin(): Promise<void> {
    const [first] = this.players as [Player]
    first.client.createProject('Shop')
    for (const name of ['Prod', 'Dev']) first.client.createEnvironment('shop', name)
    for (let n = 0; n < pool.length; n += 1) await this.#create(first)
    await first.sync()
    for (const player of this.players.slice(1)) {
      if (isWhole(this.#deck) && this.#lacks(player.name, 'rows')) await this.#other.trackAll(player)
      await player.sync()
    }
    this.check()
  }

  /** The network heals, every question is answered, everything is sent: then all must agree with the service. */
  async #takeBackDeletions(player: Player): Promise<void> {
    for (const change of player.client.queue().filter(({ kind, rowKind }) => kind === 'delete' && rowKind !== 'variable'))
      this.note(`${player.name} ${await this.#decide(player, 'discard', change)}`)
  }

  async quieten(): Promise<void> {
    this.#quiet = true
    this.note('--- quiet')
    while (this.#late.length > 0) await this.#deliverOne()
    for (const player of this.players) {
      player.mode = 'good'
      if (player.key === 'elsewhere') player.restart()
      player.key = 'good'
      player.client.skew = 0
      await player.openKeys()
    }
    for (let round = 0; round < 40; round += 1) {
      this.#clock += 3_600_000
      for (const player of this.players) {
        player.syncBegan = this.oracle.moment + 1
        await player.sync()
        if (this.#policy === 'upgraded' && player.client.policy() === 'open') await this.#bind(player)
        if (this.#policy !== 'open') await this.#acceptOld(player)
        for (const change of player.client.queue()) {
          // One decision may take others with it.
          if (!player.client.queue().some(({ id }) => id === change.id)) continue
          if (change.state === 'conflict') this.note(`${player.name} ${await this.#decide(player, 'resolve', change)}`)
          else if (change.state === 'failed' || change.state === 'blocked') {
            const said = await this.#decide(player, round % 2 === 0 ? 'retry' : 'discard', change)
            this.note(`${player.name} ${said}`)
            // A move out of a place that is deleted since: the refusal says to take back that deletion first.
            if (said.endsWith('invalid-input')) await this.#takeBackDeletions(player)
          }
        }
        for (const operation of player.client.operations()) {
          const deed = operation.state === 'conflict' ? 'resolveOperation' : round % 2 === 0 ? 'retryOperation' : 'discardOperation'
          if (isParked(operation)) this.note(`${player.name} ${await this.#operations.decide(player, deed, operation.id)}`)
        }
        this.check()
      }
      if (round > 1) this.#checkLimits()
      const isEmpty = this.players.every(({ client }) => client.queue().length + client.operations().length === 0)
      if (round > 1 && isEmpty && (await this.#differences()).length === 0) return
    }
    const acting = this.players.flatMap(({ name, client }) =>
      client.operations().map(({ kind, state, reason }) => `${name}: ${kind} ${state} ${reason}`),
    )
    const waiting = this.players.flatMap(({ name, client }) =>
      client.queue().map(({ kind, rowKind, patch, state, reason }) => `${name}: ${kind} ${rowKind} ${patch.name ?? ''} ${state} ${reason}`),
    )
    throw new Violation(`never quiet: ${[...waiting, ...acting, ...(await this.#differences())].join('\n')}`)
  }

  /** What each client has found out by itself about what the service offers it. */
  #checkLimits(): void {
    if (!isWhole(this.#deck)) return
    for (const { name, client } of this.players) {
      const expected = this.#lacks(name, 'feed') ? 'basic' : 'full'
      const kind = client.remote.profile()?.kind
      if (kind !== undefined && kind !== expected) throw new Violation(`${name} takes its service for a ${kind} one, and it is ${expected}`)
    }
  }

  /** Where a mirror differs from the service, by what the user sees. */
  async #differences(): Promise<string[]> {
    const { projects, environments, variables } = this.service.stored()
    const placeOf = new Map<string, string>(projects.map(({ id, slug }) => [id, slug]))
    for (const { id, parent_id: parent, slug } of environments) placeOf.set(id, `${placeOf.get(parent ?? '')}/${slug}`)
    const rows = [
      ...projects.map(({ id, name, slug }) => ({ path: slug, text: `project ${id} ${name} ${slug}` })),
      ...environments.map(({ id, parent_id, name, slug }) => ({
        path: placeOf.get(id) ?? '',
        text: `environment ${id} in ${parent_id}: ${name} ${slug}`,
      })),
      ...variables.map(({ id, environment_id, name, value, type, is_secret }) => ({
        path: `${placeOf.get(environment_id)}/${name}`,
        text: `variable ${id} in ${environment_id}: ${name} ${this.oracle.plain(value)} ${type} ${is_secret}`,
      })),
    ].toSorted((a, b) => (a.text < b.text ? -1 : 1))
    const differences: string[] = []
    for (const player of this.players) {
      const isBlind = this.#lacks(player.name, 'rows')
      const tracked = isBlind ? await player.trackedPaths() : null
      // Where a variable is read by itself, nothing says its type and whether it is secret.
      const said = (text: string) => (isBlind && text.startsWith('variable') ? text.split(' ').slice(0, -2).join(' ') : text)
      const all = new Set(rows.map(({ text }) => said(text)))
      const due = rows.filter(({ path }) => tracked?.has(path) ?? true).map(({ text }) => said(text))
      const seen = player.client.rowsAsStored((sealed) => this.oracle.plain(sealed)).map(said)
      for (const text of due) if (!seen.includes(text)) differences.push(`${player.name} lacks ${text}`)
      for (const text of seen) if (!all.has(text)) differences.push(`${player.name} has ${text}`)
      if (this.#policy === 'open') continue
      const { client } = player
      if (client.policy() !== 'bound') differences.push(`${player.name} takes values that are bound to nothing`)
      // Nobody lies: whatever looked like it has been put right by whoever did it.
      for (const { fields } of client.unverified())
        differences.push(`${player.name} takes ${fields.name} = ${this.oracle.plain(fields.value?.sealed)} for Unverified`)
    }
    return differences
  }

  /** No file of any client may hold a value in plain. */
  checkDisks(): void {
    for (const { name, client } of this.players) {
      for (const entry of readdirSync(client.dir, { recursive: true, withFileTypes: true })) {
        const file = join(relative(client.dir, entry.parentPath), entry.name)
        if (entry.isFile() && readFileSync(join(client.dir, file)).includes(sentinel))
          throw new Violation(`${name}: a value lies in plain in ${file}`)
      }
    }
  }

  async run(steps: number): Promise<void> {
    await this.begin()
    for (let n = 0; n < steps; n += 1) await this.step()
    await breathe()
    await this.quieten()
    this.checkDisks()
  }
}

/** A way to a service that gives its feed and its lists in pages of at most `limit` records. */
const inPages =
  (limit: number, send: typeof fetch): typeof fetch =>
  (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    if ((init?.method ?? 'GET') === 'GET' && /\/(changes|projects|environments|variables|versions|members|roles)$/.test(url.pathname))
      url.searchParams.set('limit', String(limit))
    return send(url, init)
  }

/** Whether an answer is the last page of the feed, or of a list. */
async function isLastPage(answer: Response): Promise<boolean> {
  if (!answer.ok) return true
  const { data } = (await answer.clone().json()) as { data: { more?: boolean; nextCursor?: string | null } }
  return data.more === undefined ? data.nextCursor == null : !data.more
}

/** A list as a plain array, where the answer is one; `isCut`: without its end, as no field says. */
async function bared(answer: Response, isCut: boolean): Promise<Response> {
  const text = await answer.text()
  const headers = new Headers(answer.headers)
  headers.delete('content-length')
  const body = text === '' ? null : (JSON.parse(text) as { data?: { items?: unknown; nextCursor?: unknown } })
  const items: unknown = body?.data?.items
  const isList = Array.isArray(items) && body?.data?.nextCursor === null
  const bare = isList ? JSON.stringify({ ...body, data: isCut ? items.slice(0, -1) : items }) : text
  return new Response(bare, { status: answer.status, headers })
}

/** The path of a request, with what `POST /changes` says in its body: a rollback and a version go alone there. */
function pathOf({ method, path, body }: Parameters<Network>[1]): string {
  if (method !== 'POST' || path !== '/changes') return path
  const { changes } = JSON.parse(body ?? '') as { changes: { op: string; resource: string; id: string; parentId?: string }[] }
  const [first, ...more] = changes
  if (first?.resource !== 'version' || more.length > 0) return path
  return first.op === 'rollback' ? `/versions/${first.id}/rollback` : `/environments/${first.parentId}/versions`
}
