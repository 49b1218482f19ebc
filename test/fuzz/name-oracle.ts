import { naturalKey } from '../../electron/queue/natural-key.ts'
import type { Stored } from './fuzz-service.ts'
import type { Oracle, Watched } from './oracle.ts'
import type { Screen } from './screen.ts'
import { Violation } from './violation.ts'

/** What tells rows apart: the name of a variable, the slug of a project or environment. By the id of the row. */
type Keys = ReadonlyMap<string, string>

/**
 * What must be true of a name: a row ends under the one that its user gave it last, unless its user or others had something else to say of it, and
 * no name is replaced that whoever replaces it had not seen. A slug is a name here.
 */
export class NameOracle {
  readonly #oracle: Oracle
  /** By client and row: the names that its user saw it under, or gave it. */
  readonly #known = new Map<string, Set<string>>()
  /** By client: rows that its user renamed, and how, until the service or that user has something else to say of them. */
  readonly #underWay = new Map<Watched, Map<string, string>>()
  /** By record: when the service gave it its present name. */
  readonly #since = new Map<string, number>()

  constructor(oracle: Oracle) {
    this.#oracle = oracle
  }

  /** A user looks at what there is. */
  sees(by: Watched, screen: Screen): void {
    for (const { id, kind, name, slug } of screen.rows.values()) this.isCalled(by, id, kind === 'variable' ? name : slug)
  }

  /** A user sees a row under a name, or gives it one. */
  isCalled({ name: who }: Watched, id: string, name: string | null): void {
    if (name !== null) this.#known.set(`${who} ${id}`, (this.#known.get(`${who} ${id}`) ?? new Set()).add(name))
  }

  /** A user has given a row a name, as the application said. */
  renamed(by: Watched, id: string, name: string): void {
    this.isCalled(by, id, name)
    const shown = shownTo(by).get(id)
    // Deleted on another screen meanwhile, it has none.
    if (shown !== undefined && shown !== name) throw new Violation(`${by.name} called ${id} ${name}, and it is called ${shown}`)
    const waits = by.client.queue().some(({ rowId }) => rowId === id)
    if (shown !== undefined && waits) this.#namesOf(by).set(id, name)
  }

  /** Runs a command of a user. What is called otherwise after it is so by their choice, and known to them. */
  async around<T>(by: Watched, deed: () => Promise<T>): Promise<T> {
    const before = shownTo(by)
    try {
      return await deed()
    } finally {
      const names = this.#namesOf(by)
      for (const [id, name] of shownTo(by)) if (before.get(id) !== name) this.isCalled(by, id, name)
      const now = shownTo(by)
      for (const [id, name] of names) if (now.get(id) !== name) names.delete(id)
    }
  }

  /** A part of a user's file is lost, and a repair says what. */
  loses(by: Watched): void {
    this.#underWay.delete(by)
  }

  /** The service has handled a write. */
  compare(by: Watched, was: Stored, now: Stored, path: string): void {
    const present = keysOf(now)
    for (const [remoteId, before] of keysOf(was)) {
      const after = present.get(remoteId)
      if (after === before) continue
      const isRollback = path.endsWith('/rollback')
      this.#ends(by, remoteId, after, isRollback)
      if (after === undefined) continue
      this.#checkSeen(by, remoteId, before, after, isRollback)
      this.#since.set(remoteId, this.#oracle.moment)
    }
  }

  /** What a user renamed is in the queue, where they may be asked about it, or has its name. */
  check(all: readonly (Watched & { syncing: boolean })[], stored: Stored): void {
    const present = keysOf(stored)
    for (const by of all) {
      if (by.syncing) continue
      const queued = new Set(by.client.queue().map(({ rowId }) => rowId))
      for (const [id, name] of this.#namesOf(by)) {
        if (queued.has(id)) continue
        this.#namesOf(by).delete(id)
        const there = present.get(by.client.remoteIdOf(id) ?? '')
        if (there !== undefined && there !== name) throw new Violation(`${by.name} called ${id} ${name}, and the service calls it ${there}`)
      }
    }
  }

  /** Others have something else to say of the name of a record, or one rename has arrived. */
  #ends(by: Watched, remoteId: string, name: string | undefined, isRollback: boolean): void {
    for (const [one, names] of this.#underWay) {
      const id = one.client.localIdOf(remoteId) ?? ''
      // What goes first of two renames of its own is not the end of the second.
      if (one !== by || isRollback || name === undefined || names.get(id) === name) names.delete(id)
    }
  }

  #checkSeen(by: Watched, remoteId: string, before: string, after: string, isRollback: boolean): void {
    const id = by.client.localIdOf(remoteId)
    const known = this.#known.get(`${by.name} ${id}`)
    const isRace = !this.#oracle.isGuarded(by) && (this.#since.get(remoteId) ?? 0) >= by.syncBegan
    // A row that was found to be another one has a new local id.
    if (id === null || known === undefined || known.has(before) || isRollback || isRace) return
    throw new Violation(`${by.name} called ${before} ${after}, and its user had seen it as ${[...known].join()} alone`)
  }

  #namesOf(by: Watched): Map<string, string> {
    const names = this.#underWay.get(by) ?? new Map<string, string>()
    this.#underWay.set(by, names)
    return names
  }
}

/** By local id. */
function shownTo({ client }: Watched): Keys {
  const rows = client.children('project', null).flatMap((project) => [project, ...client.below(project.id)])
  return new Map(rows.map(({ id, kind, fields }) => [id, naturalKey(kind, fields) ?? '']))
}

/** By the service's ids. */
const keysOf = ({ projects, environments, variables }: Stored): Keys =>
  new Map([
    ...[...projects, ...environments].map(({ id, slug }) => [id, slug] as const),
    ...variables.map(({ id, name }) => [id, name] as const),
  ])
