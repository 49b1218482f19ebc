import { isUnverified } from './as-kept.ts'
import type { Stored, StoredPlace, StoredVariable, StoredVersion } from './fuzz-service.ts'
import { isToken, type Oracle, type Watched } from './oracle.ts'
import type { Player } from './player.ts'
import { Violation } from './violation.ts'
import type { Witness } from './witness.ts'

/** A project or environment as the service had it when it was deleted, with all that was in it. */
/** The values of a place, each with the names it had there. */
type Shown = Map<string, Set<string>>

interface Held {
  place: StoredPlace
  /** Whether it was deleted by itself, and not with its project: only then can it be restored by itself. */
  isAlone: boolean
  environments: StoredPlace[]
  variables: StoredVariable[]
  versions: StoredVersion[]
}

/**
 * What must be true of a project or environment that a user brings back: all that it held is there again. The service restores its records as
 * they were. Where it keeps them no more, or never did, the user finds there what their screens had shown of it.
 */
export class RestoreOracle {
  readonly #oracle: Oracle
  readonly #witness: Witness
  readonly #held = new Map<string, Held>()
  /** Project or environment -> the writes the service had seen when it was restored. */
  readonly #backAt = new Map<string, number>()
  /** What the service keeps no more. */
  readonly #forgotten = new Set<string>()
  /** By client and project or environment: what its screens last showed there. */
  readonly #shown = new Map<string, Shown>()
  /** By client and local id: the projects and environments that its screens showed. */
  readonly #remoteIds = new Map<string, string>()
  #stored: Stored = { projects: [], environments: [], variables: [], versions: [], members: [] }

  constructor(oracle: Oracle, witness: Witness) {
    this.#oracle = oracle
    this.#witness = witness
  }

  /** The service has handled a write: what was deleted is noted, and what was restored must be as it was. */
  compare(was: Stored, now: Stored, path: string): void {
    this.#stored = now
    const left = new Set([...now.projects, ...now.environments].map(({ id }) => id))
    for (const place of [...was.projects, ...was.environments])
      if (!left.has(place.id)) this.#held.set(place.id, heldBy(was, place, place.parent_id === null || left.has(place.parent_id)))
    const [, id] = /^\/deleted\/([^/]+)\/restore$/.exec(path) ?? []
    if (id === undefined || !left.has(id) || [...was.projects, ...was.environments].some((place) => place.id === id)) return
    this.#backAt.set(id, this.#oracle.moment)
    const held = this.#held.get(id)
    const lost = held === undefined ? [] : lostOf(held, now)
    if (lost.length > 0) throw new Violation(`${held?.place.slug} was restored without ${lost.join()}`)
  }

  /** The service has forgotten all that was deleted. */
  forgets(): void {
    for (const id of this.#held.keys()) this.#forgotten.add(id)
  }

  /** A user looks at what there is. */
  sees(by: Watched): void {
    const { client } = by
    for (const project of client.children('project', null)) {
      const inProject: Shown = new Map()
      for (const environment of client.children('environment', project.id)) {
        const here: Shown = new Map()
        for (const { fields } of client.children('variable', environment.id)) {
          // What is Unverified is not made again.
          if (fields.value === undefined || fields.name === undefined || isUnverified(fields.value.sealed)) continue
          const value = this.#oracle.plain(fields.value.sealed)
          for (const place of [here, inProject]) place.set(value, new Set(place.get(value)).add(fields.name))
        }
        this.#note(by, environment.id, here)
      }
      this.#note(by, project.id, inProject)
    }
  }

  /** What a computer had kept of what was deleted went with a part of its file: nobody else has it. */
  loses({ name }: Watched): void {
    for (const key of this.#shown.keys()) if (key.startsWith(`${name} `)) this.#shown.set(key, new Map())
  }

  /** A user stopped tracking the names of these values: they are deleted on the service without this user. */
  untracked({ name }: Watched, values: ReadonlySet<string>): void {
    for (const [key, shown] of this.#shown) if (key.startsWith(`${name} `)) for (const value of values) shown.delete(value)
  }

  #note(by: Watched, id: string, values: Shown): void {
    const remoteId = by.client.remoteIdOf(id)
    if (remoteId === null) return
    this.#remoteIds.set(`${by.name} ${id}`, remoteId)
    this.#shown.set(`${by.name} ${remoteId}`, values)
  }

  /** The service's id of a project or environment that a user has seen; null: only its client knows of it. */
  remoteIdOf(by: Watched, id: string): string | null {
    return this.#remoteIds.get(`${by.name} ${id}`) ?? null
  }

  /** Whether a project or environment is on a user's screen, by the service's id of it. */
  isShown(by: Watched, remoteId: string): boolean {
    const keys = [...this.#remoteIds].flatMap(([key, id]) => (id === remoteId ? [key] : []))
    return keys.some((key) => key.startsWith(`${by.name} `) && by.client.shows(key.slice(by.name.length + 1)))
  }

  /** Whether the service can restore it now. */
  isKept(remoteId: string): boolean {
    const held = this.#held.get(remoteId)
    const parent = held?.place.parent_id ?? null
    const hasParent = parent === null || this.#stored.projects.some(({ id }) => id === parent)
    const places = [...this.#stored.projects, ...this.#stored.environments]
    const isTaken = places.some((place) => place.parent_id === parent && place.slug === held?.place.slug)
    return held?.isAlone === true && hasParent && !isTaken && !this.#forgotten.has(remoteId) && !this.#isThere(remoteId)
  }

  /** A user was told that a deleted project or environment is back. `wasKept`: the service could restore it when they asked. `since`: the writes it had seen then. */
  isBack(by: Player, remoteId: string, wasKept: boolean, since: number): void {
    if ((this.#backAt.get(remoteId) ?? -1) > since || this.#isThere(remoteId)) return
    const slug = this.#held.get(remoteId)?.place.slug ?? remoteId
    if (wasKept) throw new Violation(`${by.name} was told that ${slug} is back, and the service was never asked to restore it`)
    const lost = this.#missing(by, remoteId)
    if (lost.length > 0) throw new Violation(`${by.name} was told that ${slug} is back, and ${lost.join()} is missing there`)
  }

  /** The values that a user saw there to its end, did not write over or delete themselves, and does not see now. */
  #missing(by: Player, remoteId: string): string[] {
    // Where nothing is listed, what was renamed is gone from the screen before its environment is.
    if (this.#oracle.isBlind(by)) return []
    const now = [...this.#oracle.shownTo(by), ...this.#witness.coveredFor(by)]
    const shown = this.#shown.get(`${by.name} ${remoteId}`)
    const held = this.#held.get(remoteId)
    const environments = by.client.children('project', null).flatMap(({ id }) => by.client.children('environment', id))
    const slugs = new Map([held?.place, ...(held?.environments ?? [])].map((place) => [place?.id, place?.slug]))
    // A variable that its user made there under the name stays, and the value that had it is in the history.
    const isTaken = ({ environment_id: id, name, value }: StoredVariable) => {
      // Its user may have seen it under a former name.
      const names = new Set(shown?.get(this.#oracle.plain(value))).add(name)
      return environments.some(
        (row) =>
          (row.fields.slug === slugs.get(id) || this.remoteIdOf(by, row.id) === id) &&
          by.client.children('variable', row.id).some(({ fields }) => fields.name !== undefined && names.has(fields.name)),
      )
    }
    const valuesOf = (rows: readonly StoredVariable[]) => rows.map(({ value }) => this.#oracle.plain(value))
    // Who else gave another variable the same value did so unseen.
    const taken = new Set(valuesOf(held?.variables.filter(isTaken) ?? []))
    const values = valuesOf(held?.variables ?? []).filter((value) => !taken.has(value))
    // What its user had typed there, and gave up with the place before the answer came, is in the history.
    const wanted = values.filter((value) => isToken(value) && shown?.has(value) === true && !this.#oracle.hasGivenUp(by, value))
    return wanted.filter((value) => !this.#oracle.isCoveredBy(by, now, value))
  }

  #isThere(remoteId: string): boolean {
    return [...this.#stored.projects, ...this.#stored.environments].some(({ id }) => id === remoteId)
  }
}

function heldBy({ environments, variables, versions }: Stored, place: StoredPlace, isAlone: boolean): Held {
  const below = environments.filter(({ parent_id: parent }) => parent === place.id)
  const inside = new Set([place.id, ...below.map(({ id }) => id)])
  return {
    place,
    isAlone,
    environments: below,
    variables: variables.filter((row) => inside.has(row.environment_id)),
    versions: versions.filter((row) => inside.has(row.environment_id)),
  }
}

/** What a restored project or environment lacks of what it held. */
function lostOf(held: Held, { environments, variables, versions }: Stored): string[] {
  const there = new Set([...environments, ...variables, ...versions].map((row) => JSON.stringify(row)))
  return [...held.environments, ...held.variables, ...held.versions].map((row) => JSON.stringify(row)).filter((row) => !there.has(row))
}
