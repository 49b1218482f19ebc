import type { ExpressionBuilder } from 'kysely'
import { errorCodes } from '../protocol/error-codes.ts'
import { parseFeedCursor, readClock, requireNotUndone } from './changes.ts'
import { Refusal } from './refusal.ts'
import type { Tables } from './tables.ts'
import type { Write } from './write.ts'

const changedSince = (what: string) =>
  new Refusal(errorCodes.stale, `The ${what} changed since you last read it. Read the changes, then try again.`)

/** The last commit that a follower at this cursor has read. 0 for a cursor of another history. */
const lastSeen = async (write: Write, cursor: string): Promise<number> => {
  const clock = await readClock(write)
  try {
    const position = parseFeedCursor(cursor, clock)
    await requireNotUndone(write, position, clock)
    return position.from
  } catch (error) {
    if (error instanceof Refusal) return 0
    throw error
  }
}

const environmentsOf = (write: Write, projectId: string) => (eb: ExpressionBuilder<Tables, 'environments' | 'variables' | 'versions'>) =>
  eb
    .selectFrom('environments')
    .select('environments.id')
    .where('environments.workspace_id', '=', write.workspaceId)
    .where('project_id', '=', projectId)

const writtenIn = async (
  write: Write,
  table: 'variables' | 'versions',
  parent: { environmentId: string } | { projectId: string },
  after: number,
): Promise<boolean> => {
  const rows = write.kysely.selectFrom(table).select('id').where('workspace_id', '=', write.workspaceId).where('seq', '>', after).limit(1)
  const found =
    'environmentId' in parent
      ? await rows.where('environment_id', '=', parent.environmentId).executeTakeFirst()
      : await rows.where('environment_id', 'in', environmentsOf(write, parent.projectId)).executeTakeFirst()
  return found !== undefined
}

/** Throws a 412 Refusal when the project, an environment of it or anything in those was written after the cursor. */
export const requireSeenProject = async (write: Write, row: { id: string; seq: number }, cursor: string | undefined): Promise<void> => {
  if (cursor === undefined) return
  const after = await lastSeen(write, cursor)
  const environment = await write.kysely
    .selectFrom('environments')
    .select('id')
    .where('workspace_id', '=', write.workspaceId)
    .where('project_id', '=', row.id)
    .where('seq', '>', after)
    .limit(1)
    .executeTakeFirst()
  const parent = { projectId: row.id }
  if (
    row.seq > after ||
    environment !== undefined ||
    (await writtenIn(write, 'variables', parent, after)) ||
    (await writtenIn(write, 'versions', parent, after))
  )
    throw changedSince('project')
}

/** Throws a 412 Refusal when the environment or anything in it was written after the cursor. */
export const requireSeenEnvironment = async (write: Write, row: { id: string; seq: number }, cursor: string | undefined): Promise<void> => {
  if (cursor === undefined) return
  const after = await lastSeen(write, cursor)
  const parent = { environmentId: row.id }
  if (row.seq > after || (await writtenIn(write, 'variables', parent, after)) || (await writtenIn(write, 'versions', parent, after)))
    throw changedSince('environment')
}

/** Throws a 412 Refusal when the contents of the environment changed after the cursor, also by a deletion or a move. */
export const requireSeenContents = async (
  write: Write,
  row: { id: string; seq: number; left_seq: number },
  cursor: string | undefined,
): Promise<void> => {
  if (cursor === undefined) return
  const after = await lastSeen(write, cursor)
  if (row.seq > after || row.left_seq > after || (await writtenIn(write, 'variables', { environmentId: row.id }, after)))
    throw changedSince('environment')
}
