import type { Queries } from '../../bridge/contract.ts'
import type { CompareCell, CompareGrid, CompareRow } from '../../bridge/rows.ts'
import type { WorkspaceCipher } from '../../cipher/workspace-cipher.ts'
import type { Mirror } from '../../mirror/mirror.ts'
import { newestRev } from '../../mirror/past-layer.ts'
import { compareCells, environmentsOf, typesIn, type CellColumns, type EnvironmentColumns } from '../../mirror/reads/compare-columns.ts'
import { rowOf, type Board, type BoardRow } from './board.ts'
import { createBoards, type StampContext } from './boards.ts'
import { judgeCells, markCells, referenceOf } from './judge-cells.ts'

type PageArgs = Omit<Queries['compare.page']['args'], 'workspaceId'>
type RowArgs = Omit<Queries['compare.row']['args'], 'workspaceId'>

/** Answers queries about comparisons. Keeps a board for the next query, and updates it after each write. */
export interface Comparer {
  page(mirror: Mirror, cipher: WorkspaceCipher | null, args: PageArgs): Promise<CompareGrid>
  /** Returns one name across all environments; null: none of them has it. */
  row(mirror: Mirror, cipher: WorkspaceCipher | null, args: RowArgs): Promise<CompareRow | null>
}

export function createComparer(): Comparer {
  const boards = createBoards()

  const open = async (mirror: Mirror, cipher: WorkspaceCipher | null, { projectId, environmentIds }: Omit<RowArgs, 'name'>) => {
    const stamps: StampContext = { keyId: cipher?.keyId ?? null, emptyStamp: cipher?.tagOf('') ?? null }
    const all = await environmentsOf(mirror, projectId)
    const environments = environmentIds === undefined ? all : chosenFrom(all, environmentIds)
    const ids = environments.map(({ id }) => id)
    const board = await boards.board(
      mirror,
      all.map(({ id }) => id),
      ids,
      stamps,
    )
    return { environments, ids, board }
  }

  return {
    async page(mirror, cipher, { filter, only, offset, limit, columns, ...of }) {
      // Read before the rows, so that a change written in between counts as not shown.
      const rev = mirror.snapshot(newestRev)
      const { environments, ids, board } = await open(mirror, cipher, of)
      const matching = matchingRows(board, filter, only)
      const counts = environments.map((environment, index) => ({
        ...environment,
        ...(board.counts[index] ?? { missing: 0, empty: 0, different: 0 }),
      }))
      const columnOffset = columns?.offset ?? 0
      const shown = columns === undefined ? ids : ids.slice(columnOffset, columnOffset + columns.limit)
      const rows = await toRows(mirror, board, matching.slice(offset, offset + limit), ids, { shown, columnOffset, rev })
      return { environments: counts, total: matching.length, all: board.rows.length, offset, columnOffset, rows }
    },
    async row(mirror, cipher, { name, ...of }) {
      const rev = mirror.snapshot(newestRev)
      const { ids, board } = await open(mirror, cipher, of)
      const found = rowOf(board, name)
      if (found === undefined) return null
      const [row] = await toRows(mirror, board, [found], ids, { shown: ids, columnOffset: 0, rev })
      return row ?? null
    },
  }
}

/** Returns the environments with these ids, in the order of the ids. Leaves out unknown ids. */
function chosenFrom(all: readonly EnvironmentColumns[], ids: readonly string[]): EnvironmentColumns[] {
  return [...new Set(ids)].flatMap((id) => all.find((environment) => environment.id === id) ?? [])
}

function matchingRows({ rows }: Board, filter: string, only: PageArgs['only']): readonly BoardRow[] {
  if (filter === '' && only === 'all') return rows
  const text = filter.toLowerCase()
  const flag = only === 'missing' ? 'missing' : 'differs'
  return rows.filter((row) => (only === 'all' || row[flag]) && (text === '' || row.name.toLowerCase().includes(text)))
}

/** The type of each row, once read. A row that changes is a new object. */
const known = new WeakMap<BoardRow, CompareRow['type']>()

async function learnTypes(mirror: Mirror, { emptyStamp }: Board, rows: readonly BoardRow[], ids: readonly string[]): Promise<void> {
  const unknown = rows.filter((row) => !known.has(row))
  if (unknown.length === 0) return
  const names = unknown.map(({ name }) => name)
  const places = unknown.map((row) => ids[referencePlace(row, emptyStamp)])
  const types = Map.groupBy(await typesIn(mirror, [...new Set(places.filter((id) => id !== undefined))], names), ({ name }) => name)
  for (const [index, row] of unknown.entries()) {
    known.set(row, types.get(row.name)?.find(({ parent_id }) => parent_id === places[index])?.type ?? null)
  }
}

async function toRows(
  mirror: Mirror,
  board: Board,
  rows: readonly BoardRow[],
  ids: readonly string[],
  { shown, columnOffset, rev }: { shown: readonly string[]; columnOffset: number; rev: number },
): Promise<CompareRow[]> {
  await learnTypes(mirror, board, rows, ids)
  const names = rows.map(({ name }) => name)
  const cells = Map.groupBy(await compareCells(mirror, shown, names), ({ name }) => name)
  return rows.map((row) => ({
    name: row.name,
    isSecret: row.isSecret,
    type: known.get(row) ?? null,
    cells: toCells(row, board.emptyStamp, cells.get(row.name) ?? [], { shown, columnOffset, rev }),
  }))
}

/**
 * Returns the position of the environment with the most common value; if no value can be compared, of the first environment with a value.
 */
function referencePlace({ stamps }: BoardRow, emptyStamp: string | null): number {
  const reference = referenceOf(stamps, emptyStamp)
  return stamps.findIndex((stamp) => (reference === null ? stamp !== undefined : stamp === reference))
}

function toCells(
  { stamps }: BoardRow,
  emptyStamp: string | null,
  found: readonly CellColumns[],
  { shown, columnOffset, rev }: { shown: readonly string[]; columnOffset: number; rev: number },
): CompareCell[] {
  const judged = judgeCells(stamps, emptyStamp)
  const marks = markCells(judged)
  return shown.map((environmentId, index): CompareCell => {
    const cell = found.find(({ parent_id }) => parent_id === environmentId)
    const { state, group } = judged[columnOffset + index] ?? { state: 'missing', group: 0 }
    if (cell === undefined) return { environmentId, variableId: null, state: 'missing', group: 0, mark: null, rev, ...unchanged }
    return {
      environmentId,
      variableId: cell.id,
      // The row was written after the comparison; the next push updates it.
      state: state === 'missing' ? 'unknown' : state,
      group,
      mark: marks[columnOffset + index] ?? null,
      sync: cell.change_state ?? 'synced',
      syncReason: cell.change_reason,
      changeId: cell.change_id,
      rev: cell.rev ?? 0,
    }
  })
}

const unchanged = { sync: 'synced', syncReason: null, changeId: null } as const
