import { treePage, walkTree, type StoredRow } from './btree-page.ts'
import type { Pages } from './read-pages.ts'
import type { Value } from './record.ts'
import { toRow, type Columns, type TableShape } from './table-shape.ts'

/** The readable part of one table. */
export interface DamagedTable {
  /** In order of the rowid. */
  rows: Columns[]
  /** Rows that an index names but no page contains, with the first column of each of those indexes. */
  lost: { rowid: number; keys: Readonly<Record<string, Value>> }[]
  /** Whether more rows may be missing than `lost` says, because neither the table nor any of its indexes could be read whole. */
  unsure: boolean
}

interface SchemaEntry {
  type: Value
  name: Value
  table: Value
  root: number
  /** A partial index can't tell which rows the table should have. */
  isPartial: boolean
}

/**
 * Reads the tables of `shapes` from a file page by page. It follows the trees as far as possible, then assigns every remaining page to the
 * table that its rows fit. `orderOf` returns the columns of a table in the order of the file's own definition.
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

/** Two images of one row have the same unique key. */
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

/** Returns the possible orders of the columns: the order in the file's own definition, which may be damaged, and today's order. */
function columnOrders(shape: TableShape, sql: string | undefined, orderOf: (sql: string, name: string) => string[] | null): string[][] {
  const own = sql === undefined ? null : orderOf(sql, shape.name)
  return [...(own === null ? [] : [own]), shape.columns.map(({ name }) => name)]
}

/** Returns the table that most rows of a page fit. In a tie, the table whose tree leads to the page wins. */
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

/**
 * Returns the rows that an index of a table names and that were not found in the table. `whole`: one of the indexes could be read to its
 * end.
 */
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
  // A damaged index entry names a row that never existed. If two indexes are readable, they must agree.
  const lost = [...named].filter(([, keys]) => Object.keys(keys).length >= Math.min(2, whole))
  return { rows: lost.map(([rowid, keys]) => ({ rowid, keys })), whole: whole > 0 }
}
