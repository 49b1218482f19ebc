import type { Row } from '../../electron/queue/entry.ts'
import { isToken, uniqueName, type Oracle } from './oracle.ts'
import type { Player } from './player.ts'
import type { Screen, ShownRow } from './screen.ts'

/** A row as its user sees it. */
interface Seen {
  kind: Row['kind']
  name: string
  value: string
  isSecret: boolean | undefined
}

/** What a command is about: `rows`, by local id, with all below them. */
export interface About {
  rows: readonly string[]
  /** What its user decided on; null: on nothing but what they did themselves before, as in undo. */
  screen: Screen | null
  /** undo and redo: what was deleted may come back as a new record. */
  bringsBack?: boolean
}

/**
 * Looks at what a command does to what a user has, and tells the oracle what that means: which values were given up, which were seen by whoever
 * wrote over them, what was deleted, what is there once more. Seen is what was on the screen that the command was given on, and what its user put
 * there themselves; that the application has more by then tells its user nothing.
 */
export class Witness {
  readonly #oracle: Oracle
  /** By client and row: what values that many type covered, because these have no history of their own. */
  readonly #covered = new Map<string, Set<string>>()
  /** By client and row: the values that its user put there. */
  readonly #put = new Map<string, Set<string>>()
  /** By client and row: whether its user said that it is secret, and that it is none. */
  readonly #classified = new Map<string, Set<string>>()
  /** By client and row: the names that its user gave it. */
  readonly #named = new Map<string, Set<string>>()

  constructor(oracle: Oracle) {
    this.#oracle = oracle
  }

  /** What a value that many type covered in a row. */
  covered(player: Player, rowId: string): string[] {
    return [...(this.#covered.get(`${player.name} ${rowId}`) ?? [])]
  }

  /** What values that many type cover in all that its user sees. */
  coveredFor(player: Player): string[] {
    return [...this.#view(player).keys()].flatMap((rowId) => this.covered(player, rowId))
  }

  cover(player: Player, rowId: string, value: string): void {
    add(this.#covered, player, rowId, value)
  }

  /** A user put a value into a row. */
  puts(player: Player, rowId: string, value: string): void {
    add(this.#put, player, rowId, value)
  }

  /** A user said whether a variable is secret. */
  classifies(player: Player, rowId: string, isSecret: boolean): void {
    add(this.#classified, player, rowId, `${isSecret}`)
  }

  /** Whether a user ever said so of a variable. */
  hasClassified({ name }: Player, rowId: string, isSecret: boolean): boolean {
    return this.#classified.get(`${name} ${rowId}`)?.has(`${isSecret}`) === true
  }

  /** A user gave a row this name. */
  names(player: Player, rowId: string, name: string): void {
    add(this.#named, player, rowId, name)
  }

  /**
   * A user brought back what this computer had, and it is made again as new records, which go through what its versions held: its user knows these
   * values. `before`: the rows that were queued until then.
   */
  madeAgain(player: Player, before: ReadonlySet<string>): void {
    for (const { rowId, patch } of player.client.queue()) {
      const value = this.#oracle.plain(patch.value?.sealed)
      if (before.has(rowId) || !isToken(value)) continue
      this.puts(player, rowId, value)
      this.#oracle.bringsBack([value])
    }
  }

  /** The names that a user knows some rows by: those on the screen, and one that they gave a row themselves since. */
  namesOf(player: Player, rows: readonly ShownRow[]): Set<string> {
    const now = this.#view(player)
    return new Set(
      rows.flatMap(({ id, name }) => {
        const given = now.get(id)?.name
        return given !== undefined && this.#named.get(`${player.name} ${id}`)?.has(given) === true ? [name, given] : [name]
      }),
    )
  }

  /** What a user knows of the value of a row: what the screen showed, and what they put there themselves, on whatever screen. */
  known(player: Player, rowId: string, screen: Screen | null): string[] {
    const shown = screen?.rows.get(rowId)?.value
    const now = this.#view(player).get(rowId)?.value
    const put = this.#put.get(`${player.name} ${rowId}`) ?? new Set()
    const own = now !== undefined && this.#oracle.isTypedBy(player, now) ? [now] : []
    return [...(shown === undefined ? [] : [shown]), ...own, ...put, ...this.covered(player, rowId)]
  }

  async around<T>(player: Player, about: About, deed: () => Promise<T>): Promise<T> {
    const before = this.#view(player)
    const rows = new Set([...before.keys(), ...(about.screen?.rows.keys() ?? [])])
    const known = new Map([...rows].map((id) => [id, this.known(player, id, about.screen)]))
    const result = await this.#oracle.user(player, about.rows, deed)
    const after = this.#view(player)
    const shown = new Set([...after.values()].map(({ value }) => value))
    for (const [id, was] of before) {
      const now = after.get(id)
      if (now === undefined) this.#gone(player, id, was, shown, known.get(id) ?? [])
      else this.#changed(player, id, was, now, shown, known.get(id) ?? [])
    }
    for (const [id, now] of after) if (!before.has(id)) this.#appeared(player, id, now, about)
    return result
  }

  #view(player: Player): Map<string, Seen> {
    const projects = player.client.children('project', null)
    const rows = projects.flatMap((project) => [project, ...player.client.below(project.id)])
    return new Map(
      rows.map(({ id, kind, fields }) => [
        id,
        { kind, name: fields.name ?? '', value: this.#oracle.plain(fields.value?.sealed), isSecret: fields.isSecret },
      ]),
    )
  }

  #gone(player: Player, id: string, was: Seen, shown: ReadonlySet<string>, known: readonly string[]): void {
    this.#oracle.deletes(player, [was.name, ...known], was.kind === 'variable' ? null : id)
    this.#oracle.gaveUp(player, was.value)
    if (shown.has(was.value)) this.#oracle.stands(player, was.value)
  }

  #changed(player: Player, id: string, was: Seen, now: Seen, shown: ReadonlySet<string>, known: readonly string[]): void {
    if (was.name !== now.name) {
      this.names(player, id, now.name)
      this.#oracle.gaveUp(player, was.name)
      if (uniqueName.test(now.name)) this.#oracle.stands(player, now.name)
    }
    if (now.isSecret !== undefined && was.isSecret !== now.isSecret) this.classifies(player, id, now.isSecret)
    if (was.value === now.value) return
    if (!shown.has(was.value)) this.#oracle.gaveUp(player, was.value)
    this.puts(player, id, now.value)
    if (isToken(now.value)) {
      this.#oracle.saw(now.value, known)
      this.#oracle.copied(now.value)
      this.#oracle.stands(player, now.value)
    } else for (const value of known) this.cover(player, id, value)
  }

  #appeared(player: Player, id: string, now: Seen, { bringsBack = false }: About): void {
    if (uniqueName.test(now.name)) this.#oracle.stands(player, now.name)
    this.puts(player, id, now.value)
    if (!isToken(now.value)) return
    this.#oracle.copied(now.value)
    this.#oracle.stands(player, now.value)
    if (!bringsBack) return
    this.#oracle.bringsBack([now.value])
    this.#oracle.saw(now.value, this.covered(player, id))
  }
}

function add(to: Map<string, Set<string>>, { name }: Player, rowId: string, value: string): void {
  const mark = `${name} ${rowId}`
  to.set(mark, (to.get(mark) ?? new Set<string>()).add(value))
}
