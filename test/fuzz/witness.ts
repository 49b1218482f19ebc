import type { Row } from '../../electron/queue/entry.ts'
import { isToken, uniqueName, type Oracle } from './oracle.ts'
import type { Player } from './player.ts'

/** A row as its user sees it. */
interface Seen {
  kind: Row['kind']
  name: string
  value: string
}

/** What a command is about: `rows`, by local id, with all below them. */
export interface About {
  rows: readonly string[]
  /** undo and redo: what was deleted may come back as a new record. */
  bringsBack?: boolean
  /** A move: what goes away here has to arrive there first. */
  moves?: boolean
}

/**
 * Looks at what a user sees before and after a command, and tells the oracle what that means: which values were given up, which were
 * seen by whoever wrote over them, what was deleted, what is there once more.
 */
export class Witness {
  readonly #oracle: Oracle
  /** By client and row: what values that many type covered, because these have no history of their own. */
  readonly #covered = new Map<string, Set<string>>()

  constructor(oracle: Oracle) {
    this.#oracle = oracle
  }

  /** What a value that many type covered in a row. */
  covered(player: Player, rowId: string): string[] {
    return [...(this.#covered.get(`${player.name} ${rowId}`) ?? [])]
  }

  cover(player: Player, rowId: string, value: string): void {
    const mark = `${player.name} ${rowId}`
    this.#covered.set(mark, (this.#covered.get(mark) ?? new Set<string>()).add(value))
  }

  async around<T>(player: Player, about: About, deed: () => Promise<T>): Promise<T> {
    const before = this.#view(player)
    const result = await this.#oracle.user(player, about.rows, deed)
    const after = this.#view(player)
    const shown = new Set([...after.values()].map(({ value }) => value))
    for (const [id, was] of before) {
      const now = after.get(id)
      if (now === undefined) this.#gone(player, id, was, shown, about)
      else this.#changed(player, id, was, now, shown)
    }
    for (const [id, now] of after) if (!before.has(id)) this.#appeared(player, now, about)
    return result
  }

  #view(player: Player): Map<string, Seen> {
    const projects = player.client.children('project', null)
    const rows = projects.flatMap((project) => [project, ...player.client.below(project.id)])
    return new Map(
      rows.map(({ id, kind, fields }) => [id, { kind, name: fields.name ?? '', value: this.#oracle.plain(fields.value?.sealed) }]),
    )
  }

  #gone(player: Player, id: string, was: Seen, shown: ReadonlySet<string>, { moves = false }: About): void {
    if (moves && was.kind === 'variable') {
      this.#oracle.moves(player, was.value)
      return
    }
    const values = [was.name, ...this.covered(player, id), ...(isToken(was.value) ? [was.value] : [])]
    this.#oracle.deletes(player, values, was.kind === 'variable' ? null : id)
    if (shown.has(was.value)) this.#oracle.stands(player, was.value)
  }

  #changed(player: Player, id: string, was: Seen, now: Seen, shown: ReadonlySet<string>): void {
    if (was.name !== now.name) {
      this.#oracle.gaveUp(player, was.name)
      if (uniqueName.test(now.name)) this.#oracle.stands(player, now.name)
    }
    if (was.value === now.value) return
    if (!shown.has(was.value)) this.#oracle.gaveUp(player, was.value)
    if (isToken(now.value)) {
      this.#oracle.saw(now.value, [was.value, ...this.covered(player, id)])
      this.#oracle.copied(now.value)
      this.#oracle.stands(player, now.value)
    } else this.cover(player, id, was.value)
  }

  #appeared(player: Player, now: Seen, { bringsBack = false }: About): void {
    if (uniqueName.test(now.name)) this.#oracle.stands(player, now.name)
    if (!isToken(now.value)) return
    this.#oracle.copied(now.value)
    this.#oracle.stands(player, now.value)
    if (bringsBack) this.#oracle.bringsBack([now.value])
  }
}
