import type { ExpressionBuilder } from 'kysely'
import { errorCodes } from '../protocol/error-codes.ts'
import { parseFeedCursor, readClock } from './changes.ts'
import { Refusal } from './refusal.ts'
import type { Tables } from './tables.ts'
import type { Write } from './write.ts'

const changedSince = (what: string) =>
  new Refusal(errorCodes.stale, `The ${what} changed since you looked at it. Read what changed, then decide again.`)

/** The last commit that a follower at this cursor has read. A cursor of another history has read nothing that counts here. */
const lastSeen = async (write: Write, cursor: string): Promise<number> => {
  const clock = await readClock(write)
  try {
    return parseFeedCursor(cursor, clock).from
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
  place: { environmentId: string } | { projectId: string },
  after: number,
): Promise<boolean> => {
  const rows = write.kysely.selectFrom(table).select('id').where('workspace_id', '=', write.workspaceId).where('seq', '>', after).limit(1)
  const found =
    'environmentId' in place
      ? await rows.where('environment_id', '=', place.environmentId).executeTakeFirst()
      : await rows.where('environment_id', 'in', environmentsOf(write, place.projectId)).executeTakeFirst()
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
  const place = { projectId: row.id }
  if (
    row.seq > after ||
    environment !== undefined ||
    (await writtenIn(write, 'variables', place, after)) ||
    (await writtenIn(write, 'versions', place, after))
  )
    throw changedSince('project')
}

/** Throws a 412 Refusal when the environment or anything in it was written after the cursor. */
export const requireSeenEnvironment = async (write: Write, row: { id: string; seq: number }, cursor: string | undefined): Promise<void> => {
  if (cursor === undefined) return
  const after = await lastSeen(write, cursor)
  const place = { environmentId: row.id }
  if (row.seq > after || (await writtenIn(write, 'variables', place, after)) || (await writtenIn(write, 'versions', place, after)))
    throw changedSince('environment')
}

/** Throws a 412 Refusal when what the environment holds was changed after the cursor: also when a variable was deleted or moved away. */
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
