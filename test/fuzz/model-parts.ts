import type { Row } from '../../electron/queue/entry.ts'
import type { OperationOracle } from './operation-oracle.ts'
import type { Dice } from './dice.ts'
import type { FuzzService } from './fuzz-service.ts'
import type { MoveOracle } from './move-oracle.ts'
import type { NameOracle } from './name-oracle.ts'
import type { Oracle } from './oracle.ts'
import type { Player } from './player.ts'
import type { Screen } from './screen.ts'
import type { RestoreOracle } from './restore-oracle.ts'
import type { Witness } from './witness.ts'

/** What operations are made of: the dice, the clients and those who watch them. */
export interface ModelParts {
  dice: Dice
  oracle: Oracle
  operations: OperationOracle
  witness: Witness
  restores: RestoreOracle
  moves: MoveOracle
  names: NameOracle
  service: FuzzService
  /** In an order that does not depend on ids. */
  rows(player: Player, kind: Row['kind']): Row[]
  /** A number that was not given before. */
  count(): number
  /** What a person acts on. */
  screen(player: Player): Promise<Screen>
  /** A sync of this client, or of another one. */
  syncOne(player: Player): Promise<void>
  /** How many things have happened so far. */
  steps(): number
}
