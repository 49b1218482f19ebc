import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as turn } from 'node:timers/promises'
import type { Mirror } from '../../electron/mirror/mirror.ts'
import type { Commands } from '../../electron/bridge/contract.ts'
import { err, ok, type Result } from '../../electron/bridge/result.ts'
import type { DeletedRow, TrackedNameRow, ImportProgress, RepairNoteRow, UnverifiedRow } from '../../electron/bridge/rows.ts'
import type { AppContext } from '../../electron/app/app-context.ts'
import { repairHandlers } from '../../electron/app/repair/repair-handlers.ts'
import { checkRepairedValues } from '../../electron/app/repair/check-repaired-values.ts'
import { openMirror } from '../../electron/mirror/open-mirror.ts'
import { repairMirror } from '../../electron/mirror/repair/repair-mirror.ts'
import { damageFile, type Damage } from './damage-file.ts'
import { deskOf, workspaceId, type Desk } from '../support/desk.ts'
import type { ClientOptions, Network } from '../support/build-client.ts'
import { ReadOnceClient } from './read-once-client.ts'
import { createDice, type Dice } from './dice.ts'
import { openKeyedSession, type KeyedSession } from './keyed-session.ts'
import { badKey, keyOfElsewhere, KeyRing } from './key-ring.ts'
import type { FuzzService } from './fuzz-service.ts'
import { Violation } from './violation.ts'

/** The commands that a user can give. */
export type CommandOfPlayer = keyof Commands & (keyof Desk['handlers'] | keyof KeyedSession['handlers'])

/** What an engine meets after its process has crashed: nothing works any more. */
class Crashed extends Error {
  readonly code = 'CRASHED'
}

/** Lets everything that can run without waiting for anybody run to its end. */
export async function breathe(): Promise<void> {
  for (let n = 0; n < 5; n += 1) await turn()
}

/**
 * One user with one Holdfast, that can crash after any of its commits and comes back from its
 * database. Of its requests one is under way at a time, drawn from those that wait.
 */
export class Player {
  readonly name: string
  readonly client: ReadOnceClient
  readonly #dice: Dice
  readonly #goodKey: string
  #stream: Dice
  #life = 0
  #crash: PromiseWithResolvers<void> = Promise.withResolvers()
  #busy = false
  #waiting: (() => void)[] = []
  mode: 'good' | 'flaky' | 'offline' = 'good'
  syncing = false
  syncBegan = 0
  /** Writes the service had seen when this client last listed the variables of an environment, by the service's id of it. */
  readonly readAt = new Map<string, number>()
  /** The same, of the first page of a list that is not read to its end. */
  readonly listing = new Map<string, number>()
  /** Looks at every command of the user, before and after. */
  watch: <T>(command: string, deed: () => Promise<T>) => Promise<T> = (_command, deed) => deed()
  /** Commits of the present sync until it crashes; null: it does not. */
  crashIn: number | null = null
  /** Where each crash fell: the function whose commit was the last. */
  readonly crashes: string[] = []
  /** The commands its user gave. */
  readonly given = new Set<string>()
  #requests = 0
  #key: 'good' | 'bad' | 'elsewhere' = 'good'
  readonly ring: KeyRing | null
  /** A key that is only tried, while a command asks the service with it. */
  trying: 'elsewhere' | null = null
  #keyed: KeyedSession | null = null
  #desk: Desk
  /** Commands of the user under way: their commits are none of the sync's. */
  #acting = 0
  /** Set inside a command that is given while a request of the sync is held. */
  readonly #besideSync = new AsyncLocalStorage<true>()
  /** What the engine met that it should never meet. */
  readonly bugs: string[] = []

  constructor(
    name: string,
    seed: number,
    parent: string,
    service: FuzzService,
    key: Uint8Array,
    now: () => number,
    network: (player: Player) => Network,
    /** Keys come from a keychain and what the service offers from asking it, as in the application. */
    isWhole = false,
    /** Whether it takes nothing but bound values from the beginning. */
    values?: 'bound',
    batch?: ClientOptions['batch'],
  ) {
    this.name = name
    this.#dice = createDice(seed)
    this.#stream = createDice(seed + 1)
    this.#goodKey = service.apiKey
    this.ring = isWhole ? new KeyRing(key, service.apiKey) : null
    this.client = new ReadOnceClient({
      service,
      key,
      random: () => this.#stream.next(),
      parent,
      ...(values && { values }),
      ...(batch && { batch }),
      fetch: service.fetch,
      now,
      watch: (mirror) => this.#watch(mirror),
      log: (level, message, data) => {
        if (level === 'error' && data?.code !== 'CRASHED') this.bugs.push(`${message} ${JSON.stringify(data)}`)
      },
    })
    this.client.network = this.#oneByOne(network(this))
    this.#desk = this.#open()
  }

  #open(): Desk {
    if (this.ring === null) return deskOf(this.client, { isWoken: true, newId: this.client.newId })
    const keyed = openKeyedSession(this.client, this.ring.open(), (key) => this.#take(key))
    this.#keyed = keyed
    return deskOf(this.client, { isWoken: true, newId: this.client.newId, cipherProblem: keyed.cipherProblem, canSync: keyed.canSync })
  }

  #take(key: string): void {
    this.#key = key === badKey ? 'bad' : key === keyOfElsewhere ? 'elsewhere' : 'good'
    this.client.apiKey = key === keyOfElsewhere ? this.#goodKey : key
  }

  /** Whether this client has the keys it needs to sync. */
  async canSync(): Promise<boolean> {
    await this.#keyed?.ready
    return this.#keyed?.canSync() ?? true
  }

  /** Every key is there again, and the keychain lets the user in. */
  async openKeys(): Promise<void> {
    if (this.ring === null) return
    this.ring.fill()
    this.restart()
    await this.#keyed?.ready
  }

  #handler<N extends CommandOfPlayer>(name: N): (args: object) => Promise<Result<Commands[N]['value']>> {
    // A name goes with its own arguments and answer, which the type of the table does not say.
    this.given.add(name)
    const handlers = { ...this.#desk.handlers, ...this.#keyed?.handlers }
    return handlers[name] as unknown as (args: object) => Promise<Result<Commands[N]['value']>>
  }

  /** One command of the application, as the page would give it. */
  async command<N extends CommandOfPlayer>(name: N, args: Omit<Commands[N]['args'], 'workspaceId'>): Promise<Result<Commands[N]['value']>> {
    const handler = this.#handler(name)
    if (this.#keyed !== null) await this.#keyed.ready
    const life = this.#life
    const isBesideSync = this.syncing
    this.#acting += 1
    try {
      const run = () => handler({ ...args, workspaceId })
      const done = await this.watch(name, () => (isBesideSync ? this.#besideSync.run(true, run) : run()))
      // One that asks the service, as a restore does, may leave requests under way.
      while (!isBesideSync && this.#busy && life === this.#life) await breathe()
      return done
    } catch (error) {
      if (isBesideSync || life === this.#life) throw error
      return err({ kind: 'offline', message: 'The process died.' })
    } finally {
      this.#acting -= 1
      if (!isBesideSync && life !== this.#life) await this.#comeBack()
    }
  }

  /** The same, where nobody looks before and after: something else happens in between. */
  async tell<N extends CommandOfPlayer>(name: N, args: Omit<Commands[N]['args'], 'workspaceId'>): Promise<Result<Commands[N]['value']>> {
    const handler = this.#handler(name)
    await this.#keyed?.ready
    return handler({ ...args, workspaceId })
  }

  /** A command that asks the service. null: not while a sync is under way. */
  async ask<N extends CommandOfPlayer>(
    name: N,
    args: Omit<Commands[N]['args'], 'workspaceId'>,
    trying?: 'elsewhere',
  ): Promise<Result<Commands[N]['value']> | 'crashed' | null> {
    return this.#askService(() => this.tell(name, args), trying)
  }

  /** The projects and environments that are deleted and can be restored. null: nobody can be asked now. */
  async deleted(): Promise<DeletedRow[] | 'crashed' | null> {
    const listed = await this.#askService(() => this.#desk.handlers['deleted.list']({ workspaceId }))
    return listed === null || listed === 'crashed' ? listed : listed.ok ? listed.value : null
  }

  async #askService<T>(question: () => Promise<T>, trying?: 'elsewhere'): Promise<T | 'crashed' | null> {
    if (this.syncing) return null
    this.syncing = true
    this.trying = trying ?? null
    this.#requests = 0
    const life = this.#life
    const work = question().catch((error: unknown) => {
      if (life === this.#life) throw error
      return 'crashed' as const
    })
    const done = await Promise.race([work, this.#crash.promise.then(() => 'crashed' as const)])
    await breathe()
    while (this.#busy && life === this.#life) await breathe()
    const isAlive = life === this.#life
    if (!isAlive) await this.#comeBack()
    this.syncing = false
    this.trying = null
    return isAlive ? done : 'crashed'
  }

  /** The revision that a screen drawn now stands for, and that of each row on it, as the answers to its queries say. */
  async shownRevs(): Promise<[number, Map<string, number>]> {
    const { handlers } = this.#desk
    const valueOf = <T>(answer: Result<T>): T => {
      if (!answer.ok) throw new Error(answer.error.message)
      return answer.value
    }
    const projects = valueOf(await handlers['projects.list']({ workspaceId }))
    const environments = valueOf(await handlers['environments.list']({ workspaceId }))
    const places = [...projects, ...environments]
    const revs = new Map(places.map(({ id, rev }) => [id, rev]))
    for (const { id: environmentId } of environments) {
      for (let offset = 0, total = 1; offset < total; offset += 500) {
        const window = { workspaceId, environmentId, filter: '', offset, limit: 500 }
        const page = valueOf(await handlers['variables.page'](window))
        for (const row of page.rows) revs.set(row.id, row.rev)
        total = page.total
      }
    }
    return [places.length === 0 ? 0 : Math.min(...places.map(({ rev }) => rev)), revs]
  }

  /** The values that the question about a deleted project or environment shows to be in it now, sealed. */
  shownBelow(changeId: string): string[] {
    const change = this.client.queue().find(({ id }) => id === changeId)
    return change === undefined ? [] : this.client.baseBelow(change.rowId)
  }

  /** What is tracked, as the page lists it. */
  async tracked(): Promise<TrackedNameRow[]> {
    const listed = await this.#desk.handlers['tracked.list']({ workspaceId })
    if (!listed.ok) throw new Error(listed.error.message)
    return listed.value.rows
  }

  /** The values that are not proven to be a member's. */
  async unverified(): Promise<UnverifiedRow[]> {
    const listed = await this.#desk.handlers['unverified.list']({ workspaceId })
    return listed.ok ? listed.value.rows : []
  }

  /** The addresses of what is tracked: projects, environments in them, variables in those. */
  async trackedPaths(): Promise<Set<string>> {
    const rows = await this.tracked()
    return new Set(
      rows.map(({ kind, project, environment, key }) =>
        kind === 'variable' ? `${project}/${environment}/${key}` : kind === 'project' ? project : `${project}/${key}`,
      ),
    )
  }

  async importProgress(token: string): Promise<ImportProgress | null> {
    const progress = await this.#desk.handlers['import.progress']({ token })
    return progress.ok ? progress.value : null
  }

  /** The process dies and its file is damaged; what the repair says, or null where nothing that matters was hit. */
  async damage(damage: Damage): Promise<RepairNoteRow | null> {
    this.#life += 1
    const { file } = this.client.mirror
    this.client.mirror.close()
    damageFile(file, damage, this.#dice)
    const opened = openMirror(file, { thorough: true })
    if (opened.ok) {
      opened.value.close()
      this.client.restart()
      this.#desk = this.#open()
      return null
    }
    if (opened.error.kind !== 'database-damaged') throw new Violation(`${this.name}: a damaged file is told as ${opened.error.kind}`)
    const repair = repairHandlers({
      workspaces: {
        repair: async () => repairMirror(file, { now: this.client.now(), newId: this.client.newId }),
        session: async () => ok({ mirror: this.client.mirror }),
      },
      emit: () => undefined,
    } as unknown as AppContext)
    for (const name of ['repair.run', 'repair.dismiss'] as const) this.given.add(name)
    const repaired = await repair['repair.run']({ workspaceId })
    if (!repaired.ok) throw new Violation(`${this.name}: a repair failed: ${repaired.error.message}`)
    this.client.restart()
    checkRepairedValues(this.client.mirror, this.client.cipher, () => this.client.newId())
    this.#desk = this.#open()
    const noted = await repair['repair.note']({ workspaceId })
    if (!noted.ok || noted.value?.lost !== repaired.value.lost) throw new Violation(`${this.name}: what a repair said is not noted`)
    await repair['repair.dismiss']({ workspaceId })
    return repaired.value
  }

  /** The unsent edits as a file. */
  async unsent(): Promise<string> {
    const exported = await this.#desk.handlers['queue.export']({ workspaceId, format: 'json' })
    if (!exported.ok) throw new Error(exported.error.message)
    return exported.value.text
  }

  /** The rows that undo or redo would alter next. */
  next(direction: 'undo' | 'redo'): { label: string; rows: string[] } | null {
    const step = this.#desk.context.undo.next(workspaceId, direction)
    return step && { label: step.label, rows: step.images.map(({ id }) => id) }
  }

  #watch(mirror: Mirror): Mirror {
    const life = this.#life
    let closed = false
    const alive = () => {
      if (life !== this.#life) throw new Crashed()
    }
    return {
      file: mirror.file,
      read: mirror.read,
      touches: mirror.touches,
      // Until it comes back, the oracle reads what the dead left behind.
      snapshot: (work) => {
        if (closed) throw new Crashed()
        return mirror.snapshot(work)
      },
      lasting: (work) => {
        if (closed) throw new Crashed()
        return mirror.lasting(work)
      },
      write: (work) => {
        alive()
        const value = mirror.write(work)
        this.client.forget()
        this.#committed()
        return value
      },
      close() {
        closed = true
        mirror.close()
      },
    }
  }

  #committed(): void {
    if (!this.syncing || this.crashIn === null || this.#acting > 0) return
    const at = /at (?:async )?(\w+) .*electron\/sync/.exec(new Error().stack ?? '')?.[1]
    if (at === undefined) return
    this.crashIn -= 1
    if (this.crashIn > 0) return
    this.crashes.push(at)
    this.crash()
    throw new Crashed()
  }

  /** The process dies here and now; nothing but the file is left. */
  crash(): void {
    this.crashIn = null
    this.#life += 1
    this.#crash.resolve()
  }

  /** How many requests the present sync has sent. */
  get requests(): number {
    return this.#requests
  }

  get life(): number {
    return this.#life
  }

  /** One request at a time, so that a run can be repeated; which of those that wait is next is drawn. */
  #oneByOne(network: Network): Network {
    return async (forward, request) => {
      const life = this.#life
      if (this.#busy && this.#besideSync.getStore() === true) {
        this.bugs.push(`a command waits with ${request.method} ${request.path} for a request that waits for the command`)
        throw new Crashed()
      }
      if (this.#busy) await new Promise<void>((resolve) => this.#waiting.push(resolve))
      this.#busy = true
      try {
        if (life !== this.#life) throw new Crashed()
        this.#requests += 1
        if (this.#requests > 3_000) {
          this.bugs.push('a sync that never ends')
          this.crash()
          throw new Crashed()
        }
        const answer = await network(forward, request)
        if (life !== this.#life) throw new Crashed()
        return answer
      } finally {
        void breathe().then(() => {
          this.#busy = false
          this.#waiting.splice(this.#dice.from(0, Math.max(0, this.#waiting.length - 1)), 1)[0]?.()
        })
      }
    }
  }

  /** One sync, to its end or its crash; says which. */
  async sync(): Promise<'done' | 'crashed'> {
    if (this.syncing) throw new Violation('two syncs of one client')
    this.syncing = true
    this.#requests = 0
    const life = this.#life
    const work = this.client.sync().catch((error: unknown) => {
      if (!(error instanceof Crashed)) this.bugs.push(String(error))
    })
    await Promise.race([work, this.#crash.promise])
    await breathe()
    // What the service offers is asked beside the sync.
    while (this.ring !== null && this.#busy && life === this.#life) await breathe()
    this.crashIn = null
    const isAlive = life === this.#life
    // Who begins anew while requests of the dead are under way would wait for these, and they for it.
    if (isAlive || this.ring === null) this.syncing = false
    if (!isAlive) await this.#comeBack()
    this.syncing = false
    return isAlive ? 'done' : 'crashed'
  }

  async #comeBack(): Promise<void> {
    // What the dead engine still had under way comes to its end first, or its draws would mix with the new one's.
    void this.client.engine.stop()
    while (this.#busy) await turn()
    await breathe()
    this.#crash = Promise.withResolvers()
    this.#stream = createDice(this.#life * 7919 + this.#dice.from(0, 1e9))
    this.client.restart()
    this.#desk = this.#open()
  }

  /** Quits and starts again. */
  restart(): void {
    this.#life += 1
    this.client.restart()
    this.#desk = this.#open()
  }

  /** good: opens this workspace. bad: opens none. elsewhere: opens another workspace of the same service. */
  set key(key: 'good' | 'bad' | 'elsewhere') {
    this.#key = key
    this.client.apiKey = key === 'bad' ? badKey : this.#goodKey
    if (this.ring !== null) this.ring.apiKey = key === 'bad' ? badKey : key === 'elsewhere' ? keyOfElsewhere : this.#goodKey
  }

  get key(): 'good' | 'bad' | 'elsewhere' {
    return this.#key
  }
}
