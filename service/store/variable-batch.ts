import type { Change } from '../protocol/changes.ts'
import { deletedAmong } from './tombstones.ts'
import { insertVariables, removeVariables, singleRows } from './variables.ts'
import type { VariableRow, VariableRows } from './variables.ts'
import type { Write } from './write.ts'

export type VariableChange = Extract<Change, { resource: 'variable' }>

/** What items that follow one another need to know of variables, read at once, and what they write, written together. */
export interface VariableBatch {
  readonly rows: VariableRows
  find(id: string): VariableRow | undefined
  hasEnvironment(id: string): boolean
  wasDeleted(id: string): boolean
  /** Writes what waits to be written. */
  flush(): Promise<void>
}

const key = (environmentId: string, name: string): string => `${environmentId} ${name}`

const parentOf = (item: VariableChange): string[] => {
  if (item.op === 'create') return [item.parentId]
  return item.op === 'update' && item.fields.parentId !== undefined ? [item.fields.parentId] : []
}

const nameOf = (item: VariableChange): string[] => (item.op === 'delete' || item.fields.name === undefined ? [] : [item.fields.name])

const unique = (texts: readonly string[]): string[] => [...new Set(texts)]

/** Reads what these items ask about: the variables by id, their environments, who has the names, and what was deleted. */
export const readVariableBatch = async (write: Write, items: readonly VariableChange[]): Promise<VariableBatch> => {
  const { kysely } = write
  const ids = unique(items.map((item) => item.id))
  const found: VariableRow[] = await kysely
    .selectFrom('variables')
    .selectAll()
    .where('workspace_id', '=', write.workspaceId)
    .where('id', 'in', ids)
    .execute()
  const byId = new Map(found.map((row) => [row.id, row]))
  const parents = unique([...items.flatMap(parentOf), ...found.map((row) => row.environment_id)])
  const names = unique([...items.flatMap(nameOf), ...found.map((row) => row.name)])
  const unknown = items.flatMap((item) => (item.op === 'create' && !byId.has(item.id) ? [item.id] : []))
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
  const existing = new Set(environments.map(({ id }) => id))
  for (const row of holders) byId.set(row.id, row)
  const byName = new Map([...byId.values()].map((row) => [key(row.environment_id, row.name), row.id]))

  const single = singleRows(write)
  // Rows wait here so that many go at once: new ones, changed ones or deleted ones, of one kind only, so that their order is kept.
  let waiting: { inserts: VariableRow[]; updates: [next: VariableRow, row: VariableRow][]; removals: VariableRow[] }
  const waitForNone = () => {
    waiting = { inserts: [], updates: [], removals: [] }
  }
  waitForNone()
  const flush = async () => {
    const { inserts, updates, removals } = waiting
    waitForNone()
    await insertVariables(write, inserts)
    await Promise.all(updates.map(([next, row]) => single.update(next, row)))
    if (removals.length > 0) await removeVariables(write, removals)
  }
  /** Writes what waits, unless it is of this kind alone. */
  const flushAllBut = async (kind: keyof typeof waiting) => {
    if (Object.entries(waiting).some(([other, rows]) => other !== kind && rows.length > 0)) await flush()
  }
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
    hasEnvironment: (id) => existing.has(id),
    wasDeleted: (id) => deleted.has(id),
    flush,
    rows: {
      holderOf: (environmentId, name) => byName.get(key(environmentId, name)),
      insert: async (row) => {
        await flushAllBut('inserts')
        waiting.inserts.push(row)
        put(row)
      },
      update: async (next, row) => {
        await flushAllBut('updates')
        waiting.updates.push([next, row])
        take(row)
        put(next)
      },
      remove: async (row) => {
        await flushAllBut('removals')
        waiting.removals.push(row)
        take(row)
        deleted.add(row.id)
      },
    },
  }
}
