import type { Mirror } from '../../mirror/mirror.ts'
import { environmentStamps, stampsOfNames, type StampColumns } from '../../mirror/reads/compare-columns.ts'
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
  /** The board includes all touches before this mark. */
  mark: number
  board: Board
  chosen: { key: string; board: Board } | null
}

/** If more names than this have changed, reading all of them again is quicker. */
const mostNames = 1000

export function createBoards(): Boards {
  const kept = new WeakMap<Mirror, Promise<Kept>>()
  return {
    async board(mirror, all, chosen, stamps) {
      // One at a time, so that a later read never overwrites a newer board with an older one.
      const before = kept.get(mirror)?.catch(() => null) ?? Promise.resolve(null)
      const next = before.then((found) => upToDate(mirror, found, all, stamps))
      kept.set(mirror, next)
      const now = await next
      return chosen.length === all.length && chosen.every((id, index) => id === all[index]) ? now.board : chosenOf(now, all, chosen)
    },
  }
}

async function upToDate(mirror: Mirror, found: Kept | null, all: readonly string[], stamps: StampContext): Promise<Kept> {
  const key = JSON.stringify([stamps.keyId, all])
  // Mark before reading: a row written in between is then read twice, not missed.
  const mark = mirror.touches.mark()
  const touches = found?.key === key ? mirror.touches.since(found.mark) : null
  if (found === null || touches === null) return read(mirror, all, stamps, key, mark)
  const names = new Set<string>()
  const environments = new Set<string | null>(all)
  for (const { parentId, name } of touches) if (name !== null && environments.has(parentId)) names.add(name)
  if (names.size > mostNames) return read(mirror, all, stamps, key, mark)
  if (names.size > 0) {
    const rows = Map.groupBy(await stampsOfNames(mirror, all, [...names], stamps.keyId), (row) => row.name)
    for (const name of names) {
      const now = rows.get(name) ?? []
      const isSecret = now.some((row) => row.is_secret !== 0)
      putRow(found.board, name, inOrder(all, now), isSecret)
    }
    found.chosen = null
  }
  found.mark = mark
  return found
}

async function read(mirror: Mirror, all: readonly string[], { keyId, emptyStamp }: StampContext, key: string, mark: number): Promise<Kept> {
  return { key, mark, board: makeBoard(await environmentStamps(mirror, all, keyId), emptyStamp), chosen: null }
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
