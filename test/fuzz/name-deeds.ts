import type { Dice } from './dice.ts'
import type { Player } from './player.ts'
import { rowsOn, variablesOn, type Screen, type ShownRow } from './screen.ts'

/** Each does one thing to a row of the screen that its user has just looked at, and returns in words what came of it. */
interface Hands {
  look(player: Player): Promise<Screen>
  /** Null: a name that nothing ever had. */
  rename(player: Player, row: ShownRow, screen: Screen, name: string | null): Promise<string>
  slug(player: Player, row: ShownRow, slug: string): Promise<string | null>
  edit(player: Player, deed: 'set' | 'both' | 'delete', row: ShownRow, screen: Screen): Promise<string>
  create(player: Player, environmentId: string, name: string): Promise<string | null>
  snapshot(player: Player, environmentId: string): Promise<string>
  note(text: string): void
}

/** Gives a row a name: that which another row had at the beginning, or one that nothing has. */
type Turn =
  | { do: 'rename'; row: number; to: number | 'new' }
  | { do: 'delete' | 'set' | 'both'; row: number }
  | { do: 'create'; as: number }
  | { do: 'snapshot' }

/** Names that are exchanged, passed on, freed and taken, each in one go. Of places, the turns that a place knows. */
const figures: readonly (readonly Turn[])[] = [
  // Two swap, through a third name.
  [
    { do: 'rename', row: 0, to: 'new' },
    { do: 'rename', row: 1, to: 0 },
    { do: 'rename', row: 0, to: 1 },
  ],
  // Three pass theirs on.
  [
    { do: 'rename', row: 0, to: 'new' },
    { do: 'rename', row: 1, to: 0 },
    { do: 'rename', row: 2, to: 1 },
    { do: 'rename', row: 0, to: 2 },
  ],
  // One is given up, and another takes it.
  [
    { do: 'rename', row: 0, to: 'new' },
    { do: 'rename', row: 1, to: 0 },
  ],
  [
    { do: 'delete', row: 0 },
    { do: 'rename', row: 1, to: 0 },
  ],
  [
    { do: 'rename', row: 0, to: 'new' },
    { do: 'create', as: 0 },
  ],
  // One takes the name of another, and gives it back.
  [
    { do: 'rename', row: 0, to: 'new' },
    { do: 'rename', row: 1, to: 0 },
    { do: 'rename', row: 1, to: 'new' },
    { do: 'rename', row: 0, to: 0 },
  ],
  [
    { do: 'delete', row: 0 },
    { do: 'create', as: 0 },
    { do: 'rename', row: 1, to: 'new' },
  ],
]

/** Plays names that pass from one row to another. */
export class NameDeeds {
  readonly #dice: Dice
  readonly #hands: Hands

  constructor(dice: Dice, hands: Hands) {
    this.#dice = dice
    this.#hands = hands
  }

  /**
   * Passes names between variables of one environment, or slugs between places. `between` is run after each turn. Returns in words what was
   * played; null: the client has no place.
   */
  async play(player: Player, between: () => Promise<void>): Promise<string | null> {
    const first = await this.#hands.look(player)
    const ofPlaces = this.#dice.chance(0.25)
    const parent = this.#dice.pick(rowsOn(first, ofPlaces ? 'project' : 'environment'))
    if (parent === undefined) return null
    const isTop = ofPlaces && this.#dice.chance(0.3)
    const rows = isTop
      ? rowsOn(first, 'project')
      : ofPlaces
        ? rowsOn(first, 'environment').filter(({ parentId }) => parentId === parent.id)
        : variablesOn(first, parent.id)
    return this.#playOn(player, ofPlaces ? null : parent.id, this.#shuffled(rows), between)
  }

  async #playOn(player: Player, environmentId: string | null, rows: readonly ShownRow[], between: () => Promise<void>): Promise<string> {
    const figure = this.#dice.pick(figures) ?? []
    const turns = figure.flatMap((turn): Turn[] => [
      turn,
      ...(environmentId !== null && this.#dice.chance(0.15) ? [{ do: 'snapshot' } as const] : []),
      ...(turn.do === 'rename' && this.#dice.chance(0.2) ? [{ do: this.#dice.chance(0.5) ? 'set' : 'both', row: turn.row } as const] : []),
    ])
    const { life } = player
    for (const turn of turns) {
      this.#hands.note(`${player.name} ${turn.do} ${await this.#turn(player, turn, environmentId, rows)}`)
      if (player.life !== life) return 'and started anew'
      await between()
      if (player.life !== life) return 'and started anew'
    }
    return `of ${rows.map(({ name }) => name).join()}`
  }

  async #turn(player: Player, turn: Turn, environmentId: string | null, rows: readonly ShownRow[]): Promise<string | null> {
    const hands = this.#hands
    if (turn.do === 'snapshot') return environmentId === null ? null : hands.snapshot(player, environmentId)
    if (turn.do === 'create') {
      const name = rows[turn.as]?.name
      return environmentId === null || name === undefined ? null : hands.create(player, environmentId, name)
    }
    const screen = await hands.look(player)
    const row = screen.rows.get(rows[turn.row]?.id ?? '')
    if (row === undefined) return null
    if (turn.do !== 'rename') return row.kind === 'variable' ? hands.edit(player, turn.do, row, screen) : null
    const to = turn.to === 'new' ? null : rows[turn.to]
    if (to === undefined) return null
    return row.kind === 'variable' ? hands.rename(player, row, screen, to?.name ?? null) : hands.slug(player, row, to?.slug ?? 'free')
  }

  #shuffled(rows: readonly ShownRow[]): ShownRow[] {
    const left = [...rows]
    return rows.flatMap(() => left.splice(this.#dice.from(0, left.length - 1), 1))
  }
}
