import type { Kysely } from 'kysely'
import { countUsage } from '../../../service/store/usage.ts'
import type { Tables } from '../../../service/store/tables.ts'

export interface Inserted {
  workspaceId: string
  environmentId: string
  /** The number in the commit order, and the ordinal, of the first. */
  from: number
  variables: readonly { id: string; name: string; value: string }[]
}

/** Inserts variables behind the wire, because requests would take long, and counts them. Returns the next number in the commit order. */
export async function insertVariables(kysely: Kysely<Tables>, { workspaceId, environmentId, from, variables }: Inserted): Promise<number> {
  const rows = variables.map((variable, index) => ({
    ...variable,
    workspace_id: workspaceId,
    environment_id: environmentId,
    type: 'string' as const,
    is_secret: 0,
    seq: from + index,
    ordinal: from + index,
    created_at: '',
    updated_at: '',
    updated_by: '',
  }))
  for (let at = 0; at < rows.length; at += 1000)
    await kysely
      .insertInto('variables')
      .values(rows.slice(at, at + 1000))
      .execute()
  await countUsage(kysely as unknown as Kysely<never>)
  const next = from + rows.length
  await kysely.updateTable('clock').set({ seq: next }).execute()
  return next
}
