import { followTouches } from '../../mirror/follow-touches.ts'
import type { Mirror } from '../../mirror/mirror.ts'
import { environmentStamps, stampsOfNames, type StampColumns } from '../../mirror/reads/compare-columns.ts'
import type { Touch } from '../../mirror/touch-log.ts'
import { choose, makeBoard, putRow, type Board, type Stamp } from './board.ts'

/** The present key, whose tags are stamps without a key id, and the stamp of an empty value. Null while keys are locked. */
export interface StampContext {
  keyId: string | null
  emptyStamp: string | null
}

/** The last requested board of each mirror, brought up to date row by row. */
export interface Boards {
  /** Returns the present board of the `chosen` environments. `all`: the environments of the project. */
  board(mirror: Mirror, all: readonly string[], chosen: readonly string[], stamps: StampContext): Promise<Board>
}

interface Kept {
  key: string
  board: Board
  chosen: { key: string; board: Board } | null
}

interface Asked {
  all: readonly string[]
  stamps: StampContext
}

/** If more names than this have changed, reading all of them again is quicker. */
const mostNames = 1000

export function createBoards(): Boards {
  const upToDate = followTouches<Kept, Asked>(read, update)
  return {
    async board(mirror, all, chosen, stamps) {
      const now = await upToDate(mirror, { all, stamps })
      return chosen.length === all.length && chosen.every((id, index) => id === all[index]) ? now.board : chosenOf(now, all, chosen)
    },
  }
}

const keyOf = ({ all, stamps }: Asked): string => JSON.stringify([stamps.keyId, all])

async function read(mirror: Mirror, asked: Asked): Promise<Kept> {
  const { keyId, emptyStamp } = asked.stamps
  return { key: keyOf(asked), board: makeBoard(await environmentStamps(mirror, asked.all, keyId), emptyStamp), chosen: null }
}

async function update(mirror: Mirror, found: Kept, touches: readonly Touch[], asked: Asked): Promise<Kept | null> {
  if (found.key !== keyOf(asked)) return null
  const { all, stamps } = asked
  const names = new Set<string>()
  const environments = new Set<string | null>(all)
  for (const { parentId, name } of touches) if (name !== null && environments.has(parentId)) names.add(name)
  if (names.size > mostNames) return null
  if (names.size > 0) {
    const rows = Map.groupBy(await stampsOfNames(mirror, all, [...names], stamps.keyId), (row) => row.name)
    for (const name of names) {
      const now = rows.get(name) ?? []
      const isSecret = now.some((row) => row.is_secret !== 0)
      putRow(found.board, name, inOrder(all, now), isSecret)
    }
    found.chosen = null
  }
  return found
}

const inOrder = (ids: readonly string[], rows: readonly StampColumns[]): Stamp[] =>
  ids.map((id) => rows.find((row) => row.parent_id === id)?.stamp)

function chosenOf(kept: Kept, all: readonly string[], chosen: readonly string[]): Board {
  const key = JSON.stringify(chosen)
  if (kept.chosen?.key !== key) {
    const positions = chosen.map((id) => all.indexOf(id))
    kept.chosen = { key, board: choose(kept.board, positions) }
  }
  return kept.chosen.board
}
