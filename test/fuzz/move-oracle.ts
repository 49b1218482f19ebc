import type { Stored } from './fuzz-service.ts'
import type { Oracle, Watched } from './oracle.ts'
import { rowsOn, type Screen } from './screen.ts'
import { Violation } from './violation.ts'

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
 * that was moved on by somebody else is asked about.
 */
export class MoveOracle {
  readonly #oracle: Oracle
  /** By client and variable: the environments that its user saw it in, or moved it to. */
  readonly #homes = new Map<string, Set<string>>()

  constructor(oracle: Oracle) {
    this.#oracle = oracle
  }

  /** A user looks at what there is. */
  sees(by: Watched, screen: Screen): void {
    for (const { id, parentId } of rowsOn(screen, 'variable')) this.isAt(by, id, parentId)
  }

  /** A user has moved variables, and looks: `moved` of them, as the application said. */
  moved(by: Watched, { ids, from, to, inTheWay }: Move, moved: number): void {
    for (const id of ids) this.isAt(by, id, to)
    if (from === to || moved < ids.length) return
    const [left, there] = [from, to].map((environmentId) => by.client.children('variable', environmentId))
    const stays = ids.find((id) => left?.some((row) => row.id === id) === true || there?.every((row) => row.id !== id) === true)
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

  /** The service has handled a write. */
  compare(by: Watched, was: Stored, now: Stored): void {
    const present = new Map(now.variables.map((row) => [row.id, row.environment_id]))
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
