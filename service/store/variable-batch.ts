import type { Change } from '../protocol/changes.ts'
import { deletedAmong } from './tombstones.ts'
import { insertVariables, removeVariables, singleRows } from './variables.ts'
import type { VariableRow, VariableRows } from './variables.ts'
import type { Write } from './write.ts'

export type VariableChange = Extract<Change, { resource: 'variable' }>

/** The variables that a run of items reads, read at once, and the rows that it writes, written together. */
export interface VariableBatch {
  readonly rows: VariableRows
  find(id: string): VariableRow | undefined
  hasEnvironment(id: string): boolean
  wasDeleted(id: string): boolean
  /** Writes the waiting rows. */
  flush(): Promise<void>
}

const key = (environmentId: string, name: string): string => `${environmentId} ${name}`

const parentOf = (item: VariableChange): string[] => {
  if (item.op === 'create') return [item.parentId]
  return item.op === 'update' && item.fields.parentId !== undefined ? [item.fields.parentId] : []
}

const nameOf = (item: VariableChange): string[] => (item.op === 'delete' || item.fields.name === undefined ? [] : [item.fields.name])

const unique = (texts: readonly string[]): string[] => [...new Set(texts)]

interface Named {
  /** Of the variables that the items name, and of those that hold a name they want. */
  rows: VariableRow[]
  environments: ReadonlySet<string>
  deleted: Set<string>
}

/** Reads the records that these items name: variables by id, environments, holders of names, and deleted ids. */
const readNamed = async (write: Write, items: readonly VariableChange[]): Promise<Named> => {
  const { kysely } = write
  const ids = unique(items.map((item) => item.id))
  const found: VariableRow[] = await kysely
    .selectFrom('variables')
    .selectAll()
    .where('workspace_id', '=', write.workspaceId)
    .where('id', 'in', ids)
    .execute()
  const known = new Set(found.map((row) => row.id))
  const parents = unique([...items.flatMap(parentOf), ...found.map((row) => row.environment_id)])
  const names = unique([...items.flatMap(nameOf), ...found.map((row) => row.name)])
  const unknown = items.flatMap((item) => (item.op === 'create' && !known.has(item.id) ? [item.id] : []))
  const [environments, holders, deleted] = await Promise.all([
    parents.length === 0
      ? []
      : kysely.selectFrom('environments').select('id').where('workspace_id', '=', write.workspaceId).where('id', 'in', parents).execute(),
    parents.length === 0 || names.length === 0
      ? []
      : kysely
          .selectFrom('variables')
          .selectAll()
          .where('workspace_id', '=', write.workspaceId)
          .where('environment_id', 'in', parents)
          .where('name', 'in', names)
          .execute(),
    deletedAmong(write, 'variable', unknown),
  ])
  return { rows: [...found, ...holders], environments: new Set(environments.map(({ id }) => id)), deleted }
}

/** Writes rows many at a time: new, changed or deleted ones, one kind at a time, so that their order is kept. */
class WaitingRows {
  readonly #write: Write
  #inserts: VariableRow[] = []
  #updates: [next: VariableRow, row: VariableRow][] = []
  #removals: VariableRow[] = []
  constructor(write: Write) {
    this.#write = write
  }

  async insert(row: VariableRow): Promise<void> {
    if (this.#updates.length + this.#removals.length > 0) await this.flush()
    this.#inserts.push(row)
  }

  async update(next: VariableRow, row: VariableRow): Promise<void> {
    if (this.#inserts.length + this.#removals.length > 0) await this.flush()
    this.#updates.push([next, row])
  }

  async remove(row: VariableRow): Promise<void> {
    if (this.#inserts.length + this.#updates.length > 0) await this.flush()
    this.#removals.push(row)
  }

  async flush(): Promise<void> {
    const [inserts, updates, removals] = [this.#inserts, this.#updates, this.#removals]
    this.#inserts = []
    this.#updates = []
    this.#removals = []
    const single = singleRows(this.#write)
    await insertVariables(this.#write, inserts)
    await Promise.all(updates.map(([next, row]) => single.update(next, row)))
    if (removals.length > 0) await removeVariables(this.#write, removals)
  }
}

/** Reads everything that these variable items need, and collects what they write. */
export const readVariableBatch = async (write: Write, items: readonly VariableChange[]): Promise<VariableBatch> => {
  const { rows, environments, deleted } = await readNamed(write, items)
  const byId = new Map(rows.map((row) => [row.id, row]))
  const byName = new Map([...byId.values()].map((row) => [key(row.environment_id, row.name), row.id]))
  const waiting = new WaitingRows(write)
  const put = (row: VariableRow) => {
    byId.set(row.id, row)
    byName.set(key(row.environment_id, row.name), row.id)
  }
  const take = (row: VariableRow) => {
    byId.delete(row.id)
    byName.delete(key(row.environment_id, row.name))
  }
  return {
    find: (id) => byId.get(id),
    hasEnvironment: (id) => environments.has(id),
    wasDeleted: (id) => deleted.has(id),
    flush: () => waiting.flush(),
    rows: {
      holderOf: (environmentId, name) => byName.get(key(environmentId, name)),
      insert: async (row) => {
        await waiting.insert(row)
        put(row)
      },
      update: async (next, row) => {
        await waiting.update(next, row)
        take(row)
        put(next)
      },
      remove: async (row) => {
        await waiting.remove(row)
        take(row)
        deleted.add(row.id)
      },
    },
  }
}
