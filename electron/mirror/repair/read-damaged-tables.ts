import { treePage, walkTree, type StoredRow } from './btree-page.ts'
import type { Pages } from './read-pages.ts'
import type { Value } from './record.ts'
import { toRow, type Columns, type TableShape } from './table-shape.ts'

/** What can be read of one table. */
export interface DamagedTable {
  /** In order of the rowid. */
  rows: Columns[]
  /** Rows that an index still names and no page holds any more, by the first column of each of those indexes. */
  lost: { rowid: number; keys: Readonly<Record<string, Value>> }[]
  /** More may be missing than `lost` says: neither the table nor one of its indexes could be read whole. */
  unsure: boolean
}

interface SchemaEntry {
  type: Value
  name: Value
  table: Value
  root: number
  /** An index that leaves rows out tells nothing about the table. */
  isPartial: boolean
}

/**
 * Reads the tables of `shapes` out of a file page by page, following the tree where it stands and taking every page that is left for what
 * its rows look like. `orderOf` gives the columns of a table as the file's own definition has them.
 */
export function readDamagedTables(
  pages: Pages,
  shapes: readonly TableShape[],
  orderOf: (sql: string, name: string) => string[] | null,
): Map<string, DamagedTable> {
  const { entries: schema, definitions } = readSchema(pages)
  const orders = new Map(shapes.map((shape) => [shape.name, columnOrders(shape, definitions.get(shape.name), orderOf)]))
  const owners = new Map<number, string>()
  const whole = new Map<string, boolean>()
  for (const { name } of shapes) {
    const entry = schema.find((one) => one.type === 'table' && one.name === name)
    const walked = entry && walkTree(pages, entry.root)
    whole.set(name, walked?.whole === true && !pages.logIsDamaged)
    for (const leaf of walked?.leaves ?? []) if (!owners.has(leaf)) owners.set(leaf, name)
  }
  const found = new Map(shapes.map(({ name }) => [name, new Map<string, { rowid: number; row: Columns }>()]))
  for (const number of pages.numbers) {
    const page = treePage(pages, number)
    if (page?.kind !== 'rows' || page.rows.length === 0) continue
    const best = bestShape(page.rows, shapes, orders, owners.get(number))
    if (best !== null) for (const { rowid, row } of best.rows) found.get(best.name)?.set(keyOf(row, rowid), { rowid, row })
  }
  return new Map(
    shapes.map(({ name }) => {
      const rows = [...(found.get(name)?.values() ?? [])].toSorted((a, b) => a.rowid - b.rowid)
      const lost = lostOf(pages, schema, name, new Set(rows.map(({ rowid }) => rowid)))
      return [name, { rows: rows.map(({ row }) => row), lost: lost.rows, unsure: whole.get(name) !== true && !lost.whole }]
    }),
  )
}

/** Two images of one row are told by what is unique about it. */
const keyOf = (row: Columns, rowid: number): string => String(row['id'] ?? row['key'] ?? rowid)

function readSchema(pages: Pages): { entries: SchemaEntry[]; definitions: Map<string, string> } {
  const entries: SchemaEntry[] = []
  const definitions = new Map<string, string>()
  for (const leaf of walkTree(pages, 1).leaves) {
    const page = treePage(pages, leaf)
    for (const { values } of page?.kind === 'rows' ? page.rows : []) {
      const [type = null, name = null, table = null, root, sql] = values
      if (typeof root === 'number' && root > 0)
        entries.push({ type, name, table, root, isPartial: typeof sql === 'string' && /\sWHERE\s/i.test(sql) })
      if (type === 'table' && typeof name === 'string' && typeof sql === 'string') definitions.set(name, sql)
    }
  }
  return { entries, definitions }
}

/** The orders in which the columns may stand: as the file's own definition says, which may be damaged itself, and as they are today. */
function columnOrders(shape: TableShape, sql: string | undefined, orderOf: (sql: string, name: string) => string[] | null): string[][] {
  const own = sql === undefined ? null : orderOf(sql, shape.name)
  return [...(own === null ? [] : [own]), shape.columns.map(({ name }) => name)]
}

/** The table that most rows of a page fit, the one the page is reached from first. */
function bestShape(
  rows: readonly StoredRow[],
  shapes: readonly TableShape[],
  orders: ReadonlyMap<string, string[][]>,
  owner: string | undefined,
): { name: string; rows: { rowid: number; row: Columns }[] } | null {
  const ordered = shapes.toSorted((a, b) => Number(b.name === owner) - Number(a.name === owner))
  let best: { name: string; rows: { rowid: number; row: Columns }[] } | null = null
  for (const shape of ordered) {
    const fitting = rows.flatMap(({ rowid, values }) => {
      for (const order of orders.get(shape.name) ?? []) {
        const row = toRow(shape, order, rowid, values)
        if (row !== null) return [{ rowid, row }]
      }
      return []
    })
    if (fitting.length > (best?.rows.length ?? 0)) best = { name: shape.name, rows: fitting }
  }
  return best
}

/** What the indexes of a table name that was not found in it; `whole` when one of them could be read to its end. */
function lostOf(
  pages: Pages,
  schema: readonly SchemaEntry[],
  table: string,
  found: ReadonlySet<number>,
): { rows: DamagedTable['lost']; whole: boolean } {
  const walks = schema
    .filter((one) => one.type === 'index' && one.table === table && !one.isPartial)
    .map(({ name, root }) => ({ name: String(name), ...walkTree(pages, root) }))
  const whole = pages.logIsDamaged ? 0 : walks.filter((walk) => walk.whole).length
  const named = new Map<number, Record<string, Value>>()
  for (const { name, entries } of walks) {
    for (const entry of entries) {
      const rowid = entry.at(-1)
      if (typeof rowid === 'number' && !found.has(rowid)) named.set(rowid, { ...named.get(rowid), [name]: entry[0] ?? null })
    }
  }
  // An entry damaged itself names a row that never was: where two indexes can be read, they must agree.
  const lost = [...named].filter(([, keys]) => Object.keys(keys).length >= Math.min(2, whole))
  return { rows: lost.map(([rowid, keys]) => ({ rowid, keys })), whole: whole > 0 }
}
