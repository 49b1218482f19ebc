import type { Row } from '../../electron/queue/entry.ts'
import type { ActsOracle } from './acts-oracle.ts'
import type { Dice } from './dice.ts'
import type { FuzzService } from './fuzz-service.ts'
import type { Oracle } from './oracle.ts'
import type { Player } from './player.ts'
import type { Witness } from './witness.ts'

/** What acts are made of: the dice, the clients and those who watch them. */
export interface FurtherParts {
  dice: Dice
  oracle: Oracle
  acts: ActsOracle
  witness: Witness
  service: FuzzService
  /** In an order that does not depend on ids. */
  rows(player: Player, kind: Row['kind']): Row[]
  /** A number that was not given before. */
  count(): number
  /** A sync of this client, or of another one. */
  syncOne(player: Player): Promise<void>
  /** How many things have happened so far. */
  steps(): number
}
