import type { Stored } from './fuzz-service.ts'
import type { Oracle, Watched } from './oracle.ts'
import { rowsOn, type Screen } from './screen.ts'
import { Violation } from './violation.ts'

/** The commands that neither move nor delete a variable, nor take anything back. */
const leavesInPlace = new Set(['variables.update', 'variables.update-many', 'variables.create', 'variables.duplicate', 'compare.copy'])

/** What a user asked for: these variables, from one environment to another. */
export interface Move {
  ids: readonly string[]
  from: string
  to: string
  /** The one variable that the target had under the name of the only one moved; null: another number of either. */
  inTheWay: string | null
}

/**
 * What must be true of a move: the variable is in one place, the one its user sees, and it leaves none where its user had not seen it. A variable
 * that was moved on by somebody else is asked about. What leaves the queue without its user’s choice has arrived.
 */
export class MoveOracle {
  readonly #oracle: Oracle
  /** By client and variable: the environments that its user saw it in, or moved it to. */
  readonly #homes = new Map<string, Set<string>>()
  /** By client: variables that its user moved, and where to, until the service or that user has something else to say of them. */
  readonly #underWay = new Map<Watched, Map<string, string>>()
  #astray: string | null = null

  constructor(oracle: Oracle) {
    this.#oracle = oracle
  }

  /** A user looks at what there is. */
  sees(by: Watched, screen: Screen): void {
    for (const { id, parentId } of rowsOn(screen, 'variable')) this.isAt(by, id, parentId)
  }

  /** A user has moved variables, and looks: `moved` of them, as the application said. */
  moved(by: Watched, { ids, from, to, inTheWay }: Move, moved: number): void {
    const waiting = by.client.queue().filter(({ kind, patch }) => kind === 'create' || patch.parent !== undefined)
    const waits = new Set(waiting.map(({ rowId }) => rowId))
    // Back where it had been seen, an unsent move is taken back.
    const isBack = (id: string) => !waits.has(id) && this.#homes.get(`${by.name} ${id}`)?.has(to) === true
    const away = ids.filter((id) => !isBack(id))
    for (const id of ids) this.isAt(by, id, to)
    if (from === to || moved < ids.length) return
    for (const id of ids) this.#movesOf(by).delete(id)
    for (const id of away) this.#movesOf(by).set(id, to)
    const [left, there] = [from, to].map((environmentId) => by.client.children('variable', environmentId))
    // One whose move was in question, taken back, is where others moved it.
    const isTheirs = (id: string) => isBack(id) && this.#oracle.wasAsked(by, id)
    const isThere = (id: string) => left?.some((row) => row.id === id) !== true && there?.some((row) => row.id === id) !== false
    const stays = ids.find((id) => !isThere(id) && !isTheirs(id))
    if (stays !== undefined) throw new Violation(`${by.name} moved ${stays} to ${to}, and it is not there alone`)
    const other = there?.find(({ id }) => id === inTheWay)
    const one = there?.find(({ id }) => id === ids[0])
    if (other !== undefined && other.fields.name === one?.fields.name)
      throw new Violation(`${by.name} moved ${one?.id} over ${other.id}, and both are there`)
  }

  /** The one variable that an environment has under the name of the only one that is to go there, else null. */
  inTheWay({ client }: Watched, [id, ...more]: readonly string[], to: string): string | null {
    const name = rowsOf(client).find((row) => row.id === id)?.fields.name
    const [one, ...others] = client.children('variable', to).filter((row) => row.fields.name === name && row.id !== id)
    return more.length + others.length === 0 ? (one?.id ?? null) : null
  }

  /** A user has deleted variables, and looks. */
  deleted(by: Watched, ids: readonly string[]): void {
    const left = rowsOf(by.client).find(({ id }) => ids.includes(id))
    if (left !== undefined) throw new Violation(`${by.name} deleted ${left.id}, and it is still there`)
  }

  /** Runs a command of a user. What is elsewhere after one that deletes, moves or takes back is so by their choice. */
  async around<T>(by: Watched, command: string, deed: () => Promise<T>): Promise<T> {
    const moves = this.#movesOf(by)
    const before = [...moves].filter(([id, to]) => isIn(by, id, to))
    try {
      return await deed()
    } finally {
      for (const [id, to] of moves) if (!isIn(by, id, to)) moves.delete(id)
      const left = before.find(([id]) => leavesInPlace.has(command) && !moves.has(id) && !this.#oracle.wasAsked(by, id))
      if (left !== undefined) this.#astray ??= `${by.name} moved ${left[0]} to ${left[1]}, and ${command} took it away from there`
    }
  }

  /** A part of a user's file is lost, and a repair says what. */
  loses(by: Watched): void {
    this.#underWay.delete(by)
  }

  /** What was moved is in the queue, where its user may be asked about it, or has arrived. */
  check(all: readonly (Watched & { syncing: boolean })[], { variables }: Stored): void {
    if (this.#astray !== null) throw new Violation(this.#astray)
    for (const by of all) {
      if (by.syncing) continue
      const queued = new Set(by.client.queue().map(({ rowId }) => rowId))
      for (const [id, to] of this.#movesOf(by)) {
        if (queued.has(id)) continue
        this.#movesOf(by).delete(id)
        const row = variables.find((each) => each.id === by.client.remoteIdOf(id))
        const target = by.client.remoteIdOf(to)
        if (row === undefined || target === null || row.environment_id === target) continue
        throw new Violation(`${by.name} moved ${this.#oracle.plain(row.value)} to ${to}, and it never arrived there`)
      }
    }
  }

  #movesOf(by: Watched): Map<string, string> {
    const moves = this.#underWay.get(by) ?? new Map<string, string>()
    this.#underWay.set(by, moves)
    return moves
  }

  /** Others have deleted a variable, or moved it since; or the move of one has arrived. */
  #ends(was: Stored, present: ReadonlyMap<string, string>): void {
    for (const { id, environment_id: from } of was.variables) {
      if (present.get(id) === from) continue
      for (const [{ client }, moves] of this.#underWay) moves.delete(client.localIdOf(id) ?? '')
    }
  }

  /** The service has handled a write. */
  compare(by: Watched, was: Stored, now: Stored): void {
    const present = new Map(now.variables.map((row) => [row.id, row.environment_id]))
    this.#ends(was, present)
    for (const row of was.variables) {
      const to = present.get(row.id)
      if (to === undefined || to === row.environment_id) continue
      const [rowId, from] = [by.client.localIdOf(row.id), by.client.localIdOf(row.environment_id)]
      if (rowId === null) continue
      const homes = this.#homes.get(`${by.name} ${rowId}`)
      // A row that was found to be another one has a new local id.
      if (homes !== undefined && (from === null || !homes.has(from)))
        throw new Violation(`${by.name} moved ${this.#oracle.plain(row.value)} out of a place where its user had not seen it`)
    }
  }

  /** A user sees a variable in an environment. */
  isAt({ name }: Watched, id: string, parentId: string | null): void {
    if (parentId === null) return
    const homes = this.#homes.get(`${name} ${id}`) ?? new Set()
    this.#homes.set(`${name} ${id}`, homes.add(parentId))
  }
}

const rowsOf = (client: Watched['client']) => client.children('project', null).flatMap(({ id }) => client.below(id))

const isIn = ({ client }: Watched, id: string, environmentId: string): boolean =>
  client.children('variable', environmentId).some((row) => row.id === id)
