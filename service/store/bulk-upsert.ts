import { errorCodes } from '../protocol/error-codes.ts'
import { variableNameProblem } from '../protocol/names.ts'
import type { BulkItem } from '../protocol/records.ts'
import { sealedValueProblem } from '../protocol/sealed-value.ts'
import { parseIfMatch, requireMatch } from './if-match.ts'
import { Refusal } from './refusal.ts'
import type { VariableType } from './tables.ts'
import type { VariableRow } from './variables.ts'
import { insertVariable, nameTaken, patched, requireSize, storeVariable, variableRecord } from './variables.ts'
import type { Write } from './write.ts'

export interface UpsertItem {
  name: string
  value: string
  type?: VariableType | undefined
  isSecret?: boolean | undefined
  /** One ETag (or `*`): the variable must exist and be at it. */
  ifMatch?: string | undefined
  /** No variable may have the name yet: the item only creates. */
  ifNoneMatch?: '*' | undefined
}

const upsertOne = async (
  write: Write,
  environmentId: string,
  item: UpsertItem,
  row: VariableRow | undefined,
): Promise<{ status: 'created' | 'updated' | 'unchanged'; row: VariableRow }> => {
  const problem = variableNameProblem(item.name) ?? sealedValueProblem(item.value)
  if (problem !== null) throw new Refusal(errorCodes.unprocessable, problem)
  requireSize(item.value)
  const ifMatch = parseIfMatch(item.ifMatch)
  if (ifMatch !== null && item.ifNoneMatch !== undefined) {
    throw new Refusal(errorCodes.unprocessable, 'ifMatch asks for a variable that is there, ifNoneMatch for none. Send one of the two.')
  }
  if (row === undefined) {
    if (ifMatch !== null)
      throw new Refusal(errorCodes.stale, 'The variable is not there any more. Read the environment again before writing.')
    const fields = { name: item.name, value: item.value, type: item.type ?? ('string' as const), isSecret: item.isSecret ?? false }
    return { status: 'created', row: await insertVariable(write, environmentId, fields) }
  }
  // The same answer as to the create of one variable, which this item is.
  if (item.ifNoneMatch !== undefined) throw nameTaken(item.name, row.id)
  requireMatch(ifMatch, row.seq)
  const next = patched(row, item)
  if (next === row) return { status: 'unchanged', row }
  return { status: 'updated', row: await storeVariable(write, next) }
}

/**
 * Creates or updates each item by its name, in the order sent, answering each alone: an item that is
 * refused leaves the others standing. A name sent twice is written twice, the last wins.
 */
export const upsertVariables = async (write: Write, environmentId: string, items: readonly UpsertItem[]): Promise<BulkItem[]> => {
  const names = [...new Set(items.map((item) => item.name).filter((name) => variableNameProblem(name) === null))]
  const rows =
    names.length === 0
      ? []
      : await write.kysely
          .selectFrom('variables')
          .selectAll()
          .where('workspace_id', '=', write.workspaceId)
          .where('environment_id', '=', environmentId)
          .where('name', 'in', names)
          .execute()
  const byName = new Map<string, VariableRow>(rows.map((row) => [row.name, row]))
  const answers: BulkItem[] = []
  for (const item of items) {
    try {
      const { status, row } = await upsertOne(write, environmentId, item, byName.get(item.name))
      byName.set(item.name, row)
      answers.push({ name: item.name, status, record: variableRecord(row) })
    } catch (error) {
      // Only checks throw a Refusal, and they come before the item's first write: the others can stand.
      if (!(error instanceof Refusal)) throw error
      answers.push({ name: item.name, status: 'failed', code: error.code, message: error.message })
    }
  }
  return answers
}
