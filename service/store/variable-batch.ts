import type { Change } from '../protocol/changes.ts'
import { pageBytes } from '../protocol/limits.ts'
import { deletedAmong } from './tombstones.ts'
import { insertVariables, knownColumns, removeVariables, singleRows, smallBytes, withValue } from './variables.ts'
import type { KnownVariable, RemovedRow, VariableRow, VariableRows } from './variables.ts'
import type { Write } from './write.ts'

export type VariableChange = Extract<Change, { resource: 'variable' }>

const known = (row: VariableRow): KnownVariable => {
  const bytes = row.value.length
  return { ...row, value: bytes > smallBytes ? null : row.value, bytes }
}

/** The variables that a run of items reads, read at once, and the rows that it writes, written together. */
export interface VariableBatch {
  readonly rows: VariableRows
  find(id: string): KnownVariable | undefined
  /** The variable with its value. */
  read(id: string): Promise<VariableRow | undefined>
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
  rows: KnownVariable[]
  /** Of the variables that hold a name the items want. */
  holders: Pick<VariableRow, 'id' | 'environment_id' | 'name'>[]
  environments: ReadonlySet<string>
  deleted: Set<string>
}

/** Reads the records that these items name: variables by id, environments, holders of names, and deleted ids. */
const readNamed = async (write: Write, items: readonly VariableChange[]): Promise<Named> => {
  const { kysely } = write
  const ids = unique(items.map((item) => item.id))
  const rows: KnownVariable[] = await kysely
    .selectFrom('variables')
    .select(knownColumns)
    .where('workspace_id', '=', write.workspaceId)
    .where('id', 'in', ids)
    .execute()
  const found = new Set(rows.map((row) => row.id))
  const parents = unique([...items.flatMap(parentOf), ...rows.map((row) => row.environment_id)])
  const names = unique([...items.flatMap(nameOf), ...rows.map((row) => row.name)])
  const unknown = items.flatMap((item) => (item.op === 'create' && !found.has(item.id) ? [item.id] : []))
  const [environments, holders, deleted] = await Promise.all([
    parents.length === 0
      ? []
      : kysely.selectFrom('environments').select('id').where('workspace_id', '=', write.workspaceId).where('id', 'in', parents).execute(),
    parents.length === 0 || names.length === 0
      ? []
      : kysely
          .selectFrom('variables')
          .select(['id', 'environment_id', 'name'])
          .where('workspace_id', '=', write.workspaceId)
          .where('environment_id', 'in', parents)
          .where('name', 'in', names)
          .execute(),
    deletedAmong(write, 'variable', unknown),
  ])
  return { rows, holders, environments: new Set(environments.map(({ id }) => id)), deleted }
}

/**
 * Writes rows many at a time: new, changed or deleted ones, one kind at a time, so that their order is kept, and before their values take
 * too much memory.
 */
class WaitingRows {
  readonly #write: Write
  #inserts: VariableRow[] = []
  #updates: [next: VariableRow, row: VariableRow][] = []
  #removals: RemovedRow[] = []
  #byId = new Map<string, VariableRow>()
  #bytes = 0
  constructor(write: Write) {
    this.#write = write
  }

  /** The row as it will be written. */
  find(id: string): VariableRow | undefined {
    return this.#byId.get(id)
  }

  async insert(row: VariableRow): Promise<void> {
    if (this.#updates.length + this.#removals.length > 0) await this.flush()
    this.#inserts.push(row)
    await this.#keep(row, row.value.length)
  }

  async update(next: VariableRow, row: VariableRow): Promise<void> {
    if (this.#inserts.length + this.#removals.length > 0) await this.flush()
    this.#updates.push([next, row])
    await this.#keep(next, next.value.length + row.value.length)
  }

  async remove(row: RemovedRow): Promise<void> {
    if (this.#inserts.length + this.#updates.length > 0) await this.flush()
    this.#removals.push(row)
  }

  async #keep(row: VariableRow, bytes: number): Promise<void> {
    this.#byId.set(row.id, row)
    this.#bytes += bytes
    if (this.#bytes > pageBytes) await this.flush()
  }

  async flush(): Promise<void> {
    const [inserts, updates, removals] = [this.#inserts, this.#updates, this.#removals]
    this.#inserts = []
    this.#updates = []
    this.#removals = []
    this.#byId = new Map()
    this.#bytes = 0
    const single = singleRows(this.#write)
    await insertVariables(this.#write, inserts)
    await Promise.all(updates.map(([next, row]) => single.update(next, row)))
    if (removals.length > 0) await removeVariables(this.#write, removals)
  }
}

/** Reads everything that these variable items need but large values, and collects what they write. */
export const readVariableBatch = async (write: Write, items: readonly VariableChange[]): Promise<VariableBatch> => {
  const { rows, holders, environments, deleted } = await readNamed(write, items)
  const byId = new Map(rows.map((row) => [row.id, row]))
  const byName = new Map(holders.map((row) => [key(row.environment_id, row.name), row.id]))
  const waiting = new WaitingRows(write)
  const put = (row: VariableRow) => {
    byId.set(row.id, known(row))
    byName.set(key(row.environment_id, row.name), row.id)
  }
  const take = (row: RemovedRow) => {
    byId.delete(row.id)
    byName.delete(key(row.environment_id, row.name))
  }
  return {
    find: (id) => byId.get(id),
    read: async (id) => {
      const row = byId.get(id)
      return waiting.find(id) ?? (row && withValue(write, row))
    },
    hasEnvironment: (id) => environments.has(id),
    wasDeleted: (id) => deleted.has(id),
    flush: () => waiting.flush(),
    rows: {
      read: (row) => waiting.find(row.id) ?? withValue(write, row),
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
